/**
 * A restore of a session that was removed or whose program ended, with trouble at every port call,
 * and beside another verb in another program: of a removed one to a cost of 1 here, of both and to
 * 2 beside another in `npm run explore`. The twins have no claims, or nobody is told that a restore
 * begins.
 */
import { describe, it } from "vitest";
import { contestedRestores, troubledRestores } from "./RestoreWorlds.js";
import { fails, holds, withoutClaims, withoutRestorations } from "./SessionCalls.js";

/** The other is as long, and like it but for what there was before. */
const troubled = troubledRestores.slice(0, 1);

describe("a restore, whatever happens once at any port call of it,", () => {
  it.each(troubled)(
    "leaves tmux and the registry in agreement, and the session listed: $name",
    ({ cost, ...world }) => void holds(world, cost),
    100_000,
  );

  it.each(troubled)(
    "hides the session where nothing says that a restore begins it: $name",
    ({ cost, ...world }) => {
      fails({ ...world, name: `${world.name}, twin`, registry: withoutRestorations }, cost);
    },
    100_000,
  );
});

describe("a restore beside another verb in another program", () => {
  it.each(contestedRestores)(
    "leaves tmux and the registry in agreement: $name",
    (world) => void holds(world, 1),
    100_000,
  );

  it("does not without claims", () => {
    for (const world of contestedRestores.slice(0, 1)) {
      fails({ ...world, name: `${world.name}, twin`, registry: withoutClaims }, world.cost);
    }
  }, 100_000);
});
