/**
 * WalkedHome: the home that a walk goes over: one fake tmux, one registry, and the programs that
 * live just now, each with sessions of its own; what was supplied to whom; and the dice.
 *
 * A program that crashes is gone between two calls; another one starts, and knows no values.
 */
import { Explore, FakeTmux, type FakeTmuxControl } from "@troupe/testing";
import { Context, Effect, Exit, Layer, Scope } from "effect";
import type { Machine } from "./EndingOf.js";
import type { Holder } from "./HeldScopes.js";
import { type Dice, diceOf } from "./RegistryTwinsHand.js";
import type { Sight } from "./WalkSight.js";
import { VARIABLES, type Values, WalkValues } from "./WalkValues.js";
import { programOf } from "./WorldProgram.js";
import { memoryStore, sqliteStore, type WorldStore } from "./WorldStore.js";

/** One that lives. */
export interface WalkedProgram extends Holder {
  readonly scope: Scope.CloseableScope;
}

/** What a walk has. Mutable. */
export interface Walk {
  readonly dice: Dice;
  readonly machine: Machine;
  readonly tmux: FakeTmuxControl;
  readonly store: WorldStore;
  readonly programs: Array<WalkedProgram>;
  readonly values: WalkValues;
  /** By `INCARNATION VARIABLE` all values that were ever supplied. */
  readonly supplied: Map<string, Set<string>>;
  /** The ids of requests that were made. */
  readonly requests: Set<string>;
  /** Incarnations that were deleted without what had left them. */
  readonly spared: Set<string>;
  /** The children that are no more, and whose pids the kernel may give again. */
  readonly freePids: Array<number>;
  /** How everything is before the step. */
  before: Sight;
}

/** Prints the values that it was given, each on a line of its own, and fails. */
const telling = FakeTmux.program((run) => {
  for (const name of VARIABLES) {
    const value = run.env.get(name);
    if (value !== undefined) run.write(`${name}: ${value}\n`);
  }
  run.exit(1);
});

let started = 0;

/** One more program. */
export const startProgram = Effect.fnUntraced(function* (
  machine: Machine,
  store: WorldStore,
): Effect.fn.Return<WalkedProgram> {
  const scope = yield* Scope.make();
  started++;
  const built = programOf({}, machine, store, `walker${started}`, null);
  const holder: Holder = yield* Scope.extend(built, scope);
  return { ...holder, scope };
});

/** It dies, and another takes its place. */
export const restartProgram = Effect.fnUntraced(function* (walk: Walk, at: number) {
  const [gone] = walk.programs.splice(at, 1, yield* startProgram(walk.machine, walk.store));
  if (gone === undefined) return;
  yield* walk.store.crashed(gone.owner);
  yield* Scope.close(gone.scope, Exit.void);
});

/** A home in which nothing is. */
export const walkOf = Effect.fnUntraced(function* (seed: number, isStored: boolean) {
  started = 0;
  const dice = diceOf(seed);
  const machine: Machine = yield* Layer.build(FakeTmux.layer({ programs: { telling } }));
  const store = yield* isStored ? sqliteStore : memoryStore;
  const programs = yield* Effect.replicateEffect(
    startProgram(machine, store),
    dice.is(0.5) ? 2 : 1,
  );
  yield* Effect.addFinalizer(() =>
    Effect.forEach(programs, ({ scope }) => Scope.close(scope, Exit.void), { discard: true }),
  );
  const walk: Walk = {
    ...{
      dice,
      machine,
      store,
      programs,
      supplied: new Map(),
      spared: new Set(),
      requests: new Set(),
      freePids: [],
    },
    tmux: Context.get(machine, FakeTmux),
    values: new WalkValues(dice),
    before: { records: [], events: [], living: [], panes: [] },
  };
  return walk;
}, Explore.quietly);

/** Notes that these were supplied to an incarnation, and all that another one had. */
export const noteSupplied = (
  { supplied }: Walk,
  incarnation: string,
  values: Values,
  formerly: string | null = null,
): void => {
  for (const name of VARIABLES) {
    const key = `${incarnation} ${name}`;
    const before = supplied.get(`${formerly ?? incarnation} ${name}`) ?? [];
    const value = values[name];
    const all = new Set([...before, ...(value === undefined ? [] : [value])]);
    if (all.size > 0) supplied.set(key, all);
  }
};
