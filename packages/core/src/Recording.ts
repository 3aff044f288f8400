/**
 * Recording: where and how a terminal that is to be made is recorded, if it is.
 *
 * A session says once whether its output is recorded, for all of its terminals; the bounds are
 * those of the home.
 */
import { Effect } from "effect";
import type { TerminalId } from "./Identity.js";
import { OutputFiles } from "./OutputFiles.js";
import type { SessionRecord } from "./Session.js";
import { Settings } from "./Settings.js";
import type { Recording } from "./Tmux.js";

/** What tmux is told of the recording; `null` when the session is not to be recorded. */
export const recordingOf = Effect.fnUntraced(function* (
  { incarnation, spec }: SessionRecord,
  terminal: TerminalId,
) {
  const files = yield* OutputFiles;
  const { outputSegmentBytes, outputSegments } = yield* Settings;
  const recording: Recording = {
    directory: files.place({ incarnation, terminal }),
    segmentBytes: outputSegmentBytes,
    segments: outputSegments,
  };
  return spec.log ? recording : null;
});
