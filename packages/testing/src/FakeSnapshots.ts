/**
 * FakeSnapshots: core's `Snapshots` in memory, and how it fails when a test says so.
 *
 * Like a directory that programs share: each program of a machine is given the same one.
 */
import { LookupFailed, type Snapshot, Snapshots, type SnapshotsLeft } from "@troupe/core";
import { Effect, Layer } from "effect";

/** What is kept, and what may happen. */
export interface FakeSnapshotStore {
  /** By name, generation and terminal; the newest of each. */
  readonly kept: Map<string, Snapshot>;
  /** While it is not `null`, every use ends like this. */
  trouble: Effect.Effect<never, LookupFailed> | null;
}

const keyOf = ({
  generation,
  session,
  terminal,
}: Pick<Snapshot, "generation" | "session" | "terminal">): string =>
  `${session}/${generation}-${terminal}`;

/** A disk that is full. */
export const fullDisk: Effect.Effect<never, LookupFailed> = Effect.suspend(
  () =>
    new LookupFailed({
      session: null,
      attempted: "keep a snapshot",
      source: "files",
      reason: "unclear",
      detail: "ENOSPC: no space left on device",
    }),
);

/** Puts it there, in the place of the one of the same terminal before. */
const keepIn = ({ kept }: FakeSnapshotStore, snapshot: Snapshot): void => {
  kept.set(keyOf(snapshot), snapshot);
};

/** Snapshots in memory. */
export const FakeSnapshots = {
  /** A store in which nothing is kept. */
  make: (): FakeSnapshotStore => ({ kept: new Map(), trouble: null }),

  /** Puts a snapshot into a store, whatever trouble there is. */
  keepIn,

  /** The port over the store; several may share one, as programs share a disk. */
  layer: (store: FakeSnapshotStore): Layer.Layer<Snapshots> =>
    Layer.succeed(Snapshots, {
      keep: (snapshot) =>
        Effect.suspend(() => {
          if (store.trouble !== null) return store.trouble;
          keepIn(store, snapshot);
          return Effect.void;
        }),
      list: (session) =>
        Effect.suspend(() => {
          if (store.trouble !== null) return store.trouble;
          const kept = [...store.kept].filter(([, one]) => one.session === session);
          return Effect.succeed(
            kept.map(([place, one]) => {
              const { at, generation, terminal } = one;
              return { generation, terminal, place, at };
            }),
          );
        }),
      read: (session, generation, terminal) =>
        Effect.suspend(() => {
          if (store.trouble !== null) return store.trouble;
          const key = keyOf({ session, generation, terminal });
          return Effect.succeed(store.kept.get(key) ?? null);
        }),
      left: Effect.suspend(() => {
        if (store.trouble !== null) return store.trouble;
        const left = new Map<string, SnapshotsLeft>();
        for (const { at, generation, session } of store.kept.values()) {
          const key = `${session}/${generation}`;
          left.set(key, { session, generation, at: Math.max(at, left.get(key)?.at ?? 0) });
        }
        return Effect.succeed([...left.values()]);
      }),
      remove: (session, generation) =>
        Effect.suspend(() => {
          if (store.trouble !== null) return store.trouble;
          for (const [place, one] of [...store.kept]) {
            if (one.session === session && one.generation === generation) store.kept.delete(place);
          }
          return Effect.void;
        }),
    }),
};
