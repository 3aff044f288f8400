/**
 * A session's terminals come and go while others act on it: in one program and in two, tmux and
 * rows agree, no peer is hurt, and what was acknowledged is so. To a cost of 1 here, to 2 and with
 * interruptions in `npm run explore`.
 */
import { describe, it } from "vitest";
import { add, create, fails, holds, withoutClaims } from "./SessionCalls.js";
import { terminalPairs } from "./TerminalPairs.js";

describe("in one program", () => {
  for (const [name, before, a, b] of terminalPairs) {
    it(name, () => holds({ name, before, programs: [[a, b]] }, 1), 100_000);
  }
});

describe("in two programs", () => {
  for (const [name, before, a, b] of terminalPairs) {
    it(name, () => holds({ name, before, programs: [[a], [b]], time: true }, 1), 100_000);
  }

  it("add ∥ add does not hold without claims", () => {
    const programs = [[add], [add]];
    const name = "without claims";
    fails({ name, before: [create], programs, registry: withoutClaims }, 3);
  }, 100_000);
});
