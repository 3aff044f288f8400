/**
 * Input: what is sent to a terminal, checked whole before anything is done, and what came of it.
 *
 * Bytes first, then keys, one after the other, Enter last. Bytes are copied when they are checked,
 * so nothing that the caller does to them later is sent. No text that is sent, and no word that was
 * to be a key, is in any error.
 */
import { Effect, Schema } from "effect";
import { TerminalId } from "./Identity.js";
import { keyOf } from "./Keys.js";
import { LookupFailed, TmuxRefused } from "./SessionError.js";
import { SessionName } from "./SessionName.js";
import type { SendInput } from "./SessionOptions.js";
import { Settings } from "./Settings.js";

/** Input that was checked. Keys are in tmux's names. */
export interface Input {
  readonly bytes: Uint8Array;
  readonly keys: ReadonlyArray<string>;
}

/**
 * What became of input. `bytes` and `keys` (Enter is one) are how much it was. `delivered`: tmux
 * said that the terminal got all of it. `unconfirmed`: some or all of it may have arrived, and it
 * was not sent again; `doubt` says what is not known, and is `null` when all was delivered.
 */
export const SendResult = Schema.Struct({
  session: SessionName,
  terminal: TerminalId,
  bytes: Schema.Int,
  keys: Schema.Int,
  status: Schema.Literal("delivered", "unconfirmed"),
  doubt: Schema.NullOr(LookupFailed),
});
export type SendResult = typeof SendResult.Type;

// By name, it is looked up among all properties, whenever a program starts.
const loneSurrogate = /[\ud800-\udfff]/u;

const partsOf = (given: string | Uint8Array | SendInput): SendInput =>
  typeof given === "string" || given instanceof Uint8Array ? { text: given } : given;

const textProblem = (text: string | Uint8Array, bound: number): string | null => {
  const isText = typeof text === "string";
  const at = isText ? text.indexOf("\0") : text.indexOf(0);
  if (at >= 0) return `a NUL cannot be sent (${isText ? "character" : "byte"} ${at + 1})`;
  if (isText && loneSurrogate.test(text)) return "half of a surrogate pair has no UTF-8";
  const size = isText ? new TextEncoder().encode(text).length : text.length;
  return size > bound ? `${size} bytes are more than the ${bound} that can be sent at once` : null;
};

/** Why this cannot be sent; `null` when it can. */
export const inputProblem = (
  given: string | Uint8Array | SendInput,
  bound: number,
): string | null => {
  const { keys = [], text = "" } = partsOf(given);
  const unknown = keys.findIndex((word) => keyOf(word) === null);
  if (unknown >= 0) return `key ${unknown + 1} is none that a terminal is sent (C-c, Up, M-x, F5)`;
  return textProblem(text, bound);
};

/** Checks the input; `TmuxRefused` says what of it no terminal is sent, and tmux was not asked. */
export const inputOf = (
  session: string,
  given: string | Uint8Array | SendInput,
): Effect.Effect<Input, TmuxRefused> =>
  Effect.flatMap(Settings, ({ inputBytes }) => {
    const detail = inputProblem(given, inputBytes);
    if (detail !== null) return new TmuxRefused({ session, attempted: "send", detail });
    const { enter = false, keys = [], text = "" } = partsOf(given);
    const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text.slice();
    const all = [...keys, ...(enter ? ["Enter"] : [])].flatMap((word) => keyOf(word) ?? []);
    return Effect.succeed({ bytes, keys: all });
  });
