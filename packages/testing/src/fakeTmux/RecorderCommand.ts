/**
 * RecorderCommand: the recorder of `@troupe/tmux`, as far as the fake understands it.
 *
 * A pipe's command is a recorder when it is the very script that is written for the recording that
 * stands in it; what it then keeps of an output is what its ring would keep of blocks that fill
 * each segment exactly. The script itself is run by the tests that meet a real shell.
 */
import type { Recording } from "@troupe/core";
import { recorderScript } from "@troupe/tmux";

const WORDS = /d='((?:[^']|'\\'')*)'.*\[ \$e -ge ([0-9]+) \].*\[ \$# -ge ([0-9]+) \]/s;

const parsed = (command: string): Recording | null => {
  const [, word = "", bytes, segments] = WORDS.exec(command) ?? [];
  const recording: Recording = {
    directory: word.replaceAll("'\\''", "'"),
    segmentBytes: Number(bytes),
    segments: Number(segments),
  };
  return recorderScript(recording) === command ? recording : null;
};

/** Commands of the newest pipes; readers ask for the same ones again and again. */
const known = new Map<string, Recording | null>();
const knownBound = 100;

/** What the command records, or `null` when it is no recorder. */
export const recordingOfCommand = (command: string): Recording | null => {
  const before = known.get(command);
  if (before !== undefined) return before;
  if (known.size >= knownBound) known.clear();
  const recording = parsed(command);
  known.set(command, recording);
  return recording;
};

/** The sequence of the first byte that is kept of so many. */
export const firstKept = (recording: Recording, total: number): number => {
  const { segmentBytes, segments } = recording;
  return Math.max(0, Math.floor(total / segmentBytes) - (segments - 1)) * segmentBytes;
};
