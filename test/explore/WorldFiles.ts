/**
 * WorldFiles: what a home keeps of its terminals, their output and their snapshots: one store for
 * all programs of a world, and the ports of one of them over it.
 *
 * A judge stands at every removal, whoever asks for it: what still runs, or has a row that has not
 * ended, loses nothing. What was done against that is a line for what was told.
 */
import { isFinal, LookupFailed, OutputFiles, type SessionRecord, Snapshots } from "@troupe/core";
import {
  Explore,
  exploredOutputFiles,
  exploredSnapshots,
  FakeOutputFiles,
  type FakeOutputStore,
  type FakeSnapshotStore,
  FakeSnapshots,
  FakeTmux,
} from "@troupe/testing";
import { Context, Effect, Layer } from "effect";
import { type Machine, stillThere } from "./EndingOf.js";
import { failingPort } from "./FailingPort.js";
import type { Happening } from "./Happening.js";
import type { WorldStore } from "./WorldStore.js";

/** The files of a home. */
export interface KeptFiles {
  readonly output: FakeOutputStore;
  readonly snapshots: FakeSnapshotStore;
  /** What was removed and should not have been, in words. */
  readonly misdeeds: Array<string>;
  /** Calls that failed, in their order. */
  readonly failed: Array<string>;
}

/** Files of a home in which nothing is kept. */
export const noFiles = (): KeptFiles => ({
  output: FakeOutputFiles.make(),
  snapshots: FakeSnapshots.make(),
  misdeeds: [],
  failed: [],
});

/** How the files are explored: not at all, unless it is said. */
export type FilesExplored = "with points" | "with failures";

type IsOf = (record: SessionRecord) => boolean;

/** Judges a removal, at the moment at which it is done. */
const judged = (machine: Machine, store: WorldStore, what: string, isOf: IsOf) =>
  Explore.quietly(
    Effect.gen(function* () {
      const record = (yield* store.remembered).records.find(isOf);
      const { misdeeds } = store.files;
      const removed = `untrue: ${what} was removed, and`;
      if (record === undefined) return;
      if (!isFinal(record.state)) misdeeds.push(`${removed} its row is ${record.state}`);
      const there = yield* stillThere(machine, record.incarnation);
      if (there !== null) misdeeds.push(`${removed} ${there}`);
    }),
  );

const failureOf = (attempted: string) =>
  new LookupFailed({
    session: null,
    attempted,
    source: "files",
    reason: "unclear",
    detail: "explored",
  });

/** Those that may fail; a watch is a hint, and does not. */
const which = ["keep", "list", "read", "left", "remove"];

/** The ports of one program; without a `happening` without any point. */
export const filesOf = (
  explored: FilesExplored | undefined,
  machine: Machine,
  store: WorldStore,
  happening: Happening | null,
) =>
  Effect.gen(function* () {
    const { output, snapshots } = store.files;
    const layer = FakeOutputFiles.layer(Context.get(machine, FakeTmux), output);
    const fakeFiles = Context.get(yield* Layer.build(layer), OutputFiles);
    const fakeShots = Context.get(yield* Layer.build(FakeSnapshots.layer(snapshots)), Snapshots);
    const files: OutputFiles["Type"] = {
      ...fakeFiles,
      remove: (incarnation) =>
        Effect.zipRight(
          judged(machine, store, `output of ${incarnation}`, (r) => r.incarnation === incarnation),
          fakeFiles.remove(incarnation),
        ),
    };
    const shots: Snapshots["Type"] = {
      ...fakeShots,
      remove: (session, generation) =>
        Effect.zipRight(
          judged(
            machine,
            store,
            `a snapshot of ${session}/${generation}`,
            (r) => r.session === session && r.generation === generation,
          ),
          fakeShots.remove(session, generation),
        ),
    };
    if (happening === null || explored === undefined) {
      return Context.add(Context.make(OutputFiles, files), Snapshots, shots);
    }
    const met = { files: happening.before(files), shots: happening.before(shots) };
    const fails = explored === "with failures";
    const meets = <P extends object>(name: string, port: P): P => {
      const onFailure = (method: string) => store.files.failed.push(`${name}.${method}`);
      return fails ? failingPort(port, { name, failure: failureOf, which, onFailure }) : port;
    };
    return Context.make(OutputFiles, exploredOutputFiles(meets("output", met.files))).pipe(
      Context.add(Snapshots, exploredSnapshots(meets("snapshots", met.shots))),
    );
  });
