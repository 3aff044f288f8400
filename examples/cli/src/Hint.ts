/**
 * Hint: the table of what a person can do about a failure: what was left as it was, and what next.
 *
 * A command in it is one that can be copied: it names the session, and the places of the call. Each
 * is run by a test, and helps there. Which hint a failure has is in `ExitCode`.
 */
import { commandLine } from "./ProgramText.js";

/** What a hint may speak of. */
export interface HintFacts {
  readonly session: string | null;
  /** The command that the call was one of, where one was understood. */
  readonly command: string | null;
  /** What may have been meant, the likeliest first. */
  readonly near: ReadonlyArray<string>;
  readonly cwd: string | null;
}

/** A command line of troupe with these words, to be copied. */
export type Say = (...words: ReadonlyArray<string>) => string;

type Hint = (facts: HintFacts, troupe: Say) => string;

const nameOf = ({ session }: HintFacts): string => session ?? "NAME";

const anyOf = (words: ReadonlyArray<string>): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;

/** A name of the grammar that is like the word; `null` when nothing of it is left. */
const nameLike = (word: string): string | null => {
  const allowed = word.replaceAll(/[^A-Za-z0-9_-]+/g, "-").replace(/^[-_]+/, "");
  const name = allowed.slice(0, 64).replace(/-+$/, "");
  return name === "" || name === word || /^client-[0-9]+$/.test(name) ? null : name;
};

const usage: Hint = ({ command }, troupe) =>
  `nothing was done; ${troupe(...(command?.split(" ") ?? []), "--help")} shows what it takes`;

const invalidName: Hint = ({ session }) => {
  const name = nameLike(session ?? "");
  return name === null
    ? "nothing was done; choose another name"
    : `nothing was done; ${name} is one`;
};

const values: Hint = () =>
  "it was left as it is; give each with --env or --env-file; --without-env leaves them out";

