/**
 * HoldingPrograms: programs on one fake machine, each with what it holds for sessions in sight.
 *
 * Each has a registry, ids and scopes of its own, and shares tmux, rows and files with the others.
 * Time is the test's.
 */
import {
  MemoryStore,
  makeSessionScopes,
  makeSessions,
  Registry,
  SessionScopes,
  type Sessions,
} from "@troupe/core";
import { CountedIds, FakeHost, FakeOutputFiles, FakeSnapshots, FakeTmux } from "@troupe/testing";
import { TmuxClient } from "@troupe/tmux";
import { Context, Effect, Layer, type Scope } from "effect";

/** A program, and what it holds. */
export interface HoldingProgram {
  readonly sessions: Sessions["Type"];
  readonly scopes: SessionScopes["Type"];
}

/** A machine on which troupe never ran; a program for each owner. */
export const holdingPrograms = Effect.gen(function* () {
  const store = yield* MemoryStore.make;
  const fakes = yield* Layer.build(FakeTmux.layer());
  const [snapshots, output] = [FakeSnapshots.make(), FakeOutputFiles.make()];
  const program = (owner: string): Effect.Effect<HoldingProgram, never, Scope.Scope> =>
    Effect.gen(function* () {
      const ports = yield* Layer.mergeAll(
        TmuxClient.layer(),
        Registry.layerMemory(store, { owner }),
        FakeHost.layer(),
        FakeOutputFiles.layer(Context.get(fakes, FakeTmux), output),
        FakeSnapshots.layer(snapshots),
        CountedIds.layer(owner),
      ).pipe(Layer.provideMerge(Layer.succeedContext(fakes)), Layer.build);
      const scopes = yield* makeSessionScopes;
      const services = Context.add(ports, SessionScopes, scopes);
      return { sessions: yield* Effect.provide(makeSessions, services), scopes };
    });
  return { program, store };
});
