/**
 * TurnHome: a fake machine with sessions whose program keeps what it reads, and programs that run
 * turns in them.
 *
 * `got` is what reached a session, whoever sent it. Time is the test's: `pass` lets it go on as far
 * as a call needs.
 */
import {
  Leases,
  type SessionHandle,
  SessionHandles,
  Sessions,
  type SettingsShape,
  type TurnRefused,
  Turns,
} from "@troupe/core";
import { FakeTmux } from "@troupe/testing";
import { Context, Deferred, Effect, type Fiber, Option, type Scope } from "effect";
import { type FakeHome, fakeHome, pass } from "./FakeHome.js";
import type { Around } from "./LeaseHome.js";

/** A program that hosts turns. */
export interface TurnHost {
  readonly handles: SessionHandles["Type"];
  readonly leases: Leases["Type"];
  readonly turns: Turns["Type"];
  readonly sessions: Sessions["Type"];
}

/** Where one test plays. */
export interface TurnHome extends FakeHome {
  readonly got: ReadonlyArray<string>;
  readonly hosting: (owner: string) => Effect.Effect<TurnHost, never, Scope.Scope>;
  /** The leases as they are, as `session epoch surface`. */
  readonly leased: () => ReadonlyArray<string>;
}

/** How a home differs. */
export interface TurnHomeOptions {
  readonly settings?: Partial<SettingsShape>;
  readonly registry?: Around;
}

/** A home with these sessions. */
export const turnHome = (
  options: TurnHomeOptions = {},
  ...sessions: ReadonlyArray<string>
): Effect.Effect<TurnHome, never, Scope.Scope> =>
  Effect.gen(function* () {
    const got: Array<string> = [];
    const reader = FakeTmux.program((run) => {
      run.raw();
      run.onInput((text) => got.push(text));
    });
    const home = yield* fakeHome({ tmux: { programs: { reader } }, ...options });
    for (const session of sessions.length === 0 ? ["a"] : sessions) {
      yield* Effect.orDie(pass(home.sessions.create({ session, command: ["reader"], cwd: "/" })));
    }
    return {
      ...home,
      got,
      leased: () =>
        [...home.store.leases.values()].map((l) => `${l.session} ${l.epoch} ${l.surface}`),
      hosting: (owner) =>
        Effect.map(home.host(owner), (context) => ({
          handles: Context.get(context, SessionHandles),
          leases: Context.get(context, Leases),
          turns: Context.get(context, Turns),
          sessions: Context.get(context, Sessions),
        })),
    };
  });

/** A turn that has begun and ends when it is told to. */
export interface HeldTurn {
  readonly fiber: Fiber.RuntimeFiber<unknown, TurnRefused>;
  readonly open: Effect.Effect<unknown>;
}

/** Begins a turn that waits; with `stubborn` it does not end when it is interrupted. */
export const heldTurn = (
  handle: SessionHandle,
  options: { readonly stubborn?: boolean } = {},
): Effect.Effect<HeldTurn, never, Scope.Scope> =>
  Effect.gen(function* () {
    const gate = yield* Deferred.make<void>();
    const begun = yield* Deferred.make<void>();
    const wait = Effect.zipRight(Deferred.succeed(begun, undefined), Deferred.await(gate));
    const body = options.stubborn === true ? Effect.uninterruptible(wait) : wait;
    const fiber = yield* Effect.forkScoped(handle.runTurn(() => body));
    yield* Deferred.await(begun);
    return { fiber, open: Deferred.succeed(gate, undefined) };
  });

/** How something ended: its value, or the tag of its failure. */
export const told = <A, E extends { readonly _tag: string }, R>(
  effect: Effect.Effect<A, E, R>,
): Effect.Effect<A | string, never, R> =>
  Effect.match(effect, { onFailure: ({ _tag }) => _tag, onSuccess: (value) => value });

/** Whether a fiber still runs. */
export const runs = (fiber: Fiber.RuntimeFiber<unknown, unknown>): Effect.Effect<boolean> =>
  Effect.map(fiber.poll, Option.isNone);

/** Lets every fiber go on that can. */
export const settle: Effect.Effect<void> = Effect.repeatN(Effect.yieldNow(), 50);
