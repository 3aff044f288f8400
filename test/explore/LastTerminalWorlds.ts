/**
 * LastTerminalWorlds: a terminal whose delete was in vain, the delete of the one beside it, and who
 * comes behind that, where any program may die.
 *
 * Everybody who ends something was asked to, so no session is ever lost by that.
 */
import { inVain } from "./BirthWorlds.js";
import type { WorldEnding } from "./EndingOf.js";
import type { ListedWorld } from "./NamedWorld.js";
import { add, create, later, reconcile, removeFirst, removeTerminal } from "./SessionCalls.js";
import type { Call } from "./SessionWorld.js";

const notLost = ({ records }: WorldEnding): string | null =>
  records.some(({ state }) => state === "lost") ? "what was deleted is lost" : null;

const behind = (next: Call): ListedWorld => ({
  name: `delete of the last terminal beside one in vain ∥ ${next.name}`,
  cost: 1,
  before: [create, add, inVain(removeTerminal, "kill a terminal")],
  programs: [[removeFirst], [later(6_000, next)]],
  crash: true,
  also: notLost,
});

/** The worlds. */
export const lastTerminalWorlds: ReadonlyArray<ListedWorld> = [
  reconcile,
  add,
  removeTerminal,
  removeFirst,
].map(behind);
