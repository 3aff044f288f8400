/**
 * EndingWorlds: what is ended, met by what a delete of a sleeping program leaves out: programs that
 * end when they are asked to, a table of processes that cannot be read, and a list that comes late
 * beside a registry that fails.
 */
import { LookupFailed, type ProcessTable } from "@troupe/core";
import { Explore, FakeTmux } from "@troupe/testing";
import { Effect } from "effect";
import { forkedTwice } from "./KillWorlds.js";
import type { ListedWorld } from "./NamedWorld.js";
import { incidents } from "./Operations.js";
import {
  add,
  create,
  interrupted,
  programEnds,
  remove,
  removeTerminal,
  restore,
} from "./SessionCalls.js";
import type { Call } from "./SessionWorld.js";

/** A program that handles TERM, and ends a while after. */
const agent = FakeTmux.program((run) => {
  run.onSignal("TERM", () => run.after(50, () => run.exit(0)));
});

const spec = { session: "a", command: ["agent"], cwd: "/" };
const createAgent: Call = { name: "create an agent", run: (s) => s.create(spec) };

/** What ends an agent, and gives it time to end by itself. */
const polite: ReadonlyArray<Call> = [
  { name: "delete of an agent", run: (s) => s.delete("a", { graceMs: 200 }) },
  { name: "create in place of an agent", run: (s) => s.create({ ...spec, replace: true }) },
];

const asked = polite.map(
  (call): ListedWorld => ({
    name: `${call.name}, and an incident at any call of it`,
    cost: 1,
    machine: { programs: { agent } },
    before: [createAgent],
    programs: [[interrupted(call)]],
    happens: incidents.filter(({ name }) => !name.includes("t2")),
    crash: true,
  }),
);

const unread = (attempted: string) =>
  new LookupFailed({
    session: null,
    attempted,
    source: "processes",
    reason: "unclear",
    detail: "explored",
  });

const orUnread = <A>(what: string, look: Effect.Effect<A, LookupFailed>) =>
  Effect.flatMap(Explore.choose(`processes: ${what}`, ["told", "unread"]), (how) =>
    how === "told" ? look : unread(what),
  );

/** A table of which each look may fail. */
const failing = (table: ProcessTable["Type"]): ProcessTable["Type"] => ({
  ...table,
  look: (pid) => orUnread("look", table.look(pid)),
  snapshot: orUnread("list", table.snapshot),
  marked: (...what) => orUnread("marked", table.marked(...what)),
});

const unreadable: ReadonlyArray<ListedWorld> = [
  {
    name: "delete of what forked twice, and a table that fails",
    cost: 1,
    before: [create, forkedTwice("main")],
    programs: [[remove]],
    table: failing,
  },
  {
    name: "delete of a terminal that forked twice, and a table that fails",
    cost: 1,
    before: [create, add, forkedTwice("t2")],
    programs: [[removeTerminal]],
    table: failing,
  },
  {
    name: "delete, an incident, and a table that fails",
    cost: 2,
    before: [create],
    programs: [[remove]],
    happens: incidents.filter(({ name }) => !name.includes("t2")),
    table: failing,
  },
];

const late = { cost: 2, lateEffects: true };

const comesLate: ReadonlyArray<ListedWorld> = [
  {
    ...late,
    name: "add, late, the registry fails",
    registryFaults: true,
    before: [create],
    programs: [[add]],
  },
  ...[{ registryFaults: true }, { crash: true }].map((accident) => ({
    ...late,
    ...accident,
    name: `restore, late, ${"crash" in accident ? "with a crash" : "the registry fails"}`,
    before: [create, programEnds],
    programs: [[restore]],
  })),
];

/** The worlds. */
export const endingWorlds: ReadonlyArray<ListedWorld> = [...asked, ...unreadable, ...comesLate];
