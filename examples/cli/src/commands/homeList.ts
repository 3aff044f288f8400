/**
 * home list: the homes that this call can know, and how many sessions each has in which state.
 *
 * They are the one that the call is about and the usual one. Each is read as `list` reads it, so
 * the states are the same; nothing is written, and a home that is not there is not made. A home
 * that cannot be read is told as that.
 */
import { type SessionState, Sessions } from "@troupe/core";
import { Clock, Effect, Either } from "effect";
import { ageText } from "../Age.js";
import { Caller } from "../Caller.js";
import type { CommandFailure } from "../CommandFailure.js";
import { type Call, type CommandSpec, type Outcome, outcome } from "../CommandSpec.js";
import { errorResult } from "../Envelope.js";
import { type Location, locationOf, usualHome } from "../Location.js";
import { withProgress } from "../Progress.js";
import { type HomeItem, HomeListResult } from "../Results.js";
import { type Cell, type Paper, table } from "../Table.js";

/** One home and what came of reading it. */
interface Part {
  readonly item: HomeItem;
  readonly failure: CommandFailure | null;
}

const ended: ReadonlySet<SessionState> = new Set(["deleted", "failed"]);

const nothing = { active: null, ended: null, states: null, changedAt: null, unreadable: null };

const read = Effect.fnUntraced(function* (location: Location, places: ReadonlyArray<string>) {
  const { home } = location;
  const { Troupe } = yield* Effect.promise(() => import("@troupe/node"));
  const listing = Effect.flatMap(Sessions, (sessions) => sessions.list({ all: true }));
  const listed = yield* Effect.either(Effect.provide(listing, Troupe.layer(location)));
  if (Either.isLeft(listed)) {
    const part: Part = {
      item: { home, ...nothing, error: errorResult(listed.left, places) },
      failure: listed.left,
    };
    return part;
  }
  const { sessions, unreadable } = listed.right;
  const states: Record<string, number> = {};
  for (const { state } of sessions) states[state] = (states[state] ?? 0) + 1;
  const over = sessions.filter(({ state }) => ended.has(state)).length;
  const active = sessions.length - over;
  const changes = sessions.map(({ updatedAt }) => updatedAt);
  const changedAt = changes.length === 0 ? null : Math.max(...changes);
  const counts = { active, ended: over, states, changedAt, unreadable: unreadable.length };
  const part: Part = { item: { home, ...counts, error: null }, failure: null };
  return part;
});

const heads = ["HOME", "ACTIVE", "ENDED", "CHANGED", "STATES"];

const textOf = (homes: ReadonlyArray<HomeItem>, now: number, paper: Paper): string => {
  const line = (item: HomeItem): ReadonlyArray<Cell> => {
    const { active, changedAt, ended, error, home, states } = item;
    const counts = Object.entries(states ?? {}).map(([state, count]) => `${count} ${state}`);
    const told = error === null ? counts.join(", ") || "-" : error.message;
    const changed = changedAt === null ? "-" : `${ageText(changedAt, now)} ago`;
    const facts = [home, String(active ?? "?"), String(ended ?? "?"), changed];
    return [...facts.map((text) => ({ text })), { text: told, whole: error !== null }];
  };
  return table([heads.map((text) => ({ text })), ...homes.map(line)], paper);
};

const run = (call: Call): Effect.Effect<Outcome, CommandFailure, Caller> =>
  Effect.gen(function* () {
    const { paper } = yield* Caller;
    const own = yield* locationOf(call);
    const usual = yield* usualHome;
    const others = own.home === usual ? [] : [{ home: usual, reconcileOnStart: false as const }];
    const parts = yield* Effect.forEach([own, ...others], (one) =>
      read(one, ["--home", one.home]),
    ).pipe(withProgress("reading"));
    const homes = parts.map(({ item }) => item);
    const failure = parts.find((part) => part.failure !== null)?.failure ?? null;
    const now = yield* Clock.currentTimeMillis;
    return yield* outcome(HomeListResult, { homes }, textOf(homes, now, paper), failure);
  });

/** `troupe home list` */
export const homeList: CommandSpec = {
  name: "home list",
  alias: null,
  summary: "known homes and how many sessions they have",
  about:
    "Lists the home of this call and the usual one, each with its sessions counted by state, as " +
    "list shows them. Changes nothing and makes nothing: a home that is not there has none.",
  args: { usage: "", least: 0, most: 0, tail: false },
  options: [],
  examples: ["troupe home list --json"],
  run,
};
