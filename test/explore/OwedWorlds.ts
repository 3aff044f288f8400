/**
 * OwedWorlds: a lease that could not be given back once, and its program that sweeps while a turn
 * comes that claims it again: of the same writer, or of a sibling.
 *
 * Whichever is first, no other program begins anything beside that turn, and nothing is left.
 */
import { type Registry, RegistryUnavailable } from "@troupe/core";
import { Explore } from "@troupe/testing";
import { Effect } from "effect";
import { type Kit, type LeaseScene, leaseWorld } from "./LeaseWorld.js";
import { nothingLeft, oneAtATime } from "./LeaseWorlds.js";
import type { NamedWorld } from "./NamedWorld.js";

/** A registry of which the first lease that is given back stays. */
const failsOnce = (registry: Registry["Type"]): Registry["Type"] => {
  let fails = 1;
  const failed = new RegistryUnavailable({ session: null, attempted: "give", detail: "explored" });
  return {
    ...registry,
    releaseLease: (lease) =>
      Effect.suspend(() => {
        fails -= 1;
        return fails === 0 ? failed : registry.releaseLease(lease);
      }),
  };
};

/** Work with points at which another could come. */
const works = (kit: Kit) =>
  Effect.all(
    [
      kit.log(`begin ${kit.owner}`),
      Effect.repeatN(Explore.point("work"), 2),
      kit.log(`end ${kit.owner}`),
    ],
    { discard: true },
  );

const scene = (isSibling: boolean): LeaseScene => ({
  name: `a sweep of what is owed beside the next turn of ${isSibling ? "a sibling" : "its writer"}`,
  sessions: ["a"],
  programs: [
    (kit) =>
      Effect.gen(function* () {
        const handle = yield* kit.handles.get("a", { kind: "turn" });
        yield* handle.runTurn(() => Effect.void);
        const next = isSibling ? yield* kit.handles.get("a", { kind: "turn", anew: true }) : handle;
        const both = [next.runTurn(() => works(kit)), kit.leases.sweep];
        yield* Effect.all(both.map(Effect.exit), { concurrency: "unbounded" });
      }),
    (kit) =>
      Effect.gen(function* () {
        const handle = yield* kit.handles.get("a", { kind: "turn" });
        const came = Effect.exit(handle.runTurn(() => works(kit)));
        yield* Effect.repeatN(Effect.zipRight(Effect.sleep(1), came), 1);
      }),
  ],
  flawed: (registry) => failsOnce(registry),
  check: (ending) => oneAtATime(ending) ?? nothingLeft(ending),
});

/** The worlds. */
export const owedWorlds: ReadonlyArray<NamedWorld> = [false, true].map((isSibling) => ({
  world: leaseWorld(scene(isSibling)),
  cost: 1,
}));
