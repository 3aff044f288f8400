/**
 * SeatMutants: guards of leases and of the seats of their writers that a second path goes by: what
 * is looked at once more behind a wait. Each is taken away once.
 *
 * What goes away meanwhile is given back where it is by then.
 */
import { type Mutant, world } from "./Mutant.js";

const core = "packages/core/src";

const elsewhere = world("a turn whose lease goes elsewhere, and its writer's next one");

/** Of seats and their leases. */
export const seatMutants: ReadonlyArray<Mutant> = [
  {
    name: "lease-is-given-back-under-the-name-it-left",
    removes: "Who waited for the name of a lease that left it meanwhile waits for the other name.",
    file: `${core}/LeaseRelease.ts`,
    from: "held.session === session ? Effect.asSome(effect) : Effect.succeedNone,",
    to: "Effect.asSome(effect),",
    killedBy: [
      world("a lease that goes elsewhere beside a release"),
      world("a lease that goes elsewhere beside the end of its scope"),
      world("a lease that goes elsewhere beside the end of its writer"),
    ],
  },
  {
    name: "release-means-the-name-it-was-given-for",
    removes: "Who releases a lease that was moved meanwhile gives back what became of it.",
    file: `${core}/LeaseEnds.ts`,
    from: `        const own = held.since(lease);
        return own === null ? Effect.void : given(own);`,
    to: `        const own = held.of(lease);
        return own === null ? Effect.void : given(own);`,
    killedBy: [world("a lease that goes elsewhere beside a release")],
  },
  {
    name: "what-is-owed-waits-for-a-turn",
    removes: "What a writer gave up, and could not, is given back at its end, whatever runs on.",
    file: `${core}/LeaseEnds.ts`,
    from: 'unsettled === null || own.state._tag === "Owed" ? given(own)',
    to: "unsettled === null ? given(own)",
    killedBy: [world("a turn that gave its lease back and runs on behind its writer's end")],
  },
  {
    name: "sweep-gives-back-what-was-owed",
    removes: "What was owed and is claimed again by now is not given back by a sweep.",
    file: `${core}/LeaseSweep.ts`,
    from: 'held.state._tag === "Owed" ? giveUp(sweeping, held) : Effect.void',
    to: "giveUp(sweeping, held)",
    killedBy: [world("a sweep of what is owed beside the next turn of its writer")],
  },
  {
    name: "next-turn-under-the-lease-of-another-name",
    removes: "A turn runs under a lease of its writer's own name, wherever the one before it went.",
    file: `${core}/TurnAdmission.ts`,
    from: "return lease?.session === seat.writer.session ? lease : null;",
    to: "return lease;",
    killedBy: [elsewhere],
  },
  {
    name: "child-named-where-the-lease-was",
    removes: "A child is noted where the lease of its turn is by then.",
    file: `${core}/TurnHandle.ts`,
    from: "leases.guarded(leases.latest(lease), { children",
    to: "leases.guarded(lease, { children",
    killedBy: [elsewhere],
  },
];
