/**
 * VisibleOperations: the finer granularity: before each operation that others can see the effect
 * of, a fiber may be made to yield, as Effect's own scheduler does after some 2 000 operations.
 *
 * What lies between two visible operations cannot be told from outside, so only those count:
 * synchronous steps, steps that look at the fiber, suspended effects and waits; and for a fiber
 * that may be interrupted the beginning of a region in which it cannot. It asks once before each;
 * a fiber that yields goes behind all others, as in production.
 */
import {
  Effect,
  FiberId,
  FiberRef,
  FiberRefs,
  Runtime,
  RuntimeFlags,
  RuntimeFlagsPatch,
  Supervisor,
} from "effect";
import type { AnyFiber, KnownFibers, Lane } from "./KnownFibers.js";
import { oneLine } from "./PrintedValue.js";

const visible: ReadonlySet<unknown> = new Set(["Sync", "WithRuntime", "Commit", "Async"]);

const own = new WeakSet<object>();

/** Marks an operation of the explorer's own tools, before which nothing switches. */
export const invisible = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
  own.add(effect);
  return effect;
};

/**
 * Not `false`, so the fiber yields; and not a number, so that `yieldNow` does not wrap the yield
 * in ten further operations, before which it would yield again.
 */
const yieldPlainly = undefined as unknown as number;

const nameOf = (operation: unknown): unknown =>
  (operation as { readonly _op?: unknown } | null)?._op;

const changesFlags = "UpdateRuntimeFlags";

/** Whether from this operation, which changes flags, on the fiber takes no interruption. */
const beginsRegion = (operation: unknown): boolean => {
  const { effect_instruction_i0: patch } = operation as {
    readonly effect_instruction_i0?: RuntimeFlagsPatch.RuntimeFlagsPatch;
  };
  return patch !== undefined && RuntimeFlagsPatch.isDisabled(patch, RuntimeFlags.Interruption);
};

const shownLength = 60;

/**
 * What an operation is going to do, as far as its own text tells; `null` for none. Read from
 * Effect's representation of operations, for people only.
 */
export const printOperation = (operation: unknown): string | null => {
  const name = nameOf(operation);
  if (name === "Async") return "waits";
  if (name === changesFlags) return "becomes uninterruptible";
  const { commit, effect_instruction_i0: step } = (operation ?? {}) as {
    readonly commit?: unknown;
    readonly effect_instruction_i0?: unknown;
  };
  const body = typeof step === "function" ? step : commit;
  if (typeof body !== "function") return null;
  const text = oneLine(String(body));
  return `runs ${text.length > shownLength ? `${text.slice(0, shownLength)}…` : text}`;
};

/** Knows the operation that each fiber is at; installed into the runtime of a run. */
export class VisibleOperations extends Supervisor.AbstractSupervisor<void> {
  readonly value = Effect.void;

  /** Both decide, once for each operation, whether the fiber yields before it. */
  constructor(
    private readonly fibers: KnownFibers,
    private readonly yieldsHere: (lane: Lane) => boolean,
    private readonly isInterruptedHere: (lane: Lane) => boolean,
  ) {
    super();
  }

  override onEffect(fiber: AnyFiber, operation: unknown): void {
    this.fibers.of(fiber).operation = operation;
  }

  shouldYield(fiber: AnyFiber): number | false {
    const lane = this.fibers.of(fiber);
    const { operation, yieldedBefore } = lane;
    const name = nameOf(operation);
    if (yieldedBefore !== null) {
      // The turn was given back: a success leads to the operation, anything else replaced it.
      if (operation !== yieldedBefore && name === "Success") return false;
      lane.yieldedBefore = null;
      if (operation === yieldedBefore) return false;
    }
    if (name === changesFlags) {
      if (!beginsRegion(operation) || !this.isInterruptedHere(lane)) return false;
    } else {
      if (!visible.has(name) || own.has(operation as object)) return false;
      if (!this.yieldsHere(lane)) return false;
    }
    lane.yieldedBefore = operation;
    return yieldPlainly;
  }

  /** A runtime whose fibers, and all that they fork, tell of their operations. */
  install(runtime: Runtime.Runtime<never>): Runtime.Runtime<never> {
    const fiberId = FiberId.make(0, 0) as FiberId.Runtime;
    const fiberRef = FiberRef.currentSupervisor;
    return Runtime.make({
      ...runtime,
      runtimeFlags: RuntimeFlags.enable(runtime.runtimeFlags, RuntimeFlags.OpSupervision),
      fiberRefs: FiberRefs.updateAs(runtime.fiberRefs, { fiberId, fiberRef, value: this }),
    });
  }
}
