/**
 * LeaseMeetWorlds: turns that take time, and what meets them in the middle: a sweep, a word that is
 * said late of the turn before, and another program that goes over what is settled.
 *
 * A turn that is over at once shows nobody beside it; here each lasts longer than what comes.
 */
import { ActorId, LeaseId, type LeaseOver } from "@troupe/core";
import { Effect } from "effect";
import { type Kit, type LeaseScene, leaseWorld, name } from "./LeaseWorld.js";
import { oneAtATime } from "./LeaseWorlds.js";
import type { NamedWorld } from "./NamedWorld.js";

/** Work that takes so long. */
const works = (kit: Kit, ms: number) =>
  Effect.all([kit.log(`begin ${kit.owner}`), Effect.sleep(ms), kit.log(`end ${kit.owner}`)], {
    discard: true,
  });

/** A turn of a writer that keeps no lease behind it. */
const turnOf = (kit: Kit) =>
  Effect.gen(function* () {
    const handle = yield* kit.handles.get("a", { kind: "turn" });
    yield* Effect.exit(handle.runTurn(() => works(kit, 60)));
  });

/** What could not be given back, and a sweep and another program while its writer works again. */
const sweeping: LeaseScene = {
  name: "a sweep beside a turn that takes time, and a registry that is slow or fails",
  sessions: ["a"],
  programs: [
    (kit) =>
      Effect.gen(function* () {
        yield* turnOf(kit);
        const sweep = Effect.zipRight(Effect.sleep(20), Effect.exit(kit.leases.sweep));
        yield* Effect.all([turnOf(kit), sweep], { concurrency: "unbounded" });
      }),
    (kit) => Effect.zipRight(Effect.sleep(90), turnOf(kit)),
  ],
  troubled: true,
  check: oneAtATime,
};

/** Takes the lease of a writer that lives, and whose turn is waited for unless that is said. */
export const takesSettled = (kit: Kit, session = "a", over: LeaseOver = "settled") =>
  kit.registry.claimLease({
    session: name(session),
    attempted: "explored",
    component: "sessions",
    actor: ActorId.make(`actor-of-${kit.owner}`),
    surface: "explored",
    capacity: null,
    lease: LeaseId.make(`lease-of-${kit.owner}`),
    over,
  });

/** The last word of a turn, which is said again later, when the next one runs. */
const lateWord: LeaseScene = {
  name: "a takeover of what is settled beside a late last word, and a registry that is slow or fails",
  sessions: ["a"],
  programs: [
    (kit) =>
      Effect.gen(function* () {
        const handle = yield* kit.handles.get("a");
        yield* Effect.exit(handle.runTurn(() => Effect.void));
        yield* Effect.exit(handle.runTurn(() => works(kit, 1_500)));
      }),
    (kit) =>
      Effect.gen(function* () {
        yield* Effect.sleep(1_200);
        const taken = yield* Effect.exit(takesSettled(kit));
        if (taken._tag === "Success") yield* works(kit, 0);
      }),
  ],
  troubled: "notes",
  check: oneAtATime,
};

/** The worlds. */
export const leaseMeetWorlds: ReadonlyArray<NamedWorld> = [
  { world: leaseWorld(sweeping), cost: 1 },
  { world: leaseWorld(lateWord), cost: 1 },
];
