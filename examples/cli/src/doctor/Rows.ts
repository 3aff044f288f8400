/**
 * Rows: whether what the registry says of the sessions is finished, and is what tmux says.
 *
 * What a living program holds is being finished. That rows and tmux differ is known only where
 * tmux answered.
 */
import { Either } from "effect";
import { type Finding, finding } from "./Finding.js";
import type { Patient } from "./Patient.js";

const MINUTE = 60_000;

const clock = ({ now, rows }: Patient): ReadonlyArray<Finding> => {
  const ahead = (rows?.records ?? []).filter(({ updatedAt }) => updatedAt > now + MINUTE);
  if (ahead.length === 0) return [];
  const names = ahead.map(({ session }) => session).join(", ");
  return [finding("clock-behind", `rows were written at a time that has not come yet: ${names}`)];
};

/** What is unfinished, lost or different. */
export const rows = (patient: Patient): ReadonlyArray<Finding> => {
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
  const lost = sessions.filter(({ state }) => state === "lost");
  if (lost.length > 0) {
    const told = lost.map(({ cause, session }) => `${session} (${cause ?? "lost"})`).join(", ");
    const mend = troupe("restore", ...lost.map(({ session }) => session));
    found.push(finding("sessions-lost", told, mend));
  }
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
