/**
 * AdoptedMutants: guards of how what bears the mark of a session is looked for, where its row tells
 * of no process or of younger ones alone, as behind a registry that was lost.
 *
 * What is older than the server that made a session is not of it; only that is left out.
 */
import { type Mutant, world } from "./Mutant.js";

const file = "packages/core/src/Victims.ts";

const isMaker = "const isMaker = Number.isFinite(oldest) && oldest >= since;";

const candidates = "entries.filter(({ id }) => !isMaker || id.startTime >= since)";

const ended = (call: string, ...behind: ReadonlyArray<string>) =>
  world([`${call} of what forked twice, adopted`, ...behind].join(", "));

const [firstEnd, dies, again] = [
  "its first programs end",
  "the server dies",
  "another server has its pid",
] as const;

/** Of what bears its mark. */
export const adoptedMutants: ReadonlyArray<Mutant> = [
  {
    name: "marked-and-older-than-what-is-recorded",
    removes: "What bears its mark is of a session, although it is older than all that its row has.",
    file,
    from: candidates,
    to: "entries.filter(({ id }) => !isMaker || id.startTime >= Math.max(since, oldest))",
    killedBy: [
      ended("delete", "add", firstEnd),
      ended("delete", "add", dies),
      ended("delete a terminal", "add", firstEnd),
      ended("delete a terminal: the first", "add", firstEnd),
      ended("create, replacing", "add", firstEnd),
      ended("restore", "add", dies),
      ended("reconcile of what is over", "add", firstEnd),
      ended("gc of what exited", "add", "its programs end"),
      ended("delete", "add", firstEnd, "cut off"),
    ],
  },
  {
    name: "marked-and-as-old-as-its-server",
    removes: "What begins at the tick of its server may be of the session.",
    file,
    from: candidates,
    to: "entries.filter(({ id }) => !isMaker || id.startTime > since)",
    killedBy: [ended("delete", "add"), ended("delete a terminal: the first", "add")],
  },
  {
    name: "maker-is-whoever-has-its-pid",
    removes: "A server that is younger than what the row has did not make the session.",
    file,
    from: isMaker,
    to: "const isMaker = Number.isFinite(oldest);",
    killedBy: [ended("delete", "add", again), ended("restore", "add", again)],
  },
  {
    name: "maker-of-nothing-that-is-recorded",
    removes: "Where the row has no process, nothing shows that the server made the session.",
    file,
    from: isMaker,
    to: "const isMaker = oldest >= since;",
    killedBy: [ended("delete", again), ended("delete a terminal", again)],
  },
  {
    name: "marked-where-nothing-is-recorded",
    removes: "What bears its mark is looked for also where the row has no process.",
    file,
    from: "const marked = sparing ? [] :",
    to: "const marked = sparing || record.processes.length === 0 ? [] :",
    killedBy: [
      ended("delete", firstEnd),
      ended("restore", dies),
      ended("reconcile of what is over", firstEnd),
    ],
  },
  {
    name: "descendants-of-panes-alone",
    removes: "What a process started that forked twice ends with it, whatever it bears.",
    file,
    from: "const all = withDescendants(entries, new Set(roots));",
    to: "const all = new Set([...withDescendants(entries, new Set(leading)), ...roots]);",
    killedBy: [ended("delete"), ended("delete a terminal"), ended("restore", dies)],
  },
  {
    name: "descendants-of-what-is-recorded",
    removes: "It is recorded with what it started, before either ends.",
    file,
    from: "const all = withDescendants(entries, new Set(roots));",
    to: `const all = new Set([
    ...withDescendants(entries, new Set([...leading, ...remembered])),
    ...roots,
  ]);`,
    killedBy: [
      ended("delete", "add", firstEnd, "cut off"),
      ended("delete a terminal", "add", firstEnd, "cut off"),
      ended("reconcile of what is over", "add", firstEnd, "cut off"),
    ],
  },
  {
    name: "adopted-in-a-server-unknown",
    removes: "Who adopts a session writes down its server, whose death can be shown then.",
    file: "packages/core/src/Adopt.ts",
    from: "[known, begin, ...changesOf",
    to: "[begin, ...changesOf",
    killedBy: [ended("delete", dies), ended("restore", dies)],
  },
];
