/**
 * Capture: the read of what a terminal shows now.
 *
 * Needs no actor and no claim, and writes nothing. What is read is the pane that was made for the
 * terminal, wherever a user moved it; one that is positively not there any more is `NotFound`.
 */
import { Effect, Option } from "effect";
import { count } from "./Quantity.js";
import { Registry } from "./Registry.js";
import { NotFound } from "./SessionError.js";
import type { SessionName } from "./SessionName.js";
import type { CaptureOptions } from "./SessionOptions.js";
import { observe } from "./Sight.js";
import { Tmux } from "./Tmux.js";

const attempted = "capture";

const LINES = 200;

/** What the terminal that is named shows, or the first that is there. */
export const captureSession = Effect.fnUntraced(function* (
  session: SessionName,
  options: CaptureOptions,
) {
  const { lines = LINES } = options;
  if (lines !== null) count("lines", lines);
  const registry = yield* Registry;
  const tmux = yield* Tmux;
  const record = Option.getOrNull(yield* registry.get(session));
  const { terminal: named = null } = options;
  const terminal = record?.terminals.find((t) =>
    named === null ? t.state !== "gone" : t.terminal === named,
  );
  const notFound = new NotFound({ session, attempted, terminal: record === null ? null : named });
  const { paneId = null } = terminal ?? {};
  const server = record?.server ?? null;
  if (paneId === null || server === null || terminal?.state === "gone") return yield* notFound;
  const shown = yield* tmux.capture(
    { server, paneId, session },
    {
      lines,
      join: options.join ?? false,
      ansi: options.ansi ?? false,
    },
  );
  if (shown !== null) return shown;
  // A server that lives out of reach still has the pane.
  if (record !== null) yield* observe(record, yield* tmux.list(attempted), attempted);
  return yield* notFound;
});
