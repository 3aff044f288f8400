/**
 * HeldScopes: what the programs of a session world hold for sessions, and what of it is held still
 * when its session has ended.
 *
 * Every program was supplied with the value of each session that there is before anything is
 * explored. What a program ended itself it holds no more when its calls have ended; what another
 * ended or made anew, behind its next message of the name.
 */
import {
  type IncarnationId,
  isFinal,
  type Registry,
  type SessionRecord,
  type SessionScopes,
  type Sessions,
} from "@troupe/core";
import { Explore } from "@troupe/testing";
import { Effect, Redacted } from "effect";
import { newest } from "./Agreement.js";
import { env } from "./Canary.js";

/** An incarnation that ended. */
export type Ended = Pick<SessionRecord, "session" | "incarnation">;

/** A program, and what it holds. */
export interface Holder {
  readonly owner: string;
  readonly sessions: Sessions["Type"];
  readonly scopes: SessionScopes["Type"];
  /** What it ended itself, and knows that it did. */
  readonly ended: ReadonlyArray<Ended>;
}

/** Supplies the program with the values of these sessions, as one that was told them. */
export const supplied = (
  scopes: SessionScopes["Type"],
  records: ReadonlyArray<SessionRecord>,
): Effect.Effect<void> => {
  const values = new Map(Object.entries(env).map(([name, v]) => [name, Redacted.make(v)]));
  const living = records.filter(({ spec, state }) => !isFinal(state) && spec.envNames.length > 0);
  return Effect.forEach(
    living,
    ({ incarnation, session }) => scopes.open(session, incarnation, values),
    { discard: true },
  );
};

/** The same registry, which notes what ends by a write that its program knows of. */
export const noting = (registry: Registry["Type"], ended: Array<Ended>): Registry["Type"] => ({
  ...registry,
  commit: (claim, incarnation, changes, options) =>
    Effect.tap(registry.commit(claim, incarnation, changes, options), (record) => {
      const { ending } = options;
      if (isFinal(record.state)) ended.push(record);
      if (ending !== undefined) ended.push({ ...ending, session: claim.session });
      return Effect.void;
    }),
});

const isHeld = ({ scopes }: Holder, { incarnation, session }: Ended) =>
  Effect.map(scopes.environment(session, incarnation), ({ size }) => size > 0);

const toldOf = (owner: string, incarnation: IncarnationId, why: string): string =>
  `untrue: a scope of ${owner} is open of ${incarnation}, which ${why}`;

/** What a program still holds of what it ended, when its calls have ended; a line for each. */
export const heldOfItsOwn = (holder: Holder): Effect.Effect<ReadonlyArray<string>> =>
  Effect.map(
    Effect.filter(holder.ended, (one) => isHeld(holder, one)),
    (left) => left.map((one) => toldOf(holder.owner, one.incarnation, "it ended")),
  );

/**
 * What a program holds of what is over at the end, whoever ended it, behind a message of the name.
 * One that failed says nothing, and neither does one that was left to a living holder.
 */
export const heldOfOthers = Effect.fnUntraced(function* (
  holder: Holder,
  records: ReadonlyArray<SessionRecord>,
) {
  const living = newest(records).filter(({ state }) => !isFinal(state));
  const over = records.filter((record) => !living.includes(record));
  const lines: Array<string> = [];
  for (const record of yield* Effect.filter(over, (one) => isHeld(holder, one))) {
    const { incarnation, session, state } = record;
    const said = yield* Effect.exit(holder.sessions.reconcile(session));
    const wasTaken = said._tag === "Success" && !said.value.why.startsWith("held by");
    if (!wasTaken || !(yield* isHeld(holder, record))) continue;
    lines.push(toldOf(holder.owner, incarnation, `is ${state}`));
  }
  return lines;
}, Explore.quietly);
