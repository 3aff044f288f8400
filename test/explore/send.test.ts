/**
 * Input that is sent while others act on the session arrives whole and once where that was said,
 * not at all where it failed, and never twice: in one program and in two, with answers that are
 * lost and lists that are done late. To a cost of 1 here, further in `npm run explore`. The twins
 * have a guard removed.
 */
import type { TmuxTransport } from "@troupe/tmux";
import { describe, it } from "vitest";
import { pressOne, recreate, sendOne, sendTwo, sendWorld, sendWorlds } from "./SendWorlds.js";
import { fails, holds, withoutClaims, withoutFences } from "./SessionCalls.js";

describe("input arrives as it was told in", () => {
  it.each(sendWorlds)("$name", (world) => void holds(world, 1), 100_000);
});

/** What a list would be that addresses by name and checks nothing. */
const byName = (transport: TmuxTransport["Type"]): TmuxTransport["Type"] => ({
  ...transport,
  run: (request) => {
    const { stdin } = request;
    if (typeof stdin !== "string" || !stdin.includes("@troupe-sent")) return transport.run(request);
    const bare = stdin.replace(/if-shell -F -t \S+ "[^"]*"/g, 'if-shell -F "1"');
    return transport.run({ ...request, stdin: bare.replace(/-t %[0-9]+/g, "-t =a:") });
  },
});

describe("input does not arrive so", () => {
  it("of two programs without claims and fences", () => {
    const without = { registry: withoutClaims, transport: withoutFences };
    fails(sendWorld("send one ∥ send two, twin", [[sendOne], [sendTwo]], without), 2);
  }, 100_000);

  it("late, where tmux has no fences", () => {
    const twin = { lateEffects: true, transport: withoutFences };
    fails(sendWorld("keys, with a late list, twin", [[pressOne]], twin), 2);
  }, 100_000);

  it("late, in a session that was made anew and is addressed by name", () => {
    const twin = { lateEffects: true, transport: byName };
    fails(sendWorld("keys ∥ recreate, twin", [[pressOne], [recreate]], twin), 2);
  }, 100_000);
});
