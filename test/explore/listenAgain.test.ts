/**
 * A verb that meets a living server whose socket was removed, or that loses it at any moment: the
 * server listens again, no second one is ever started, and after a reconcile everything agrees. To
 * a cost of 1 here, further in `npm run explore`. The twin does not know which servers there are.
 */
import type { Registry, ServerSocket } from "@troupe/core";
import { Effect } from "effect";
import { describe, it } from "vitest";
import { createUnlinked, listenWorlds } from "./ListenWorlds.js";
import { fails, holds } from "./SessionCalls.js";

describe("a server whose socket is removed listens again, and there is no second one, in", () => {
  it.each(listenWorlds)("$name", (world) => void holds(world, 1), 100_000);

  it("no world where nobody knows which servers there are", () => {
    const { cost, succeeds: _, ...world } = createUnlinked;
    const registry = (r: Registry["Type"]) => ({ ...r, servers: Effect.succeed([]) });
    const socket = (s: ServerSocket["Type"]) => ({
      ...s,
      isServedBy: () => Effect.succeed(false),
    });
    fails({ ...world, name: "create where the socket was removed, twin", registry, socket }, cost);
  }, 100_000);
});
