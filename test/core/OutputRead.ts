/**
 * OutputRead: readers of output on a fake home, and what they were given as a test writes it.
 */
import type { OutputElement, OutputOptions, Sessions } from "@troupe/core";
import { Effect, Stream, TestClock } from "effect";
import type { FakeHome } from "./FakeHome.js";

/** An element as a test writes it: text at its sequence, a gap, or the end. */
const told = (element: OutputElement): string => {
  const { sequence, type } = element;
  if (type === "data") return `${sequence}:${new TextDecoder().decode(element.data)}`;
  if (type === "gap") return `${sequence}..${element.to}`;
  return `${sequence} ${element.reason} ${element.exit?.code ?? "-"}`;
};

/** Prints what is typed, twice: the echo and itself. */
export const cat = { command: ["cat"], cwd: "/" };

/** A reader under way, and what it was given up to now. */
export const reading = (sessions: Sessions["Type"], options: OutputOptions = {}) =>
  Effect.gen(function* () {
    const seen: Array<string> = [];
    const each = (element: OutputElement) => Effect.sync(() => void seen.push(told(element)));
    const run = Stream.runForEach(sessions.output("a", options), each);
    const fiber = yield* Effect.fork(run);
    yield* TestClock.adjust(0);
    return { seen, fiber };
  });

/** What is there now, read without waiting. */
export const now = (sessions: Sessions["Type"], options: OutputOptions = {}) =>
  sessions.output("a", { follow: false, ...options }).pipe(
    Stream.map(told),
    Stream.runCollect,
    Effect.map((chunk) => [...chunk]),
  );

/** Types, and lets readers have it. */
export const typed = (home: FakeHome, text: string) =>
  Effect.zipRight(home.tmux.type("a", text), TestClock.adjust("1 second"));