/** Every hint that there is. */
export const hints = {
  report: (_, troupe) =>
    `please report this, with what is on standard error; ${troupe("reconcile")} finishes what was cut off`,
  tour: (_, troupe) =>
    `${troupe("doctor")} looks at tmux; ${troupe("demo", "--fake")} is the tour without one`,
  usage,
  meant: (facts, troupe) => `did you mean ${anyOf(facts.near)}? ${usage(facts, troupe)}`,
  invalidName,
  directory: () => "nothing was done; give a directory that exists with --cwd DIR",
  directoryAgain: ({ cwd }) =>
    `the session is kept; ${commandLine(["mkdir", "-p", cwd ?? "DIR"])} makes its directory again`,
  values: () =>
    "nothing was done; a variable is --env NAME=VALUE, --env NAME where it is set, or a line of --env-file",
  valuesAgain: values,
  known: (_, troupe) => `${troupe("list", "--all")} shows what there is`,
  near: ({ near }, troupe) =>
    `did you mean ${anyOf(near)}? ${troupe("list", "--all")} shows what there is`,
  restorable: (facts, troupe) =>
    `it is kept; ${troupe("restore", nameOf(facts))} makes it anew; ${troupe("delete", nameOf(facts))} ends it for good`,
  over: (facts, troupe) =>
    `nothing was done: it has ended; ${troupe("inspect", nameOf(facts))} shows what is kept of it`,
  unfinished: (facts, troupe) =>
    `nothing was done: it is being made or ended; ${troupe("inspect", nameOf(facts))} shows by whom; ${troupe("reconcile", nameOf(facts))} finishes it where nobody does`,
  incarnations: (facts, troupe) =>
    `${troupe("events", nameOf(facts), "--json")} names those that it had`,
  terminals: (facts, troupe) => `${troupe("terminal", "list", nameOf(facts))} shows its terminals`,
  unrecorded: (facts, troupe) =>
    `what is not recorded is nowhere; ${troupe("capture", nameOf(facts))} shows what it has on its screen`,
  taken: (facts, troupe) =>
    `it was left as it is; ${troupe("delete", nameOf(facts))} ends it, and create --replace does both`,
  untracked: (facts, troupe) =>
    `it was left as it is, and its row is lost; ${troupe("reconcile", nameOf(facts))} takes it up`,
  alive: (facts, troupe) =>
    `nothing was done: it is there; ${troupe("inspect", nameOf(facts))} shows what runs in it`,
  foreign: (facts, troupe) =>
    `it was not touched; ${troupe("adopt", nameOf(facts))} takes it over where no other home has marked it; else choose another name`,
  look: (_, troupe) => `nothing was changed; ${troupe("doctor")} looks for the cause`,
  unsure: (facts, troupe) =>
    `it may have arrived: look with ${troupe("capture", nameOf(facts))} before you send it again`,
  newer: (_, troupe) =>
    `nothing was changed; give a newer one with --tmux PATH, and ${troupe("doctor")} looks at it`,
  again: (facts, troupe) =>
    `its row stays; run the same command again: it finishes the job; ${troupe("inspect", nameOf(facts))} shows what is left`,
  undo: (facts, troupe) =>
    `what is left of it stays recorded; ${troupe("reconcile", nameOf(facts))} finishes undoing it`,
  againAlone: () => "run the same command again: it finishes the job",
  holder: (facts, troupe) =>
    `nothing was done: another program works on it; try again; ${troupe("inspect", nameOf(facts))} shows which; ${troupe("delete", nameOf(facts), "--force")} ends it all the same`,
  leased: (facts, troupe) =>
    `nothing was changed; ${troupe("lease", "show", nameOf(facts))} shows who holds it; ${troupe("lease", "take-over", nameOf(facts), "--force")} takes it from him all the same`,
  leaseLost: (facts, troupe) =>
    `nothing more is written under it; ${troupe("lease", "show", nameOf(facts))} shows who holds it now`,
  room: () => "nothing was done; one is given back when its holder has done; try again",
  overtaken: (facts, troupe) =>
    `another program went on with it; ${troupe("inspect", nameOf(facts))} shows what came of that`,
  windows: (facts, troupe) =>
    `nothing was done; delete the session itself (${troupe("delete", nameOf(facts))}), or close the windows`,
  sessions: (_, troupe) =>
    `nothing was done; ${troupe("delete", "--all")} ends those of this home; those of others are theirs`,
  later: () => "nothing was done; try again",
  registry: (_, troupe) =>
    `${troupe("doctor")} looks for the cause; ${troupe("reconcile")} finishes what was cut off by it`,
  registryLocked: (_, troupe) =>
    `another program keeps it locked; ${troupe("doctor")} shows which; ${troupe("reconcile")} finishes what was cut off by it`,
  registryFull: (_, troupe) =>
    `free room on the disk of the home, which gc cannot; ${troupe("reconcile")} finishes what was cut off by it`,
  registryNewer: () => "nothing was changed; use the troupe that wrote it, or a newer one",
  rebuild: (_, troupe) =>
    `nothing was repaired; ${troupe("reconcile", "--rebuild")} keeps it aside and makes a new one from tmux`,
  words: () =>
    "nothing was done; give a script, or a file that the program reads, and the words in that",
  program: () =>
    "nothing was done; give a program that is there, by its path, or another PATH as --env PATH=DIRS",
  start: () =>
    "what was begun was undone, and what --replace ended is gone; --start-window 0 keeps a session whatever becomes of its program",
  startAgain: (facts, troupe) =>
    `the session is kept; ${troupe("inspect", nameOf(facts))} shows the cause; ${troupe("restore", nameOf(facts))} tries again`,
  refused: (facts, troupe) =>
    `nothing was done; ${troupe("inspect", nameOf(facts))} shows what there is of it`,
  refusedAlone: (_, troupe) =>
    `nothing was done; ${troupe("server", "status")} shows what there is`,
  nested: (facts, troupe) =>
    `nothing was done; ${troupe("attach", nameOf(facts), "--nest")} attaches all the same; unset TMUX where this is in no tmux`,
  self: () => "nothing was done; call it from outside of this session",
  findings: () => "run the commands that the findings name",
  waiting: (facts, troupe) =>
    `it is as it was; ${troupe("capture", nameOf(facts))} shows it; --timeout waits longer`,
  ended: (facts, troupe) =>
    `the session is as it was; ${troupe("capture", nameOf(facts))} shows what its program left; ${troupe("restore", nameOf(facts))} starts it again`,
  interrupted: (_, troupe) =>
    `${troupe("list", "--all")} shows what there is now; run the same command again`,
} as const satisfies Readonly<Record<string, Hint>>;

/** The name of a hint. */
export type HintName = keyof typeof hints;
