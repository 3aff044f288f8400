/**
 * SeatMutants: guards of leases and of the seats of their writers that a second path goes by: what
 * is looked at once more behind a wait. Each is taken away once.
 *
 * What goes away meanwhile is given back where it is by then.
 */
import { type Mutant, world } from "./Mutant.js";

const core = "packages/core/src";

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
];
