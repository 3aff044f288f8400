/**
 * ForgottenWorlds: what a gc forgets of one name, and what of it is known still, as another needs
 * it: a server that died and had both, or had the other before the next began; a request.
 *
 * Without its server nobody could tell whether that lives out of reach: each verb of the other
 * answers as if there had been no gc, which comes before it or at any call of it. On both
 * registries. And a name is not forgotten that was used and ended since the plan was made.
 */
import type { Registry } from "@troupe/core";
import { Effect, Option } from "effect";
import type { WorldEnding } from "./EndingOf.js";
import { agreement, createOther, gc } from "./GcWorlds.js";
import type { ListedWorld } from "./NamedWorld.js";
import { serverDies, serverRestarts, userHurt } from "./Operations.js";
import { requested as requestedOfOne } from "./RequestWorlds.js";
import { create, remove } from "./SessionCalls.js";
import type { Call } from "./SessionWorld.js";

const spec = { session: "b", command: ["sleep", "100000"], cwd: "/" };

const requested: Call = {
  name: "create, requested",
  run: (s) => s.create({ ...spec, requestId: "request of the other" }),
};

/** A verb of the other name, and how it ends. */
interface Verb {
  readonly call: Call;
  readonly ends: string;
}

const verbs: ReadonlyArray<Verb> = [
  { call: { name: "restore", run: (s) => s.restore("b") }, ends: "ok" },
  { call: { name: "delete", run: (s) => s.delete("b", { graceMs: 0 }) }, ends: "ok" },
  { call: { name: "reconcile", run: (s) => s.reconcile("b") }, ends: "ok" },
  { call: createOther, ends: "failed AlreadyExists" },
  { call: requested, ends: "ok" },
  {
    call: { name: "create, replacing", run: (s) => s.create({ ...spec, replace: true }) },
    ends: "ok",
  },
  { call: { name: "add", run: (s) => s.addTerminal(spec) }, ends: "failed NotFound" },
  {
    call: {
      name: "delete a terminal",
      run: (s) => s.deleteTerminal("b", "main", { graceMs: 0 }),
    },
    ends: "ok",
  },
  { call: { name: "send", run: (s) => s.send("b", { text: "x" }) }, ends: "failed NotFound" },
  { call: { name: "adopt", run: (s) => s.adopt("b") }, ends: "failed NotFound" },
];

const EARLIER = "an earlier boot";

/** All that rows tell of is of an earlier boot. */
const rebooted = (registry: Registry["Type"]): Registry["Type"] => ({
  ...registry,
  get: (session) =>
    Effect.map(
      registry.get(session),
      Option.map((record) => ({
        ...record,
        processes: record.processes.map((one) => ({ ...one, bootId: EARLIER })),
      })),
    ),
  servers: Effect.map(registry.servers, (all) =>
    all.map((known) => ({ ...known, process: { ...known.process, bootId: EARLIER } })),
  ),
});

/** How the server died, and what there was of the name that is forgotten. */
interface Death extends Pick<ListedWorld, "registry"> {
  readonly name: string;
  readonly before: ReadonlyArray<Call>;
}

const inOne = [requested, requestedOfOne, remove];

const deaths: ReadonlyArray<Death> = [
  { name: serverDies.name, before: [...inOne, serverDies] },
  { name: serverRestarts.name, before: [...inOne, serverRestarts] },
  { name: "a reboot", before: [...inOne, serverDies], registry: rebooted },
  { name: "the first server dies", before: [requested, serverDies, requestedOfOne, remove] },
];

/** A gc that forgets the one name, and then the other is asked for. */
const behindGc = (call: Call): Call => ({
  ...call,
  name: `${call.name}, behind a gc`,
  run: (sessions, tmux) => Effect.zipRight(gc.run(sessions, tmux), call.run(sessions, tmux)),
});

/** It ends as it does without a gc. */
const endsAs =
  ({ call, ends }: Verb, { before }: Death) =>
  (ending: WorldEnding): string | null => {
    const line = ending.told.find((told) => told.startsWith(call.name));
    if (line?.includes(`: ${ends}`) !== true) return `${line}, and not ${ends}`;
    return agreement(ending) ?? (before.includes(serverRestarts) ? userHurt(ending) : null);
  };

/** Nothing is told of what is forgotten: the newest event by then is of the other. */
const stillTold = ({ events, records }: WorldEnding): string | null => {
  const known = new Set(records.map(({ incarnation }) => incarnation));
  const left = events.find(({ incarnation }) => !known.has(incarnation));
  return left === undefined ? null : `the log tells of ${left.incarnation}, which is forgotten`;
};

const behind = (verb: Verb, death: Death): ListedWorld => ({
  ...death,
  name: `${verb.call.name} of the other behind ${death.name}, and a gc before it`,
  cost: 0,
  programs: [[behindGc(verb.call)]],
  instead: (ending) => endsAs(verb, death)(ending) ?? stillTold(ending),
});

const inTheMiddle = (verb: Verb, death: Death): ListedWorld => ({
  ...behind(verb, death),
  name: `${verb.call.name} of the other behind ${death.name}, and a gc at any call of it`,
  cost: 1,
  programs: [[verb.call]],
  happens: gc,
  instead: endsAs(verb, death),
});

const onSqlite = (listed: ListedWorld): ListedWorld => ({
  ...listed,
  name: `${listed.name}, on SQLite`,
  sqlite: true,
});

const [dies] = deaths as [Death];

const of = (some: ReadonlyArray<Death>): ReadonlyArray<ListedWorld> =>
  verbs.flatMap((verb) => some.map((death) => behind(verb, death)));

/** What the request of the one made is forgotten, so it makes something anew. */
const requestedAnew: ListedWorld = {
  ...behind({ call: requestedOfOne, ends: "ok" }, dies),
  name: "create, requested, whose session a gc forgot",
};

/** Somebody uses the name, and ends what he made. */
const usesIt: Call = {
  name: "somebody uses the name",
  run: (sessions, tmux) => Effect.zipRight(create.run(sessions, tmux), remove.run(sessions, tmux)),
};

/** The claim of a name that has a row counts its generations. */
const usedAgain: ListedWorld = {
  name: "gc, and somebody uses the name at any call of it",
  cost: 1,
  before: [createOther, create, remove],
  programs: [[gc]],
  happens: usesIt,
  instead: agreement,
};

/** The worlds. */
export const forgottenWorlds: ReadonlyArray<ListedWorld> = [
  ...of(deaths),
  ...of([dies]).map(onSqlite),
  ...verbs.map((verb) => inTheMiddle(verb, dies)),
  requestedAnew,
  onSqlite(requestedAnew),
  usedAgain,
];
