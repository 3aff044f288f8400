/**
 * FakeOutputFiles: core's `OutputFiles` on the pipes of a fake tmux.
 *
 * What a fake pane prints is recorded when the pane's pipe has the recorder's command, into the
 * directory that stands there. Like a directory that programs share, what one of them removes is
 * gone for all: each program of a machine is given the same store. There are no hints: who follows
 * looks by his own clock.
 */
import { IncarnationId, OutputFiles, type OutputRange, type TerminalOutput } from "@troupe/core";
import { Clock, Effect, Layer } from "effect";
import type { FakeTmuxControl } from "./fakeTmux/Control.js";
import type { PanePipe } from "./fakeTmux/PanePipe.js";
import { firstKept, recordingOfCommand } from "./fakeTmux/RecorderCommand.js";

/** Which of what the machine recorded was removed. Mutable. */
export interface FakeOutputStore {
  readonly removed: Set<string>;
}

const TOP = "/troupe/home/output";

const encoder = new TextEncoder();

const rangeOf = (pipe: PanePipe, from: number, most: number): OutputRange => {
  const recording = recordingOfCommand(pipe.command);
  const all = encoder.encode(pipe.output);
  const first = recording === null ? all.length : firstKept(recording, all.length);
  const start = Math.max(from, first);
  return {
    from: start,
    data: all.slice(start, start + most),
    recorder: pipe.open ? "idle" : "ended",
  };
};

/** Whose recorder the command is, if it is one. */
const incarnationOf = (command: string): IncarnationId | null => {
  const [, id] =
    /^\/troupe\/home\/output\/([^/]+)\//.exec(recordingOfCommand(command)?.directory ?? "") ?? [];
  return id === undefined ? null : IncarnationId.make(id);
};

/** Of what is recorded, for how long nothing was. */
const silences = (pipes: ReadonlyArray<PanePipe>): ReadonlyMap<IncarnationId, number> => {
  const found = new Map<IncarnationId, number>();
  for (const { command, silentMs } of pipes) {
    const incarnation = incarnationOf(command);
    if (incarnation === null) continue;
    found.set(incarnation, Math.min(silentMs, found.get(incarnation) ?? silentMs));
  }
  return found;
};

const make = (): FakeOutputStore => ({ removed: new Set() });

/** Recorded output in memory, as old as the machine. */
export const FakeOutputFiles = {
  /** A store of which nothing was removed. */
  make,

  /** The port over what the fake's panes wrote to their pipes; several may share a store. */
  layer: (
    { pipes }: Pick<FakeTmuxControl, "pipes">,
    { removed }: FakeOutputStore = make(),
  ): Layer.Layer<OutputFiles> => {
    const place = ({ incarnation, terminal }: TerminalOutput) =>
      `${TOP}/${incarnation}/${terminal}`;
    return Layer.succeed(OutputFiles, {
      place,
      read: (output, from, most) =>
        Effect.map(pipes, (all) => {
          const directory = place(output);
          const pipe = all.findLast(
            ({ command }) => recordingOfCommand(command)?.directory === directory,
          );
          return pipe === undefined || removed.has(output.incarnation)
            ? { from, data: new Uint8Array(), recorder: "absent" }
            : rangeOf(pipe, from, most);
        }),
      watch: () => Effect.succeed(Effect.never),
      left: Effect.zipWith(pipes, Clock.currentTimeMillis, (all, now) =>
        [...silences(all)]
          .filter(([incarnation]) => !removed.has(incarnation))
          .map(([incarnation, silentMs]) => ({ incarnation, at: now - silentMs })),
      ),
      remove: (incarnation) => Effect.sync(() => void removed.add(incarnation)),
    });
  },
};
