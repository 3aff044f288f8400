/**
 * FakeOutputFiles: core's `OutputFiles` on the pipes of a fake tmux.
 *
 * What a fake pane prints is recorded when the pane's pipe has the recorder's command, into the
 * directory that stands there. There are no hints: who follows looks by his own clock.
 */
import { IncarnationId, OutputFiles, type OutputRange, type TerminalOutput } from "@troupe/core";
import { Effect, Layer } from "effect";
import type { FakeTmuxControl } from "./fakeTmux/Control.js";
import type { PanePipe } from "./fakeTmux/Pane.js";
import { firstKept, recordingOfCommand } from "./fakeTmux/RecorderCommand.js";

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
const incarnationOf = (command: string): ReadonlyArray<IncarnationId> => {
  const [, id] =
    /^\/troupe\/home\/output\/([^/]+)\//.exec(recordingOfCommand(command)?.directory ?? "") ?? [];
  return id === undefined ? [] : [IncarnationId.make(id)];
};

/** Recorded output in memory, as old as the machine. */
export const FakeOutputFiles = {
  /** The port over what the fake's panes wrote to their pipes. */
  layer: ({ pipes }: Pick<FakeTmuxControl, "pipes">): Layer.Layer<OutputFiles> =>
    Layer.sync(OutputFiles, () => {
      const removed = new Set<string>();
      const place = ({ incarnation, terminal }: TerminalOutput) =>
        `${TOP}/${incarnation}/${terminal}`;
      return {
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
        left: Effect.map(pipes, (all) => {
          const ids = all.flatMap(({ command }) => incarnationOf(command));
          return [...new Set(ids)]
            .filter((incarnation) => !removed.has(incarnation))
            .map((incarnation) => ({ incarnation, at: 0 }));
        }),
        remove: (incarnation) => Effect.sync(() => void removed.add(incarnation)),
      };
    }),
};
