/**
 * A host program as somebody else would write it: every package, by its public entry alone.
 *
 * It makes a session on a home of its own, tells what became of it, and ends it; and does the same
 * on the fakes.
 */
import { Registry, Sessions } from "@troupe/core";
import { Troupe } from "@troupe/node";
import { SqliteRegistry } from "@troupe/sqlite";
import { FakeMachine } from "@troupe/testing";
import { TmuxTransport } from "@troupe/tmux";
import { Effect } from "effect";

const [home = ""] = process.argv.slice(2);

const lifecycle = Effect.gen(function* () {
  const sessions = yield* Sessions;
  const made = yield* sessions.create({
    session: "a",
    command: ["sleep", "600"],
    startWindowMs: 0,
  });
  const { alreadyGone } = yield* sessions.delete("a");
  yield* sessions.stopServer;
  return { made: made.state, alreadyGone };
});

const onFakes = Effect.gen(function* () {
  const machine = yield* FakeMachine.make({});
  const sessions = yield* machine.program("host");
  const { state } = yield* sessions.create({
    session: "a",
    command: ["sleep", "600"],
    cwd: "/",
    startWindowMs: 0,
  });
  return state;
}).pipe(Effect.scoped);

const program = Effect.gen(function* () {
  const real = yield* Effect.provide(lifecycle, Troupe.layer({ home }));
  const fake = yield* onFakes;
  const tags = [Registry.key, TmuxTransport.key, typeof SqliteRegistry.layer];
  console.log(JSON.stringify({ real, fake, tags, node: process.version }));
});

await Effect.runPromise(program);
