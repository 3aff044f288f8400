/**
 * TogetherWorlds: two deletes at once in one program that were asked for in two ways: they are one
 * only where they ask for the same.
 *
 * Whoever wants what left the session ended has that ended when it is acknowledged, and whoever
 * wants a snapshot is told of one only where it is kept.
 */
import type { WorldEnding } from "./EndingOf.js";
import type { ListedWorld } from "./NamedWorld.js";
import { create, remove } from "./SessionCalls.js";
import type { Call } from "./SessionWorld.js";
import { leavers, sparing, unspared } from "./SparingWorlds.js";

const bare: Call = {
  name: "delete, without a snapshot",
  run: (s) => s.delete("a", { graceMs: 0, snapshot: false }),
};

/** A delete that ended something told of what it was asked to keep. */
const kept = ({ told }: WorldEnding): string | null => {
  for (const line of told.filter((one) => one.includes('"alreadyGone":false'))) {
    const [, name = "", snapshot = ""] = /^([^:]*): ok .*"snapshot":"([a-z]*)"/.exec(line) ?? [];
    const wanted = name === bare.name ? "none" : "kept";
    if (name.startsWith("delete") && snapshot !== wanted) return `${name} has ${snapshot}`;
  }
  return null;
};

const together = (a: Call, b: Call, also: ListedWorld["also"]): ReadonlyArray<ListedWorld> =>
  [
    [a, b],
    [b, a],
  ].map((calls) => ({
    name: `deletes of two kinds at once: ${calls.map(({ name }) => name).join(" ∥ ")}`,
    cost: 1,
    before: [create, leavers],
    programs: [calls],
    ...(also === undefined ? {} : { also }),
  }));

/** The worlds. */
export const togetherWorlds: ReadonlyArray<ListedWorld> = [
  ...together(remove, sparing, unspared),
  ...together(remove, bare, kept),
];
