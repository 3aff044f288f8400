/**
 * AddTerminal: the flow that makes a further terminal, all or nothing, its peers unhurt.
 *
 * Look; the intent row; one command list that makes the window; the start window; `running` or
 * `exited`. Whatever fails behind the intent is undone by the same message: that window alone is
 * killed and verified, and its row becomes `gone`. Values that the session was made with are those
 * that this program holds; a name of which it holds none is an error before anything is done.
 */
import { Effect, Exit, Option } from "effect";
import { finishTerminal, settledChanges, terminalLives } from "./EndTerminal.js";
import { baseEnvironment } from "./Environment.js";
import { unlessOvertaken } from "./HigherFence.js";
import type { Holding } from "./Holding.js";
import { Host } from "./Host.js";
import { type ServerId, TerminalId } from "./Identity.js";
import { serverOf } from "./Kill.js";
import { isFinal, isUnfinished, terminalOf } from "./Lifecycle.js";
import { missing } from "./Missing.js";
import { milliseconds } from "./Quantity.js";
import { recordingOf } from "./Recording.js";
import { Registry } from "./Registry.js";
import { rollBack } from "./RollBack.js";
import type { SessionRecord, TerminalRecord } from "./Session.js";
import { LookupFailed } from "./SessionError.js";
import type { AddTerminalOptions } from "./SessionOptions.js";
import { SessionScopes } from "./SessionScopes.js";
import type { AddedTerminal } from "./SessionView.js";
import { observe } from "./Sight.js";
import { inItsWindow, startWindow } from "./StartWindow.js";
import { type TerminalCreation, terminalCreationOf } from "./TerminalCreation.js";
import { type SeenSession, Tmux } from "./Tmux.js";
import { recorded, victims } from "./Victims.js";

const attempted = "add a terminal";
const rollingBack = "add a terminal: roll back";
const RELEASE = { release: true };

/** `t2` and on, one that this incarnation never had. */
const nextTerminal = ({ terminals }: SessionRecord): TerminalId => {
  const numbers = terminals.map(({ terminal }) => Number(/^t([0-9]+)$/.exec(terminal)?.[1] ?? 1));
  return TerminalId.make(`t${Math.max(1, ...numbers) + 1}`);
};

/** A session that is there, with its row. */
interface Place {
  readonly record: SessionRecord;
  readonly session: SeenSession;
  readonly server: ServerId;
}

/**
 * The session that a terminal can be added to, with what was cut off in it taken back. `NotFound`
 * when it is positively not there, or is ending.
 */
const placeOf = Effect.fnUntraced(function* (holding: Holding) {
  const { session } = holding;
  const known = Option.getOrNull(yield* holding.newest);
  if (known === null || isFinal(known.state)) return yield* missing({ session, attempted }, known);
  let record = known;
  for (;;) {
    const listing = yield* holding.look(attempted);
    const seen = yield* observe(record, listing, attempted);
    const server = serverOf(listing);
    const ending = record.state === "creating" || record.state === "deleting";
    if (seen._tag === "Absent" || server === null || ending) {
      return yield* missing({ session, attempted }, record);
    }
    const terminal = record.terminals.find(isUnfinished);
    const place: Place = { record, session: seen.session, server };
    if (terminal === undefined) return place;
    const doomed = { record, listing, seen, attempted, terminal };
    record = (yield* finishTerminal(holding, doomed, { release: false })).record;
  }
});

/** After an unknown outcome: behind a raised fence, tmux has it with our mark or never will. */
const lookForMark = Effect.fnUntraced(function* (
  holding: Holding,
  record: SessionRecord,
  terminal: TerminalId,
  failure: LookupFailed,
) {
  yield* holding.outcomeUnknown;
  const seen = yield* observe(record, yield* holding.look(attempted), attempted);
  const found = seen._tag === "Present" ? seen.session : null;
  const pane = found?.terminals.find((t) => t.terminal === terminal);
  return found === null || pane === undefined ? yield* failure : found;
});

