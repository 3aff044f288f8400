/**
 * LimitWorlds: a host that ends what is over, and whoever changes that in the middle of it: what
 * has a limit ends at it, not before and not long behind it, and nothing else does.
 *
 * A limit is of one incarnation. What could not be looked at is looked at again.
 */
import { enforceLimits, isFinal } from "@troupe/core";
import { Effect } from "effect";
import type { WorldEnding } from "./EndingOf.js";
import type { ListedWorld } from "./NamedWorld.js";
import { accidents } from "./Operations.js";
import { inProgram } from "./ProgramPorts.js";
import {
  add,
  later,
  programEnds,
  reconcile,
  removeByForce,
  removedByUser,
} from "./SessionCalls.js";
import type { Call } from "./SessionWorld.js";
import { LIMIT_LOOK_MS } from "./WorldProgram.js";

const TTL_MS = 1_000;

/** Longer than any limit, and than what can be between two looks. */
const HOSTS_MS = 20_000;

const specOf = { session: "a", command: ["cat"], cwd: "/" };

const createOf = (
  name: string,
  options: { readonly ttlMs?: number; readonly idleTtlMs?: number; readonly replace?: boolean },
): Call => ({ name, run: (s) => s.create({ ...specOf, ...options }) });

/** Over long before the next look of a host that does not hear of it. */
const brief = createOf("create", { ttlMs: TTL_MS / 5 });

const createLimited = createOf("create", { ttlMs: TTL_MS });

/** In the place of what has a limit. */
const replacing = createOf("create, replacing", { replace: true });
const renewing = createOf("create, replacing, with a limit", { replace: true, ttlMs: 3 * TTL_MS });

/** A program that hosts sessions, and is there for so long: what it could not end it ends later. */
const hosts: Call = {
  name: "limits are looked after",
  run: (s) => Effect.asVoid(Effect.timeoutOption(inProgram(s, enforceLimits(s)), HOSTS_MS)),
};

const causeOf = ({ cause }: { readonly cause: string | null }): boolean =>
  cause?.startsWith("time limit") === true;

/** What ended at its limit did not before it, and has one; with `at` it did not long behind it. */
const endedWrongly = ({ records }: WorldEnding, lateMs: number | null): string | null => {
  for (const record of records.filter(causeOf)) {
    const { ttlMs } = record.spec;
    if (ttlMs === undefined) return `${record.incarnation} has no limit, and it passed`;
    const behind = record.updatedAt - (record.createdAt + ttlMs);
    if (behind < 0) return `${record.incarnation} ended ${-behind} ms before its limit`;
    if (lateMs !== null && behind > lateMs) return `${record.incarnation} ended ${behind} ms late`;
  }
  return null;
};

/** What nobody ended lives unless it had a limit, and what had one does not. */
const leftWrongly = ({ records, told }: WorldEnding): string | null => {
  const newest = records.at(-1);
  if (newest === undefined) return "there is no row";
  const isAsked = told.some((line) => /^(delete|a user removes|the server).*: ok/.test(line));
  const isOver = isFinal(newest.state);
  const { createdAt, spec, state } = newest;
  if (spec.ttlMs !== undefined) {
    // What has begun at the end of the host has its limit behind that.
    const isYoung = createdAt + spec.ttlMs > HOSTS_MS - LIMIT_LOOK_MS;
    return isOver || isYoung || state === "lost" ? null : `it is ${state} behind its limit`;
  }
  return isOver && !isAsked ? `it has no limit, and is ${state}` : null;
};

const judged =
  (lateMs: number | null) =>
  (ending: WorldEnding): string | null =>
    endedWrongly(ending, lateMs) ?? leftWrongly(ending);

/** A kill with its looks, where nothing goes wrong. */
const PROMPT_MS = LIMIT_LOOK_MS / 2;

const inTheMiddle: ReadonlyArray<ListedWorld> = [
  {
    name: "limits, and another program's verb at any call of it",
    cost: 1,
    before: [createLimited],
    programs: [[hosts]],
    happens: [replacing, renewing, add, removeByForce, reconcile],
    also: judged(null),
  },
  {
    name: "limits, and an accident at any call of it",
    cost: 1,
    before: [createLimited],
    programs: [[hosts]],
    happens: [programEnds, removedByUser, ...accidents],
    crash: true,
    // A host that died, or whose server is out of reach, ends nothing more.
    also: (ending) => endedWrongly(ending, null),
  },
  {
    name: "limits, and a registry or a tmux that fails",
    cost: 1,
    before: [createLimited],
    programs: [[hosts]],
    faults: { faults: ["failed", "lost", "hung"] },
    registryFaults: true,
    also: (ending) =>
      ending.told.some((line) => line.includes("explored bug"))
        ? endedWrongly(ending, null)
        : judged(null)(ending),
  },
];

const beside = (call: Call, how: Partial<ListedWorld> = {}): ListedWorld => ({
  name: `limits ∥ ${call.name}`,
  cost: 1,
  before: [createLimited],
  programs: [[hosts], [later(TTL_MS / 2, call)]],
  also: judged(PROMPT_MS),
  ...how,
});

const prints: Call = { name: "it prints", run: (_, tmux) => tmux.type("a", "printed") };

const besides: ReadonlyArray<ListedWorld> = [
  ...[replacing, renewing, programEnds, add].map((call) => beside(call)),
  beside(hosts, {
    name: "limits that two programs look after",
    crash: true,
    also: (ending) => judged(null)(ending),
  }),
  beside(brief, {
    name: "limits, and a session that begins behind a look",
    before: [],
    programs: [[hosts], [later(LIMIT_LOOK_MS + 100, brief)]],
  }),
  beside(prints, {
    name: "limits of what is idle ∥ it prints",
    before: [createOf("create", { idleTtlMs: TTL_MS })],
    also: ({ records }) => {
      const [one] = records;
      if (one === undefined || !isFinal(one.state)) return `what is idle is ${one?.state}`;
      const after = one.updatedAt - one.createdAt;
      return after < TTL_MS * 1.4 ? `it printed, and was ended ${after} ms after its start` : null;
    },
  }),
  {
    name: "limits of what is idle, and files that fail",
    cost: 1,
    before: [createOf("create", { idleTtlMs: TTL_MS })],
    programs: [[hosts]],
    files: "with failures",
    also: ({ records, told }) =>
      isFinal(records[0]?.state ?? "lost") || told.some((line) => line.includes("explored bug"))
        ? null
        : `what is idle is ${records[0]?.state}`,
  },
];

/** The worlds. */
export const limitWorlds: ReadonlyArray<ListedWorld> = [...inTheMiddle, ...besides];
