/**
 * SeatMutants: guards of leases and of the seats of their writers that a second path goes by: what
 * is looked at once more behind a wait. Each is taken away once.
 *
 * What goes away meanwhile is given back where it is by then.
 */
import { type Mutant, world } from "./Mutant.js";

const core = "packages/core/src";

const elsewhere = world("a turn whose lease goes elsewhere, and its writer's next one");
const left = world("a turn that waits, and its caller leaves");
const interrupted = world("a turn that waits, and its writer is interrupted");

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
  {
    name: "who-leaves-the-line-stays-counted",
    removes: "Who leaves while it waits for the seat is not counted any more.",
    file: `${core}/TurnRun.ts`,
    from: "Effect.onError(restore(seat.enter), () => out)",
    to: "restore(seat.enter)",
    killedBy: [left],
  },
  {
    name: "who-is-refused-in-the-seat-stays-counted",
    removes: "Who had the seat and did not begin is not counted any more.",
    file: `${core}/TurnRun.ts`,
    from: "        Effect.sync(() => seat.leave()),\n        out,\n      );",
    to: "        Effect.sync(() => seat.leave()),\n        Effect.void,\n      );",
    killedBy: [interrupted],
  },
  {
    name: "who-leaves-as-it-is-let-in-keeps-the-seat",
    removes: "Who leaves at the moment at which it is let in gives the seat to the next one.",
    file: `${core}/TurnSeat.ts`,
    from: "if (ticket.isIn) this.leave();",
    to: "",
    killedBy: [left],
  },
  {
    name: "interrupt-spares-who-waits",
    removes: "An interrupt drops what waits behind the turn that it stops.",
    file: `${core}/TurnSeat.ts`,
    from: "this.drop(new TurnInterrupted({ session, attempted, turn: null, by: cause }));",
    to: "void session;",
    killedBy: [interrupted],
  },
  {
    name: "who-was-let-in-is-not-dropped",
    removes: "An interrupt drops also who was let in and has not begun.",
    file: `${core}/TurnSeat.ts`,
    from: "    this.drops += 1;\n",
    to: "",
    killedBy: [interrupted],
  },
  {
    name: "lease-goes-before-what-its-writer-holds",
    removes: "What a writer holds is closed before its lease goes.",
    file: `${core}/EndSession.ts`,
    from: "      endScope(ended),\n      endRow(ended),\n      endLeases(ended),",
    to: "      endLeases(ended),\n      endScope(ended),\n      endRow(ended),",
    killedBy: [world("a writer that ends and holds what takes long to be closed")],
  },
];
