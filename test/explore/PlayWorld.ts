/**
 * PlayWorld: a play on a fake machine, as a world of one schedule: calls one after the other, each
 * option of them, and what has to come of it.
 *
 * What a call does beside others is for the other worlds; here its every word is held against its
 * effect. The real sessions, leases, turns and writers of as many programs as the play wants.
 */
import { Leases, SessionHandles, Sessions, Turns } from "@troupe/core";
import { FakeMachine, type FakeMachineOptions } from "@troupe/testing";
import { Cause, Context, Effect, type Scope } from "effect";
import type { NamedWorld } from "./NamedWorld.js";

/** A program that hosts sessions. */
export interface PlayedProgram {
  readonly sessions: Sessions["Type"];
  readonly handles: SessionHandles["Type"];
  readonly leases: Leases["Type"];
  readonly turns: Turns["Type"];
}

/** What a play has. */
export interface Stage extends Pick<FakeMachine, "snapshots" | "store" | "suspend" | "tmux"> {
  /** One more program, until the scope closes. */
  readonly program: (owner: string) => Effect.Effect<PlayedProgram, never, Scope.Scope>;
  /** Notes what is not as it should be. */
  readonly is: (what: string, actual: unknown, expected: unknown) => void;
}

/** What a failure is called, or what was told instead. */
export const tagOf = <A>(effect: Effect.Effect<A, unknown>): Effect.Effect<string> =>
  Effect.map(Effect.either(effect), (outcome) => {
    if (outcome._tag === "Right") return `ok ${JSON.stringify(outcome.right) ?? ""}`.trim();
    return outcome.left instanceof Error ? outcome.left.name : String(outcome.left);
  });

/** One more program on the machine. */
export const programOn = (
  machine: FakeMachine,
  owner: string,
): Effect.Effect<PlayedProgram, never, Scope.Scope> =>
  Effect.map(machine.host(owner), (context) => ({
    sessions: Context.get(context, Sessions),
    handles: Context.get(context, SessionHandles),
    leases: Context.get(context, Leases),
    turns: Context.get(context, Turns),
  }));

const stageOf = (machine: FakeMachine, odd: Array<string>): Stage => ({
  ...machine,
  program: (owner) => programOn(machine, owner),
  is: (what, actual, expected) => {
    const [is, should] = [JSON.stringify(actual), JSON.stringify(expected)];
    if (is !== should) odd.push(`${what} is ${is}, and should be ${should}`);
  },
});

/** The world of a play. */
export const play = (
  name: string,
  body: (stage: Stage) => Effect.Effect<unknown, unknown, Scope.Scope>,
  options: FakeMachineOptions = {},
): NamedWorld => ({
  cost: 0,
  world: {
    name,
    start: () => {
      const odd: Array<string> = [];
      const program = Effect.gen(function* () {
        const machine = yield* FakeMachine.make(options);
        const exit = yield* Effect.exit(Effect.scoped(body(stageOf(machine, odd))));
        if (exit._tag === "Failure") odd.push(`it ended with ${Cause.pretty(exit.cause)}`);
        return odd;
      }).pipe(Effect.scoped, Effect.withTracerEnabled(false));
      return { program, check: ([first]) => first ?? null };
    },
  },
});
