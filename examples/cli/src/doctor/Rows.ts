/**
 * Rows: whether what the registry says of the sessions is finished, and is what tmux says.
 *
 * What a living program holds is being finished. That rows and tmux differ is known only where
 * tmux answered.
 */
import type { SessionRecord } from "@troupe/core";
import { Either } from "effect";
import { commandLine } from "../ProgramText.js";
import { type Finding, finding } from "./Finding.js";
import type { Machine } from "./Machine.js";
import type { Patient } from "./Patient.js";

const MINUTE = 60_000;

const clock = ({ now, rows }: Patient): ReadonlyArray<Finding> => {
  const ahead = (rows?.records ?? []).filter(({ updatedAt }) => updatedAt > now + MINUTE);
  if (ahead.length === 0) return [];
  const names = ahead.map(({ session }) => session).join(", ");
  return [finding("clock-behind", `rows were written at a time that has not come yet: ${names}`)];
};

/** What keeps a lost session from being restored as it stands. */
const wants = ({ cwd, envNames }: SessionRecord["spec"], { place }: Machine) => [
  ...(envNames.length === 0
    ? []
    : [`was made with ${envNames.join(", ")}, which --env gives again`]),
  ...(place(cwd)?.kind === "directory" ? [] : [`${cwd} is not there`]),
];

/** Sessions that can be restored, and what restores them all: directories are made first. */
const lost = ({ rows, troupe }: Patient, machine: Machine): ReadonlyArray<Finding> => {
  const all = (rows?.records ?? []).filter(({ state }) => state === "lost");
  if (all.length === 0) return [];
  const told = all.map(
    ({ cause, session, spec }) =>
      `${session} (${[cause ?? "lost", ...wants(spec, machine)].join("; ")})`,
  );
  const directories = new Set(
    all.map(({ spec }) => spec.cwd).filter((cwd) => machine.place(cwd)?.kind !== "directory"),
  );
  const names = (valued: boolean) =>
    all.filter(({ spec }) => spec.envNames.length > 0 === valued).map(({ session }) => session);
  const [plain, valued] = [names(false), names(true)];
  const commands = [
    ...(directories.size === 0 ? [] : [["mkdir", "-p", ...directories]]),
    ...(plain.length === 0 ? [] : [troupe("restore", ...plain)]),
    // Nobody has the values; without them it is there again, and that it lacks them is told.
    ...(valued.length === 0 ? [] : [troupe("restore", ...valued, "--without-env")]),
  ];
  const [only = []] = commands;
  const line = commands.map(commandLine).join(" && ");
  const mend = commands.length === 1 ? only : ["sh", "-c", line];
  return [finding("sessions-lost", told.join(", "), mend)];
};

/** What is unfinished, lost or different. */
export const rows = (patient: Patient, machine: Machine): ReadonlyArray<Finding> => {
  const { plan, rows, troupe } = patient;
  const sessions = rows?.records ?? [];
  const found: Array<Finding> = [];
  const left = sessions.filter(
    ({ claim, state }) =>
      (state === "creating" || state === "deleting") &&
      (claim.holder === "none" || claim.holder === "dead"),
  );
  if (left.length > 0) {
    const told = left.map(({ session, state }) => `${session} (${state})`).join(", ");
    const mend = troupe("reconcile", ...left.map(({ session }) => session));
    found.push(finding("rows-unfinished", `nobody is finishing ${told}`, mend));
  }
  found.push(...lost(patient, machine));
  const unfinished = new Set<string>(left.map(({ session }) => session));
  if (plan !== null && Either.isLeft(plan)) {
    const code = plan.left._tag === "LookupFailed" ? "server-unanswering" : "registry-unavailable";
    found.push(finding(code, plan.left.message));
  }
  const planned = plan === null || Either.isLeft(plan) ? [] : plan.right;
  const differing = planned.flatMap(({ outcome, session }) =>
    Either.isRight(outcome) && outcome.right.changed && !unfinished.has(session)
      ? [`${session}: ${outcome.right.why}`]
      : [],
  );
  if (differing.length > 0) {
    found.push(finding("rows-differ", differing.join("; "), troupe("reconcile")));
  }
  return [...found, ...clock(patient)];
};