/** One command list; the session with the new terminal in it. */
const makeTerminal = Effect.fnUntraced(function* (
  holding: Holding,
  place: Place,
  terminal: TerminalId,
  { command, cwd, environment }: TerminalCreation,
) {
  const tmux = yield* Tmux;
  const host = yield* Host;
  const { record, server, session } = place;
  const base = baseEnvironment(record.session, record.incarnation, host.environment);
  const recording = yield* recordingOf(record, terminal);
  const request = { terminal, command, cwd, recording, base, environment };
  const made = yield* unlessOvertaken(holding, { server, attempted }, () =>
    tmux.addTerminal({ ...holding.target(record, session, server), ...request }).pipe(
      Effect.map((reply) =>
        reply._tag === "Added"
          ? { ...session, terminals: [...session.terminals, reply.terminal] }
          : reply,
      ),
      Effect.catchTag("LookupFailed", (failure) => lookForMark(holding, record, terminal, failure)),
    ),
  );
  if (!("_tag" in made)) return made;
  const where = { session: record.session, attempted };
  const { detail } = made;
  return yield* new LookupFailed({ ...where, source: "tmux", reason: "server-exited", detail });
});

/** From the intent row to the last one. */
const make = Effect.fnUntraced(function* (
  holding: Holding,
  place: Place,
  terminal: TerminalId,
  creation: TerminalCreation,
) {
  const { command } = creation;
  const { server } = place;
  const ids = { windowId: null, paneId: null, panePid: null };
  const intent: TerminalRecord = { terminal, command, ...ids, state: "creating", exit: null };
  const { incarnation } = place.record;
  const record = yield* holding.commit(incarnation, [{ _tag: "Terminal", record: intent }]);
  const made = yield* makeTerminal(holding, { ...place, record }, terminal, creation);
  const start = { ...creation, attempted, record, server, terminal };
  const session = yield* startWindow(holding, made, start);
  const pane = session.terminals.find((t) => t.terminal === terminal);
  const [added = intent] = pane === undefined ? [] : terminalOf(inItsWindow(pane, made), command);
  const seen = { _tag: "Present", session } as const;
  const found = yield* victims(terminalLives({ record, seen, terminal: added }));
  // A caller that left behind the window is not given a terminal either.
  yield* Effect.allowInterrupt;
  const settled = settledChanges(record, added, seen);
  const changes = [recorded(terminal, found), ...settled];
  return yield* holding.commit(incarnation, changes, RELEASE);
});

/**
 * Undoes what there is of the terminal. What a failed write did is unknown, so the row is read
 * again first: when the last write took effect, its record is the answer.
 */
const undo = (holding: Holding, { record: before }: Place, id: TerminalId) =>
  Effect.fnUntraced(function* () {
    const registry = yield* Registry;
    const record = Option.getOrNull(yield* registry.find(before.incarnation));
    const terminal = record?.terminals.find((t) => t.terminal === id) ?? null;
    if (record === null || isFinal(record.state) || terminal === null) return null;
    if (terminal.state !== "creating") return terminal.state === "gone" ? null : record;
    const listing = yield* holding.look(rollingBack);
    const seen = yield* observe(record, listing, rollingBack);
    const doomed = { record, listing, seen, attempted: rollingBack, terminal };
    yield* finishTerminal(holding, doomed, RELEASE);
    return null;
  });

/** The terminal as the record has it; one that is not in it is a bug. */
const addedOf = (record: SessionRecord, id: TerminalId): AddedTerminal => {
  const { generation, incarnation, session } = record;
  const terminal = record.terminals.find((t) => t.terminal === id);
  if (terminal === undefined) throw new Error(`${session} has no terminal ${id}`);
  return { session, generation, incarnation, terminal };
};

/** Makes the terminal, as it is then. Whatever fails is undone before this ends. */
export const addTerminal = Effect.fn("Sessions.addTerminal.flow")(function* (
  holding: Holding,
  options: AddTerminalOptions,
) {
  milliseconds("startWindowMs", options.startWindowMs);
  const scopes = yield* SessionScopes;
  const place = yield* placeOf(holding);
  const held = yield* scopes.environment(holding.session, place.record.incarnation);
  const creation = yield* terminalCreationOf({ record: place.record, attempted, held, options });
  const terminal = nextTerminal(place.record);
  const exit = yield* Effect.exit(make(holding, place, terminal, creation));
  if (Exit.isSuccess(exit)) return addedOf(exit.value, terminal);
  const { environment } = creation;
  const record = yield* rollBack(holding, {
    attempted: rollingBack,
    environment,
    cause: exit.cause,
    undo: undo(holding, place, terminal),
  });
  return addedOf(record, terminal);
});
