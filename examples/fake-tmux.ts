/**
 * fake-tmux: how a host program tests its own code without tmux: one line is another layer.
 *
 * Run it: node examples/dist/fake-tmux.js. It needs no tmux, no file and no time.
 */
// #region fake-tmux
import { Sessions } from "@troupe/core";
import { FakeTmux, FakeTroupe, VirtualClock } from "@troupe/testing";
import { Effect } from "effect";

/** The code under test: it starts a build and tells how that began. */
const startBuild = Effect.gen(function* () {
  const sessions = yield* Sessions;
  return (yield* sessions.create({ session: "build", command: ["builder"], cwd: "/repo" })).state;
}).pipe(Effect.catchTag("StartFailed", (failure) => Effect.succeed(failure.message)));

/** A builder that finds a broken repository, as a program of the fake machine. */
const builder = FakeTmux.program((run) => {
  run.write("no package.json\n");
  run.exit(2);
});

const test = Effect.gen(function* () {
  const clock = yield* VirtualClock;
  const build = yield* Effect.fork(startBuild);
  yield* clock.advance("1 second");
  console.log(yield* build);
}).pipe(
  // In the program itself: Effect.provide(Troupe.layer({ home: "/var/lib/mine" })).
  Effect.provide(FakeTroupe.layer({ tmux: { programs: { builder } } })),
);

Effect.runPromise(Effect.provide(test, VirtualClock.layer));
// #endregion
