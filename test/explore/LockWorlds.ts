/**
 * LockWorlds: a program that holds the lock of its name lives, whatever the table of processes of
 * another one shows, which may be that of another namespace of pids, or of nothing.
 *
 * On SQLite, where the locks are. What it holds is not taken, swept or removed, and it goes on.
 */
import { type Claim, LookupFailed, ProcessTable, Registry } from "@troupe/core";
import { Explore, exploredRegistry, type World } from "@troupe/testing";
import { Context, Effect, Layer } from "effect";
import { made, name } from "./LeaseWorld.js";
import type { NamedWorld } from "./NamedWorld.js";
import { ProgramProcesses } from "./ProgramProcesses.js";
import { leaseRequest } from "./UnderLeaseWorlds.js";
import { sqliteIn, usedHome } from "./WorldStore.js";

type Looks = ProcessTable["Type"]["look"];

const unreadable = new LookupFailed({
  ...{ session: null, attempted: "explored", source: "processes", reason: "permission" },
  detail: "explored",
});

/** What the other one sees of the process of the holder. */
const sights: ReadonlyArray<readonly [string, (look: Looks) => Looks]> = [
  ["sees it", (look) => look],
  ["does not see it", () => () => Effect.succeed(null)],
  [
    "sees another in its place",
    (look) => (pid) =>
      Effect.map(look(pid), (entry) =>
        entry === null ? null : { ...entry, id: { ...entry.id, startTime: 7 } },
      ),
  ],
  ["cannot look", () => () => unreadable],
];

const a = name("a");
const byForce = { attempted: "explored", force: true };

/** What the other one tries, none of which is by force; `true` where it got what the first has. */
const tries = (registry: Registry["Type"]) => {
  const got = <A>(effect: Effect.Effect<A, unknown>, what: (value: A) => boolean) =>
    Effect.map(Effect.either(effect), (e) => e._tag === "Right" && what(e.right));
  return [
    ["the claim", got(registry.claim(a, { ...byForce, force: false }), () => true)],
    ["the lease", got(registry.claimLease(leaseRequest("other")), () => true)],
    [
      "a sweep",
      got(
        registry.sweepLeases({ component: "sessions", vouched: () => true, graceMs: 0 }),
        ({ dead }) => dead > 0,
      ),
    ],
    ["a gc of leftovers", got(registry.leftovers({ remove: true }), (left) => left.length > 0)],
  ] as const;
};

const world = (sight: string, seen: (look: Looks) => Looks): World<ReadonlyArray<string>> => ({
  name: `a program holds a claim and a lease, and another ${sight}`,
  start: () => {
    const odd: Array<string> = [];
    const program = Effect.gen(function* () {
      const home = yield* usedHome;
      const processes = new ProgramProcesses();
      const on = (owner: string, looks: (look: Looks) => Looks) => {
        const table = processes.of(owner);
        const look: Looks = (pid) =>
          pid === table.ownPid ? table.look(pid) : looks(table.look)(pid);
        const layer = sqliteIn(home, owner, Layer.succeed(ProcessTable, { ...table, look }));
        return Explore.quietly(Effect.map(Layer.build(layer), Context.get(Registry)));
      };
      const holder = yield* on("holder", (look) => look);
      const claim: Claim = yield* Explore.quietly(
        Effect.gen(function* () {
          yield* made(holder, "a");
          yield* holder.claimLease(leaseRequest("holder"));
          return yield* holder.claim(a, byForce);
        }),
      );
      const other = exploredRegistry(yield* on("other", seen));
      for (const [what, isHad] of tries(other)) {
        if (yield* isHad) odd.push(`${what} was had of a program that lives`);
      }
      const [left] = yield* holder.leases;
      if (left?.holder !== "self") odd.push("its lease is not its own any more");
      if ((yield* Effect.exit(holder.release(claim, { fenceDue: false })))._tag === "Failure") {
        odd.push("its claim is not its own any more");
      }
      return odd;
    }).pipe(Explore.scoped, Effect.orDie, Effect.withTracerEnabled(false));
    return { program, check: ([first]) => first ?? null };
  },
});

/** The worlds. */
export const lockWorlds: ReadonlyArray<NamedWorld> = sights.map(([sight, seen]) => ({
  world: world(sight, seen),
  cost: 1,
}));
