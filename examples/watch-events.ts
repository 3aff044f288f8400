/**
 * watch-events: a host program's hook on the lifecycle log: it is told of every end, once, and goes
 * on from the number that it kept, also in another program or after a restart.
 *
 * Run it: node examples/dist/watch-events.js. On the fake machine, so it needs no tmux.
 */
import { type LogEntry, Sessions } from "@troupe/core";
import { FakeTroupe, VirtualClock } from "@troupe/testing";
import { Effect, Fiber, Stream } from "effect";

/** The hook. It runs in no actor: it may take its time, call sessions itself, or fail. */
const onEvent = (entry: LogEntry) =>
  Effect.sync(() => {
    if (entry.type === "gap") console.log(`missed what was before event ${entry.first}`);
    if (entry.type !== "event" || entry.body.type !== "session") return;
    console.log(`${entry.sequence} ${entry.session} ${entry.body.state}`);
  });

/** Follows the log behind `since`; a host keeps the last number where it keeps its own state. */
const hook = (since: number) =>
  Effect.flatMap(Sessions, (sessions) => Stream.runForEach(sessions.events({ since }), onEvent));

const program = Effect.gen(function* () {
  const sessions = yield* Sessions;
  const clock = yield* VirtualClock;
  const watching = yield* Effect.fork(hook(0));
  const work = Effect.zipRight(
    sessions.create({ session: "build", command: ["sleep", "600"], cwd: "/" }),
    sessions.delete("build"),
  );
  const working = yield* Effect.fork(work);
  yield* clock.advance("1 minute");
  yield* Fiber.join(working);
  yield* Fiber.interrupt(watching);
  console.log("again, from 4:");
  const again = yield* Effect.fork(hook(4));
  yield* clock.advance("1 second");
  yield* Fiber.interrupt(again);
}).pipe(Effect.provide(FakeTroupe.layer()));

Effect.runPromise(Effect.provide(program, VirtualClock.layer));
