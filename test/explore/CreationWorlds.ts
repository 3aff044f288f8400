/**
 * CreationWorlds: what is made is made whole or not at all, by the message that makes it.
 *
 * Most of these have nobody who reconciles behind them: what a creation leaves is what there is.
 */
import { Effect } from "effect";
import { type Ending, hidden, newest } from "./Agreement.js";
import { forkedTwice } from "./KillWorlds.js";
import type { ListedWorld } from "./NamedWorld.js";
import {
  add,
  anyFault,
  create,
  interrupted,
  later,
  programEnds,
  remove,
  removedByUser,
  restore,
  withoutFences,
} from "./SessionCalls.js";
import type { Call } from "./SessionWorld.js";

const spec = { session: "a", command: ["sleep", "100000"], cwd: "/" };

const createBadly: Call = {
  name: "create",
  run: (sessions) => sessions.create({ ...spec, command: ["false"] }),
};

const addBadly: Call = {
  name: "add",
  run: (sessions) => sessions.addTerminal({ ...spec, command: ["false"] }),
};

const createOnce: Call = {
  name: "create",
  run: (sessions) => sessions.create({ ...spec, requestId: "request-1" }),
};

const replace: Call = {
  name: "create, replacing",
  run: (sessions) => sessions.create({ ...spec, replace: true }),
};

/** The server dies, and a user starts another at the same path. */
const restarted: Call = {
  name: "another server takes the place of ours",
  isAccident: true,
  run: (_, tmux) =>
    Effect.zipRight(
      tmux.crash,
      tmux.client(["new-session", "-d", "-s", "other", "--", "sleep", "100000"]),
    ),
};

const stop: Call = { name: "stop the server", run: (sessions) => sessions.stopServer };

/** Somebody stops the server, unless it has a session, which a create is about to make. */
const stopEmpty: Call = {
  name: "somebody stops an empty server",
  isAccident: true,
  run: (_, tmux) => tmux.client(["if-shell", "-F", "#{==:#{S:x},}", "kill-server"]),
};

const unacknowledged = ({ told }: Ending): string | null =>
  told.find((line) => line.startsWith("create: ok")) ?? null;

const oneRow = ({ records }: Ending): string | null =>
  records.length === 1 ? null : `one request made ${records.length} sessions`;

const notLost = ({ records }: Ending): string | null =>
  newest(records).some(({ state }) => state === "lost") ? "the session was lost" : null;

const late = { lateEffects: true };
const alone = { recovers: false };

/** What a creation leaves. */
export const creationWorlds: ReadonlyArray<ListedWorld> = [
  {
    ...alone,
    name: "create of a program that fails",
    cost: 1,
    programs: [[createBadly]],
    also: unacknowledged,
  },
  {
    ...alone,
    name: "add of a program that fails",
    cost: 1,
    before: [create],
    programs: [[addBadly]],
  },
  {
    ...alone,
    name: "create, with a fault and nobody behind it",
    cost: 1,
    programs: [[create]],
    faults: anyFault,
  },
  {
    ...alone,
    name: "create, with a caller that leaves and nobody behind it",
    cost: 1,
    programs: [[interrupted(create)]],
  },
  {
    ...alone,
    name: "add, with a caller that leaves and nobody behind it",
    cost: 1,
    before: [create],
    programs: [[interrupted(add)]],
  },
  { name: "create, with a crash", cost: 1, programs: [[create]], crash: true },
  { name: "add, with a crash", cost: 1, before: [create], programs: [[add]], crash: true },
  {
    name: "create, with a lost reply",
    cost: 1,
    programs: [[create]],
    faults: { faults: ["lost"], at: ({ stdin }) => `${stdin}`.includes("new-session") },
    succeeds: ["create"],
  },
  { ...late, name: "create, with a late list", cost: 1, programs: [[create]] },
  { ...late, name: "add, with a late list", cost: 1, before: [create], programs: [[add]] },
  {
    ...late,
    name: "create, with a late list and a crash",
    cost: 2,
    programs: [[create]],
    crash: true,
  },
  {
    ...late,
    name: "create, with a late list and no fences",
    cost: 1,
    programs: [[create]],
    transport: withoutFences,
    letGoFirst: true,
  },
  {
    name: "create ∥ another server",
    cost: 1,
    before: [create, remove],
    programs: [[create], [later(50, restarted)]],
    time: true,
  },
  {
    name: "create ∥ stop the server",
    cost: 1,
    before: [create, remove],
    programs: [[create], [later(50, stop)]],
    time: true,
    also: notLost,
  },
  {
    name: "create, while an empty server is stopped at any call of it",
    cost: 1,
    before: [create, remove],
    programs: [[create]],
    happens: stopEmpty,
    succeeds: ["create"],
  },
  {
    ...alone,
    name: "create ∥ create of one request",
    cost: 1,
    programs: [[createOnce], [createOnce]],
    succeeds: ["create"],
    also: oneRow,
  },
  {
    ...alone,
    name: "create in place of another",
    cost: 1,
    before: [create],
    programs: [[replace]],
    succeeds: ["create, replacing"],
  },
  {
    name: "restore of what was lost, with a crash",
    cost: 1,
    before: [create, removedByUser],
    programs: [[restore]],
    crash: true,
    also: hidden,
  },
  {
    name: "restore of what left a process behind",
    cost: 1,
    before: [create, forkedTwice("main"), removedByUser],
    programs: [[restore]],
    succeeds: ["restore"],
  },
  {
    name: "restore of what ended, with a crash",
    cost: 1,
    before: [create, programEnds],
    programs: [[restore]],
    crash: true,
    also: hidden,
  },
];
