/**
 * A session's terminals come and go while others act on it, in two programs: tmux and rows agree,
 * no peer is hurt, and what was acknowledged is so. Some pairs, to a cost of 1 here; all, in one
 * program, too, to 2 and with interruptions in `npm run explore`.
 */
import { describe, it } from "vitest";
import { add, create, fails, holds, withoutClaims } from "./SessionCalls.js";
import { terminalPairs } from "./TerminalPairs.js";

const shown = terminalPairs.filter(([name]) => /the other|the last/.test(name));

describe("in two programs", () => {
  for (const [name, before, a, b] of shown) {
    it(name, () => holds({ name, before, programs: [[a], [b]], time: true }, 1), 100_000);
  }

  it("add ∥ add does not hold without claims", () => {
    const programs = [[add], [add]];
    const name = "without claims";
    fails({ name, before: [create], programs, registry: withoutClaims }, 3);
  }, 100_000);
});
