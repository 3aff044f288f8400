/**
 * doctor: what is wrong with tmux, its server, the home and the registry, and what mends it.
 *
 * It looks at everything once, however broken a part is, and changes and makes nothing. Whether
 * anything is an error decides the exit code; warnings and notes do not.
 */
import { Effect } from "effect";
import { Caller } from "../Caller.js";
import { type CommandFailure, DoctorFindings } from "../CommandFailure.js";
import { type Call, type CommandSpec, type Outcome, outcome } from "../CommandSpec.js";
import type { Finding } from "../doctor/Finding.js";
import { locationOf, placesOf } from "../Location.js";
import { withProgress } from "../Progress.js";
import { DoctorResult } from "../Results.js";
import { type Colour, type Paper, plainPaper, table } from "../Table.js";

const colours: Readonly<Record<Finding["severity"], Colour>> = {
  error: "red",
  warning: "yellow",
  note: "dim",
};

const findingText = ({ cause, code, mend, severity }: Finding, paper: Paper): string => {
  const head = table([[{ text: severity, colour: colours[severity] }, { text: code }]], paper);
  const lines = table([[{ text: `  ${cause}` }]], plainPaper);
  return head + lines + (mend === null ? "" : table([[{ text: `  mend: ${mend}` }]], plainPaper));
};

/** Codes with which nothing is known of a server, or one lives that does not answer. */
const SILENT = /^(server-(stopped|unanswering|split)|socket-(unsafe|too-long|not-permitted)|tmux-)/;

const serverText = ({ findings, server }: typeof DoctorResult.Type): string => {
  if (server !== null) return `${server.pid} (${server.version})`;
  return findings.some(({ code }) => SILENT.test(code)) ? "no answer" : "none";
};

const textOf = (result: typeof DoctorResult.Type, paper: Paper): string => {
  const { findings, home, socket, tmux } = result;
  const version = tmux.version === null ? "" : ` (${tmux.version})`;
  const facts = [
    ["home", home],
    ["socket", socket],
    ["tmux", `${tmux.program}${version}`],
    ["server", serverText(result)],
  ];
  const head = table(
    facts.map((words) => words.map((text) => ({ text }))),
    plainPaper,
  );
  const told = findings.map((one) => findingText(one, paper)).join("");
  return `${head}\n${told === "" ? "nothing is wrong\n" : told}`;
};

const run = (call: Call): Effect.Effect<Outcome, CommandFailure, Caller> =>
  Effect.gen(function* () {
    const { paper } = yield* Caller;
    const location = yield* locationOf(call);
    const load = Effect.promise(() => import("../doctor/Doctor.js"));
    const { diagnose } = yield* load;
    const result = yield* diagnose(location, placesOf(call)).pipe(withProgress("looking"));
    const codes = result.findings.flatMap((f) => (f.severity === "error" ? [f.code] : []));
    const failure = codes.length === 0 ? null : new DoctorFindings({ codes });
    return yield* outcome(DoctorResult, result, textOf(result, paper), failure);
  });

/** `troupe doctor` */
export const doctor: CommandSpec = {
  name: "doctor",
  alias: null,
  summary: "what is wrong, and the command that mends it",
  about:
    "Looks at tmux, its server and socket, the home and its file system, the registry, what was " +
    "left unfinished, and what the server has besides. Each finding has a code that never " +
    "changes, what was observed, and the command that mends it, where one can. Exits with 12 " +
    "when a finding is an error, and with 0 when there are warnings and notes only. Changes " +
    "nothing and makes nothing.",
  args: { usage: "", least: 0, most: 0, tail: false },
  options: [],
  examples: ["troupe doctor", "troupe doctor --json | jq -r '.result.findings[].code'"],
  run,
};
