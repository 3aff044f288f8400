/**
 * WalkMutants: guards that only a sequence of calls and facts needs, and no race.
 *
 * Each is found by walks that nobody wrote down, most of which go over a registry in memory: that
 * the one in SQLite does the same is held by worlds of its own.
 */
import { type Mutant, world } from "./Mutant.js";

/** Of what comes one after the other. */
export const walkMutants: ReadonlyArray<Mutant> = [
  {
    name: "terminals-are-counted-over-a-gap",
    removes: "A terminal that is added beside a guest in the middle of what was adopted is new.",
    file: "packages/core/src/AddTerminal.ts",
    from: "Math.max(1, ...numbers) + 1",
    to: "numbers.length + 1",
    and: [
      {
        file: "packages/core/src/AdoptStranger.ts",
        from: "own.map(({ paneId }, at) => ({",
        to: `own.map(({ paneId }) => ({
      paneId,
      at: seen.terminals.findIndex((t) => t.paneId === paneId),
    })).map(({ paneId, at }) => ({`,
      },
    ],
    killedBy: [world("long walks")],
  },
  {
    name: "a-pid-is-recorded-once",
    removes: "Who got the pid of a recorded process that is gone is recorded, too.",
    file: "packages/core/src/RegistryChanges.ts",
    from: "all.findIndex((other) => sameProcess(process, other));",
    to: "all.findIndex((other) => other.pid === pid && other.bootId === bootId);",
    and: [
      {
        file: "packages/core/src/RegistryChanges.ts",
        from: "    else all[at] = { ...process, terminal: before.terminal ?? terminal };\n",
        to: "    else all[at] = { ...before, terminal: before.terminal ?? terminal };\n",
      },
      {
        file: "packages/sqlite/src/WriteChange.ts",
        from: `          VALUES (?, ?, ?, ?, ?, ?)
          ON CONFLICT DO UPDATE SET terminal = coal`,
        to: `          SELECT ?, ?, ?, ?, ?, ? WHERE NOT EXISTS (SELECT 1 FROM processes
            WHERE incarnation = ? AND pid = ? AND boot_id = ? AND start_time <> ?)
          ON CONFLICT DO UPDATE SET terminal = coal`,
      },
      {
        file: "packages/sqlite/src/WriteChange.ts",
        from: "        [incarnation, pid, startTime, bootId, recorded.terminal, claim.epoch],\n",
        to: `        [
          ...[incarnation, pid, startTime, bootId, recorded.terminal, claim.epoch],
          ...[incarnation, pid, bootId, startTime],
        ],\n`,
      },
    ],
    killedBy: [world("long walks")],
  },
  {
    name: "values-are-hidden-as-they-come",
    removes: "The longest value is hidden first, and of one of several lines the whole.",
    file: "packages/core/src/Environment.ts",
    from: "flatMap((value) => [value, ...value.split(/[\\r\\n]+/)])",
    to: "flatMap((value) => [...value.split(/[\\r\\n]+/), value])",
    and: [
      {
        file: "packages/core/src/Environment.ts",
        from: "    .sort((a, b) => b.length - a.length)\n",
        to: "",
      },
    ],
    killedBy: [world("long walks"), world("long walks on SQLite")],
  },
];
