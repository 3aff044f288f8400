/**
 * FakeHome: sessions on a fake machine and a virtual clock, for one test.
 *
 * Nothing in it takes real time. `pass` runs a call while time passes as far as the call needs it;
 * `rows` and `inTmux` are what outlives a program: what the end of a test compares.
 */
import type { SessionRecord, Sessions } from "@troupe/core";
import { FakeMachine, type FakeMachineOptions } from "@troupe/testing";
import { Effect, Fiber, type Scope, TestClock } from "effect";

/** Where one test plays: a machine, and a first program on it. */
export interface FakeHome extends FakeMachine {
  readonly sessions: Sessions["Type"];
  /** Names of the sessions that tmux has. */
  readonly inTmux: Effect.Effect<ReadonlyArray<string>>;
  /** The rows, oldest first, as `name/generation state`. */
  readonly rows: Effect.Effect<ReadonlyArray<string>>;
  readonly record: (session: string) => Effect.Effect<SessionRecord>;
}

/** Runs the call, and lets as much time pass as it can need. */
export const pass = <A, E, R>(call: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.gen(function* () {
    const fiber = yield* Effect.fork(call);
    yield* TestClock.adjust("1 minute");
    return yield* Fiber.join(fiber);
  });

/** A session that lives for ever. */
export const sleep = { command: ["sleep", "100000"], cwd: "/" } as const;

/** A home on which troupe never ran. */
export const fakeHome = (
  options: FakeMachineOptions = {},
): Effect.Effect<FakeHome, never, Scope.Scope> =>
  Effect.gen(function* () {
    const machine = yield* FakeMachine.make(options);
    const records = () => [...machine.store.records.values()];
    return {
      ...machine,
      sessions: yield* machine.program("program"),
      inTmux: Effect.map(
        Effect.orDie(machine.tmux.client(["list-sessions", "-F", "#{session_name}"])),
        ({ stdout }) => stdout.split("\n").filter((line) => line !== ""),
      ),
      rows: Effect.sync(() =>
        records().map(({ generation, session, state }) => `${session}/${generation} ${state}`),
      ),
      record: (session) =>
        Effect.sync(() => {
          const found = records().findLast((record) => record.session === session);
          if (found === undefined) throw new Error(`there is no row of ${session}`);
          return found;
        }),
    };
  });
