/**
 * Send: the flow that sends input to a terminal, whole and once.
 *
 * Look; bytes are loaded, then written by one guarded list; after a pause the keys by another, so
 * that a program that takes a burst for a paste does not take Enter for a part of it. An answer
 * that was lost is looked up behind a raised fence, and nothing is ever sent twice: what remains
 * unknown is told as that. It writes no row.
 */
import { Effect, Option } from "effect";
import { paneOf } from "./EndTerminal.js";
import { unlessOvertaken } from "./HigherFence.js";
import type { Holding } from "./Holding.js";
import type { Input, SendResult } from "./Input.js";
import { isFinal } from "./Lifecycle.js";
import { missing } from "./Missing.js";
import type { InputPart, PaneTarget } from "./PaneInput.js";
import type { SessionRecord, TerminalRecord } from "./Session.js";
import { LookupFailed, NotFound, TmuxRefused } from "./SessionError.js";
import { Settings } from "./Settings.js";
import { observe } from "./Sight.js";
import { Tmux } from "./Tmux.js";

const attempted = "send";

/** What is told of input of which it is not known whether it arrived. */
export const CONFIRM = "confirm what was sent";

/** Where input goes: the pane, as a target at the epoch that is in force. */
interface Place {
  readonly terminal: TerminalRecord;
  readonly target: () => PaneTarget;
}

/** The terminal that is named, or the first one that is not gone. */
const terminalOf = (record: SessionRecord, named: string | null): TerminalRecord | null => {
  const there = record.terminals.filter(({ state }) => state === "running" || state === "exited");
  return there.find((t) => named === null || t.terminal === named) ?? null;
};

/**
 * The pane of the terminal, looked up. `NotFound` when session or terminal are positively not
 * there or are ending. A terminal whose program has ended is still there: the list that would
 * write to it finds that out, and it is `TmuxRefused`.
 */
const placeOf = Effect.fnUntraced(function* (holding: Holding, named: string | null) {
  const { session } = holding;
  const notFound = (terminal: string | null) => new NotFound({ session, attempted, terminal });
  const record = Option.getOrNull(yield* holding.newest);
  const gone = missing({ session, attempted }, record);
  const ending = record?.state === "creating" || record?.state === "deleting";
  if (record === null || isFinal(record.state) || ending) return yield* gone;
  const listing = yield* holding.look(attempted);
  const seen = yield* observe(record, listing, attempted);
  if (seen._tag === "Absent" || listing._tag === "NoServer") return yield* gone;
  const terminal = terminalOf(record, named);
  if (terminal === null) return yield* notFound(named);
  const pane = paneOf(terminal, seen);
  if (pane === null) return yield* notFound(terminal.terminal);
  const { paneId } = pane;
  const { server, version } = listing;
  const own = { terminal: terminal.terminal, paneId, version };
  const target = () => ({ ...holding.target(record, seen.session, server), ...own });
  const place: Place = { terminal, target };
  return place;
});

/** Takes a new epoch and raises the fence to it, which removes what was loaded under an older. */
const raiseFence = (holding: Holding) =>
  Effect.zipRight(holding.outcomeUnknown, holding.look(attempted));

/** Nothing loaded is left where it can be helped; else the next message of the name removes it. */
const forget = (holding: Holding) =>
  Effect.catchAll(raiseFence(holding), (failure) =>
    Effect.logWarning(`input of ${holding.session} may be left in tmux: ${failure.message}`),
  );

/** Whether the server has the bytes, which it does not where a higher fence stands. */
const load = Effect.fnUntraced(function* (holding: Holding, bytes: Uint8Array) {
  const tmux = yield* Tmux;
  const loaded = yield* tmux.input
    .load(holding.fence(), bytes)
    .pipe(Effect.tapErrorCause(() => forget(holding)));
  return loaded._tag === "Loaded";
});

const doubtOf = ({ reason, session, source }: LookupFailed, detail: string): LookupFailed =>
  new LookupFailed({ session, attempted: CONFIRM, source, reason, detail });

/**
 * After a lost answer: behind a raised fence the pane bears the receipt of this part or never will.
 * The failure when it is certain that nothing was written; `null` when it was, and the doubt when
 * that cannot be found out either.
 */
