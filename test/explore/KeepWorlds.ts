/**
 * KeepWorlds: what is kept of what terminals printed and showed: a delete that says so has kept it
 * of each, also where files fail; what is not old enough, or has not ended, stays readable beside
 * a gc.
 */
import type { SessionRecord, Snapshot } from "@troupe/core";
import { Effect, Stream } from "effect";
import { disagreement } from "./Agreement.js";
import type { WorldEnding } from "./EndingOf.js";
import { agreement, gc } from "./GcWorlds.js";
import { unkept } from "./Keeping.js";
import type { ListedWorld } from "./NamedWorld.js";
import { create, interrupted, remove, removeTerminal } from "./SessionCalls.js";
import type { Call } from "./SessionWorld.js";

const printing = (word: string) => ({
  session: "a",
  command: ["sh", "-c", `echo ${word}; exec sleep 100000`],
  cwd: "/",
});

const createPrinting: Call = { name: "create", run: (s) => s.create(printing("main")) };
const addPrinting: Call = { name: "add", run: (s) => s.addTerminal(printing("t2")) };

/**
 * Each terminal printed its own name, so what is kept of it shows that. Nothing is kept only where
 * that failed.
 */
const shown =
  (terminals: ReadonlyArray<string>) =>
  ({ filesFailed, snapshots, told }: WorldEnding): string | null => {
    const answer = told.find((line) => /^delete.*: ok /.test(line));
    if (answer === undefined) return null;
    if (!answer.includes('"snapshot":"kept"')) {
      return filesFailed.includes("snapshots.keep") ? null : `nothing was kept: ${answer}`;
    }
    const missing = terminals.find(
      (terminal) => !snapshots.some((s) => s.terminal === terminal && s.text.trim() === terminal),
    );
    return missing === undefined ? null : `a snapshot was told, and none shows ${missing}`;
  };

const deleted = (call: Call, terminals: ReadonlyArray<string>): ListedWorld => ({
  name: `${call.name} of what printed, and files that fail`,
  cost: 1,
  files: "with failures",
  crash: true,
  before: [createPrinting, addPrinting],
  programs: [[interrupted(call)]],
  also: shown(terminals),
});

/** Forgets nothing: all of it is younger. */
const gcOfOld: Call = { ...gc, name: "gc of what is old", run: (s) => s.gc({ exitedMs: 1e9 }) };

/** Nothing is forgotten, so nothing is gone. */
const allKept = (ending: WorldEnding): string | null => disagreement(ending) ?? unkept(ending);

/** What a delete leaves that ends between its snapshot and its intent. */
const shotOf = ({ generation, incarnation, session, terminals }: SessionRecord) =>
  terminals.map(({ terminal }): Snapshot => {
    const shot = { session, generation, incarnation, terminal, command: null, cwd: "/" };
    return { ...shot, exit: null, at: 0, truncated: false, text: "" };
  });

let text = "";

const read: Call = {
  name: "read output",
  run: (s) =>
    s.output("a", { follow: false }).pipe(
      Stream.runForEach((element) =>
        Effect.sync(() => {
          if (element.type === "data") text += new TextDecoder().decode(element.data);
        }),
      ),
    ),
};

/** Prints a word, and has ended. */
const createEnded: Call = {
  name: "create",
  run: (s) => s.create({ session: "a", command: ["echo", "main"], cwd: "/" }),
};

const readBeside = (call: Call): ListedWorld => ({
  name: `${call.name} ∥ read output of what it keeps`,
  cost: 1,
  files: "with points",
  before: [create, remove, createEnded],
  programs: [[call], [read]],
  onStart: () => {
    text = "";
  },
  instead: agreement,
  succeeds: [read.name],
  also: () => (text === "main\r\n" ? null : `what was printed reads ${JSON.stringify(text)}`),
});

/** The worlds. */
export const keepWorlds: ReadonlyArray<ListedWorld> = [
  deleted(remove, ["main", "t2"]),
  deleted(removeTerminal, ["t2"]),
  readBeside(gc),
  {
    name: "gc, and a snapshot of what still runs",
    cost: 0,
    files: "with points",
    before: [create],
    kept: (sessions) => sessions.flatMap(shotOf),
    programs: [[gc]],
    instead: (ending) =>
      allKept(ending) ?? (ending.snapshots.length === 1 ? null : "a snapshot is gone"),
  },
  {
    name: "gc of what is old ∥ delete",
    cost: 1,
    files: "with points",
    before: [create, remove, create],
    programs: [[gcOfOld], [remove]],
    instead: allKept,
  },
];
