/**
 * StressScript: what the programs of a stress run do, and what is done to them, by a seed alone.
 *
 * Every program has calls that it makes one after the other. Troubles come when so many calls have
 * ended, whosever they were: so the script is the same in every run, and how it interleaves is not.
 */
import { type Chance, chanceOf } from "./Chance.js";

/** A call of a method of `Sessions`. */
export interface Call {
  readonly method:
    | "create"
    | "addTerminal"
    | "delete"
    | "deleteTerminal"
    | "restore"
    | "send"
    | "reconcile"
    | "reconcileAll";
  readonly session: string;
  readonly words: ReadonlyArray<unknown>;
  /** What is sent, which is sent by no other call. */
  readonly token: string | null;
}

/** Something that is done to a program, or to the tmux server. */
export interface Trouble {
  /** How many calls have ended by then. */
  readonly at: number;
  readonly what: "kill" | "stop" | "continue" | "end the server";
  readonly program: number;
}

/** A run. */
export interface Script {
  readonly calls: ReadonlyArray<ReadonlyArray<Call>>;
  readonly troubles: ReadonlyArray<Trouble>;
}

const PROGRAMS = 6;
const NAMES = ["n1", "n2", "n3", "n4", "n5", "n6", "n7", "n8"];

/** How many calls there are to each trouble of the kind. */
const every = { kill: 40, stop: 30, server: 90 };

/** What a session runs: it keeps what it is told in a file of its incarnation. */
const listener = (directory: string): ReadonlyArray<string> => [
  "sh",
  "-c",
  'exec cat >> "$0/heard.$TROUPE_INCARNATION"',
  directory,
];

/** Half as often as it stands here twice. */
const methods: ReadonlyArray<Call["method"]> = [
  ...(["create", "create", "create", "send", "send", "send", "delete", "delete"] as const),
  ...(["addTerminal", "addTerminal", "restore", "restore"] as const),
  ...(["deleteTerminal", "reconcile", "reconcileAll"] as const),
];

const callOf = ({ below, one }: Chance, directory: string, number: number): Call => {
  const method = one(methods);
  const session = one(NAMES);
  const making = { session, command: listener(directory), cwd: directory };
  const startWindowMs = one([0, 0, 15]);
  const ending = { graceMs: 0, force: below(5) === 0 };
  // Now and then the listener is told that there is no more, and ends.
  const token = method === "send" && below(5) > 0 ? `token-${number}` : null;
  const words: Readonly<Record<Call["method"], ReadonlyArray<unknown>>> = {
    create: [{ ...making, startWindowMs, replace: below(4) === 0 }],
    addTerminal: [{ ...making, startWindowMs }],
    delete: [session, ending],
    deleteTerminal: [session, one(["main", "t2", "t2", "t3"]), ending],
    restore: [session, { startWindowMs }],
    send: [session, token === null ? { keys: ["C-d"] } : `${token}\n`],
    reconcile: [session],
    reconcileAll: [],
  };
  return { method, session, words: words[method], token };
};

/** A moment in each stretch of so many calls. */
const moments = ({ below }: Chance, count: number, stretch: number): ReadonlyArray<number> =>
  Array.from({ length: Math.floor(count / stretch) }, (_, at) => at * stretch + below(stretch));

const troublesOf = (chance: Chance, count: number): ReadonlyArray<Trouble> => {
  const trouble = (what: Trouble["what"]) => (at: number) => [
    { at, what, program: chance.below(PROGRAMS) },
  ];
  const stop = (at: number): ReadonlyArray<Trouble> => {
    const program = chance.below(PROGRAMS);
    const until = at + 4 + chance.below(12);
    return [
      { at, what: "stop", program },
      { at: until, what: "continue", program },
    ];
  };
  const troubles: ReadonlyArray<Trouble> = [
    ...moments(chance, count, every.kill).flatMap(trouble("kill")),
    ...moments(chance, count, every.server).flatMap(trouble("end the server")),
    ...moments(chance, count, every.stop).flatMap(stop),
  ];
  return [...troubles].sort((a, b) => a.at - b.at);
};

/** The script of a seed, with so many calls. The sessions keep files in the directory. */
export const scriptOf = (seed: number, count: number, directory: string): Script => {
  const chance = chanceOf(seed);
  const calls: Array<Array<Call>> = Array.from({ length: PROGRAMS }, () => []);
  for (let number = 0; number < count; number++) {
    calls[number % PROGRAMS]?.push(callOf(chance, directory, number));
  }
  return { calls, troubles: troublesOf(chance, count) };
};
