/**
 * AgainPlays: what a program does again: it sweeps for leases whenever there is something to sweep
 * for, and not the first time alone. And a turn that runs on hears that its lease is gone, also
 * where the name has none any more.
 */
import { RegistryUnavailable } from "@troupe/core";
import { Deferred, Effect, Fiber, Option } from "effect";
import type { NamedWorld } from "./NamedWorld.js";
import { play, tagOf } from "./PlayWorld.js";

const spec = { session: "a", command: ["sleep", "100000"], cwd: "/" };

const SWEEP_MS = 60_000;

/** So often the registry takes no lease back. */
const fails = { left: 0 };

const sweeps = play(
  "leases that are owed, one after the other",
  (stage) =>
    Effect.gen(function* () {
      const { handles, leases, sessions } = yield* stage.program("one");
      yield* sessions.create(spec);
      for (const time of ["once", "again", "a third time"]) {
        const handle = yield* handles.get("a");
        yield* handle.runTurn(() => Effect.void);
        fails.left = 1;
        yield* Effect.exit(handle.end("explicit_close"));
        stage.is(`it is owed ${time}`, (yield* leases.all).length, 1);
        yield* Effect.sleep(3 * SWEEP_MS);
        stage.is(`it is given back ${time}`, (yield* leases.all).length, 0);
        yield* Effect.sleep(3 * SWEEP_MS);
      }
    }),
  {
    settings: { leaseAttempts: 1, leaseSweepMs: SWEEP_MS, turnSettleMs: 100 },
    registry: (registry) => ({
      ...registry,
      releaseLease: (lease) =>
        Effect.suspend(() => {
          fails.left -= 1;
          const where = { session: lease.session, attempted: "release", detail: "explored" };
          return fails.left >= 0 ? new RegistryUnavailable(where) : registry.releaseLease(lease);
        }),
    }),
  },
);

/** How a lease goes while a turn runs under it. */
const ways = [
  ["its session is deleted", false],
  ["its session is made anew", true],
] as const;

const gone = ([what, anew]: (typeof ways)[number]): NamedWorld =>
  play(`a turn that runs on in one program, and ${what} by another`, (stage) =>
    Effect.gen(function* () {
      const one = yield* stage.program("one");
      const two = yield* stage.program("two");
      yield* one.sessions.create(spec);
      const handle = yield* one.handles.get("a");
      const runs = yield* Deferred.make<void>();
      const body = Effect.zipRight(Deferred.succeed(runs, undefined), Effect.never);
      const turn = yield* Effect.fork(tagOf(handle.runTurn(() => body)));
      yield* Deferred.await(runs);
      yield* two.sessions.delete("a", { force: true, graceMs: 0 });
      if (anew) yield* two.sessions.create(spec);
      yield* Effect.sleep(10_000);
      const end = Option.getOrNull(yield* Fiber.poll(turn));
      const how = end === null ? "it runs on" : yield* tagOf(end);
      stage.is("how it ended", how, 'ok "LeaseLost"');
    }),
  );

/** The worlds. */
export const againPlays: ReadonlyArray<NamedWorld> = [sweeps, ...ways.map(gone)];