const lookUp = Effect.fnUntraced(function* (
  holding: Holding,
  target: PaneTarget,
  part: InputPart,
  failure: LookupFailed,
) {
  const tmux = yield* Tmux;
  const looked = raiseFence(holding).pipe(Effect.zipRight(tmux.input.wasSent(target, part)));
  const found = yield* Effect.either(looked);
  if (found._tag === "Right" && found.right === true) return null;
  if (found._tag === "Right" && found.right === false) return yield* failure;
  const why = found._tag === "Left" ? found.left.message : "the terminal is gone since";
  const detail = `${failure.detail}; it may have been delivered, and was not sent again: ${why}`;
  return doubtOf(failure, detail);
});

/** A part, and what is to be loaded for it. */
interface Written {
  readonly part: InputPart;
  readonly bytes: Uint8Array | null;
}

/** Loads what is to be loaded, and writes the part. `Stale` wrote nothing, and leaves nothing. */
const loadAndSend = Effect.fnUntraced(function* (
  holding: Holding,
  place: Place,
  { bytes, part }: Written,
) {
  const tmux = yield* Tmux;
  if (bytes !== null && !(yield* load(holding, bytes))) return { _tag: "Stale" as const };
  const target = place.target();
  return yield* tmux.input.send(target, part).pipe(
    Effect.map((reply) => ({ ...reply, doubt: null })),
    Effect.catchTag("LookupFailed", (failure) =>
      Effect.map(lookUp(holding, target, part, failure), (doubt) => ({
        _tag: "Sent" as const,
        doubt,
      })),
    ),
    // A bug between load and list leaves nothing behind either.
    Effect.tapDefect(() => forget(holding)),
  );
});

/** Writes one part; `null`, or what is not known of it. Whatever fails here wrote nothing. */
const write = Effect.fnUntraced(function* (holding: Holding, place: Place, written: Written) {
  const { session } = holding;
  const { server, terminal } = place.target();
  const sent = yield* unlessOvertaken(holding, { server, attempted }, () =>
    loadAndSend(holding, place, written),
  );
  switch (sent._tag) {
    case "Sent":
      return sent.doubt;
    case "Unsent":
      return yield* new TmuxRefused({ session, attempted, detail: sent.detail });
    case "Gone":
      return yield* new NotFound({ session, attempted, terminal });
    case "Elsewhere": {
      const { detail } = sent;
      const where = { session, attempted, source: "tmux", reason: "server-exited" } as const;
      return yield* new LookupFailed({ ...where, detail });
    }
  }
});

/** Writes the keys behind text that has arrived: what fails now leaves the input half sent. */
const writeBehind = (holding: Holding, place: Place, keys: Written) =>
  Effect.flatMap(Settings, ({ inputSettleMs }) =>
    Effect.sleep(inputSettleMs).pipe(
      Effect.zipRight(write(holding, place, keys)),
      Effect.catchAll((failure) =>
        Effect.succeed(
          new LookupFailed({
            session: holding.session,
            attempted: CONFIRM,
            source: "tmux",
            reason: failure._tag === "LookupFailed" ? failure.reason : "unclear",
            detail: `the text was delivered and the keys were not: ${failure.message}`,
          }),
        ),
      ),
    ),
  );

const writeAll = Effect.fnUntraced(function* (holding: Holding, place: Place, input: Input) {
  const keys: Written = { part: { _tag: "Keys", keys: input.keys }, bytes: null };
  if (input.bytes.length === 0) return yield* write(holding, place, keys);
  const doubt = yield* write(holding, place, { part: { _tag: "Loaded" }, bytes: input.bytes });
  if (input.keys.length === 0) return doubt;
  if (doubt === null) return yield* writeBehind(holding, place, keys);
  return doubtOf(doubt, `${doubt.detail}; the keys were not sent`);
});

/** Sends the input to the terminal, or to the first one; says whether tmux confirmed it. */
export const sendInput = Effect.fn("Sessions.send.flow")(function* (
  holding: Holding,
  input: Input,
  named: string | null,
) {
  const place = yield* placeOf(holding, named);
  const doubt = yield* writeAll(holding, place, input);
  const result: SendResult = {
    session: holding.session,
    terminal: place.terminal.terminal,
    bytes: input.bytes.length,
    keys: input.keys.length,
    status: doubt === null ? "delivered" : "unconfirmed",
    doubt,
  };
  return result;
});
