/**
 * Self: this program among the programs of a home.
 *
 * It gets its name and takes its lock when it first changes something, and keeps both until the
 * end; a program that only reads has neither. The lock file goes with a program that leaves no
 * claim behind, and stays, free, as proof of its end otherwise. One whose turn runs on ends with
 * its process.
 */
import type { ClaimRecord, Ids, LookupFailed, ProcessTable } from "@troupe/core";
import { Effect } from "effect";
import { type HomePaths, makeDirectory } from "./HomeFiles.js";
import { type KernelLock, lockOwners, lookAtLock, removeLock, takeLock } from "./KernelLock.js";
import { type Life, lifeOf } from "./Liveness.js";
import { ownerText } from "./ProcessIdentity.js";
import { StoreFailure } from "./StoreFailure.js";

type Holder = ClaimRecord["holder"];

/** Whether rows of an owner are left: claims or leases, and those that name a turn that runs. */
export interface Left {
  readonly claims: (owner: string) => Effect.Effect<boolean>;
  readonly turns: (owner: string) => Effect.Effect<boolean>;
}

/** This program. */
export interface Self {
  /** Its name, with the lock held that proves its life. One attempt; `busy` may be retried. */
  readonly owner: Effect.Effect<string, StoreFailure>;
  /** Whether another program lives. */
  readonly lifeOf: (owner: string) => Effect.Effect<Life>;
  /** Removes the lock of another that was proved dead. */
  readonly forget: (owner: string) => Effect.Effect<void>;
  /**
   * Removes, once, the locks of programs that were killed and left no claim: a free one proves
   * their death, and is of no more use. One that resists stays for the next program.
   */
  readonly sweep: (claims: (owner: string) => Effect.Effect<boolean>) => Effect.Effect<void>;
  /** Whether the holder of a claim lives. */
  readonly holderOf: (owner: string | null) => Effect.Effect<Holder>;
  /** The same, asked of nobody: another program is `unknown`. */
  readonly holderUnasked: (owner: string | null) => Holder;
  /** Whether the holders of many claims live, each asked once. */
  readonly holdersOf: (
    owners: ReadonlyArray<string | null>,
  ) => Effect.Effect<(owner: string | null) => Holder>;
  /**
   * Gives the lock up, or leaves it to the end of the process where a turn of this program may
   * still run: it is not dead then.
   */
  readonly end: (left: Left) => Effect.Effect<void>;
}

/** What a program is made of. */
export interface SelfOptions {
  readonly paths: HomePaths;
  readonly host: string;
  readonly processes: ProcessTable["Type"];
  readonly ids: Ids["Type"];
}

const notFound = (error: LookupFailed | null): StoreFailure =>
  new StoreFailure({
    kind: "unavailable",
    detail: `this program could not be named: ${error?.message ?? "its process was not found"}`,
  });

const nameOf = ({ host, ids, processes }: SelfOptions): Effect.Effect<string, StoreFailure> =>
  Effect.gen(function* () {
    const entry = yield* Effect.mapError(processes.look(processes.ownPid), notFound);
    if (entry === null) return yield* notFound(null);
    return ownerText({ host, process: entry.id, nonce: yield* ids.incarnation });
  });

/** This program, without a name yet. */
export const makeSelf = (options: SelfOptions): Effect.Effect<Self> =>
  Effect.map(Effect.makeSemaphore(1), (turns) => {
    const { host, paths, processes } = options;
    let name: string | null = null;
    let lock: KernelLock | null = null;
    let swept = false;

    const owner = Effect.gen(function* () {
      name ??= yield* nameOf(options);
      if (lock !== null) return name;
      yield* makeDirectory(paths.home);
      lock = yield* takeLock(paths.locks, name);
      return name;
    }).pipe(Effect.uninterruptible, turns.withPermits(1));

    const life = (other: string) => lifeOf({ locks: paths.locks, host, processes }, other);

    const holderUnasked = (other: string | null): Holder => {
      if (other === null) return "none";
      return other === name ? "self" : "unknown";
    };

    const holderOf = (other: string | null): Effect.Effect<Holder> => {
      const holder = holderUnasked(other);
      return other === null || holder === "self" ? Effect.succeed(holder) : life(other);
    };

    return {
      owner,
      lifeOf: life,
      forget: (other) => removeLock(paths.locks, other),
      sweep: (claims) =>
        Effect.gen(function* () {
          if (swept) return;
          swept = true;
          for (const other of yield* lockOwners(paths.locks)) {
            if (other === name || (yield* lookAtLock(paths.locks, other)) !== "free") continue;
            if (!(yield* claims(other))) yield* removeLock(paths.locks, other);
          }
        }).pipe(Effect.ignore),
      holderOf,
      holderUnasked,
      holdersOf: (owners) =>
        Effect.gen(function* () {
          const holders = new Map<string | null, Holder>();
          for (const other of new Set(owners)) holders.set(other, yield* holderOf(other));
          return (other) => holders.get(other) ?? "unknown";
        }),
      end: (left) =>
        Effect.gen(function* () {
          if (lock === null || name === null) return;
          const holds = yield* left.claims(name);
          // A lease that names a turn is a lease.
          if (!holds) yield* lock.release({ remove: true });
          else if (yield* left.turns(name)) yield* lock.leave;
          else yield* lock.release({ remove: false });
          lock = null;
        }),
    };
  });
