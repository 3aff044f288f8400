/**
 * SettlingPlays: a writer that ends while its turn runs on, or in that turn: the lease goes back
 * once, whatever fails meanwhile, and whoever ended it hears of all that went wrong.
 *
 * How often something was tried and said is counted: nothing goes on behind its end.
 */
import { RegistryUnavailable } from "@troupe/core";
import { Cause, Deferred, Effect, Exit, Fiber, Logger, Scope } from "effect";
import type { NamedWorld } from "./NamedWorld.js";
import { play, type Stage } from "./PlayWorld.js";

const spec = { session: "a", command: ["sleep", "100000"], cwd: "/" };

const RECHECK_MS = 60_000;
const SETTINGS = { turnSettleMs: 100, leaseRecheckMs: RECHECK_MS, leaseAttempts: 1 };

/** A writer of `a`, and a turn of it that ends `ms` behind its interruption. */
const begun = (stage: Stage, ms: number) =>
  Effect.gen(function* () {
    const { handles, leases, sessions } = yield* stage.program("one");
    yield* sessions.create(spec);
    const handle = yield* handles.get("a");
    const runs = yield* Deferred.make<void>();
    const work = Effect.zipRight(Deferred.succeed(runs, undefined), Effect.never);
    const turn = yield* Effect.fork(
      Effect.exit(handle.runTurn(() => Effect.ensuring(work, Effect.sleep(ms)))),
    );
    yield* Deferred.await(runs);
    return { handle, leases, turn };
  });

/** So often the registry takes no lease back. */
const fails = { left: 0, asked: 0 };

const settled = (times: number): NamedWorld =>
  play(
    `a lease that waits for its turn, and a registry that fails ${times} times then`,
    (stage) => {
      const lines: Array<string> = [];
      const logger = Logger.make(({ message }) => void lines.push(String(message)));
      const body = Effect.gen(function* () {
        const { handle, leases, turn } = yield* begun(stage, 10_000);
        yield* handle.end("explicit_close");
        stage.is("it waits", (yield* leases.all).length, 1);
        Object.assign(fails, { left: times, asked: 0 });
        yield* Fiber.join(turn);
        yield* Effect.sleep((times + 1) * RECHECK_MS);
        stage.is("it is given back", (yield* leases.all).length, 0);
        yield* Effect.sleep(10 * RECHECK_MS);
        stage.is("how often that was asked for", fails.asked, times + 1);
        const failed = lines.filter((line) => line.includes("was not released")).length;
        stage.is("how often it is said to have failed", failed, times);
      });
      return Effect.provide(body, Logger.replace(Logger.defaultLogger, logger));
    },
    {
      settings: SETTINGS,
      registry: (registry) => ({
        ...registry,
        releaseLease: (lease) =>
          Effect.suspend(() => {
            fails.asked += 1;
            fails.left -= 1;
            const where = { session: lease.session, attempted: "release", detail: "explored" };
            return fails.left >= 0 ? new RegistryUnavailable(where) : registry.releaseLease(lease);
          }),
      }),
    },
  );

/** From inside of its turn, or by somebody else. */
const ended = (inside: boolean): NamedWorld =>
  play(`what a writer held ends badly, as ${inside ? "its turn" : "somebody"} ends it`, (stage) =>
    Effect.gen(function* () {
      const { handles, sessions } = yield* stage.program("one");
      yield* sessions.create(spec);
      const handle = yield* handles.get("a");
      yield* Scope.addFinalizer(handle.scope, Effect.die("explored"));
      const end = Effect.exit(handle.end("explicit_close"));
      const heard = yield* Deferred.make<Exit.Exit<void, unknown>>();
      const told = Effect.intoDeferred(end, heard).pipe(Effect.uninterruptible);
      yield* inside ? Effect.exit(handle.runTurn(() => told)) : told;
      const exit = yield* Deferred.await(heard);
      const why = Exit.isFailure(exit) ? [...Cause.defects(exit.cause)] : [];
      stage.is("what is told", why, ["explored"]);
      yield* Effect.sleep(10);
      stage.is("its lease", stage.store.leases.size, 0);
    }),
  );

/** The worlds. */
export const settlingPlays: ReadonlyArray<NamedWorld> = [
  ...[0, 1, 3].map(settled),
  ...[false, true].map(ended),
];
