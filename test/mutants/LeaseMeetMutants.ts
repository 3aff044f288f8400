/**
 * LeaseMeetMutants: guards of leases that matter only while something lasts: a turn, a message, an
 * end. Each is taken away once.
 *
 * A look and what it allows are one message, and what was given up is not used again.
 */
import { type Mutant, test, world } from "./Mutant.js";

const core = "packages/core/src";

/** Of what is met in the middle. */
export const leaseMeetMutants: ReadonlyArray<Mutant> = [
  {
    name: "last-word-said-under-the-next-turn",
    removes:
      "That nothing runs is said again only while nothing does, and nothing begins meanwhile.",
    file: `${core}/TurnLease.ts`,
    from: "if (seat.isInUse || seat.closing !== null || seat.isLost) return Effect.succeed(true);",
    to: "if (seat.closing !== null || seat.isLost) return Effect.succeed(true);",
    and: [
      {
        file: `${core}/TurnLease.ts`,
        from: `    const told = Effect.acquireUseRelease(
      seat.enter,
      () => toldIdle(services, seat, lease),
      () => Effect.sync(() => seat.leave()),
    );
    return Effect.isSuccess(told);`,
        to: "    return Effect.isSuccess(toldIdle(services, seat, lease));",
      },
    ],
    killedBy: [
      world(
        "a takeover of what is settled beside a late last word, and a registry that is slow or fails",
      ),
    ],
  },
  {
    name: "owed-lease-is-as-good-as-held",
    removes: "What is owed is claimed anew before a turn, and nothing is done under it until then.",
    file: `${core}/LeaseClaims.ts`,
    from: 'if (own === null || own.state._tag === "Owed") return claimedOrTaken(claiming, writer);',
    to: "if (own === null) return claimedOrTaken(claiming, writer);",
    and: [
      {
        file: `${core}/LeaseClaims.ts`,
        from: `  if (own.state._tag === "Held") {
    return Effect.succeed({ own,`,
        to: `  if (own.state._tag === "Held" || own.state._tag === "Owed") {
    return Effect.succeed({ own,`,
      },
      {
        file: `${core}/LeaseService.ts`,
        from: 'held.of(lease)?.state._tag === "Owed"',
        to: 'held.of(lease)?.state._tag === "Claiming"',
      },
    ],
    killedBy: [
      world("a sweep beside a turn that takes time, and a registry that is slow or fails"),
    ],
  },
  {
    name: "lease-looked-at-in-another-message",
    removes: "What is asked for under a lease is done in the message that looked at it.",
    file: `${core}/SessionActor.ts`,
    from: `        send({ session, attempted: "send", policy: "wait" }, (holding) =>
          whileCurrent(lease, "send", sendInput(holding, input, terminal)),
        ),`,
    to: `        Effect.zipRight(
          send({ session, attempted: "send", policy: "wait" }, () =>
            whileCurrent(lease, "send", Effect.void),
          ),
          send({ session, attempted: "send", policy: "wait" }, (holding) =>
            sendInput(holding, input, terminal),
          ),
        ),`,
    and: [
      {
        file: `${core}/SessionActor.ts`,
        from: `        send(
          { session, attempted: "delete", policy: message.force ? "force" : "wait" },
          (holding) => whileCurrent(lease, "delete", deleteSession(holding, message)),
        ),`,
        to: `        Effect.zipRight(
          send({ session, attempted: "delete", policy: "wait" }, () =>
            whileCurrent(lease, "delete", Effect.void),
          ),
          send({ session, attempted: "delete", policy: "wait" }, (holding) =>
            deleteSession(holding, message),
          ),
        ),`,
      },
    ],
    killedBy: [
      world("send under a lease ∥ take the lease by force"),
      world("end under a lease ∥ take the lease by force"),
    ],
  },
  {
    name: "lease-looked-at-before-its-session-is-deleted",
    removes: "A writer with a lease deletes its session under that, and not behind a look at it.",
    file: `${core}/EndSession.ts`,
    from: "sessions.under(lease).delete()",
    to: "Effect.zipRight(leases.guarded(lease), deleteOwn(ended))",
    killedBy: [world("a writer with a lease ends with its session ∥ take the lease by force")],
  },
  {
    name: "writer-deletes-whatever-has-the-name",
    removes: "A writer deletes the incarnation that it is of, which is looked at under the claim.",
    file: `${core}/EndSession.ts`,
    from: "yield* sessions.delete(seat.writer.session, { incarnation });",
    to: "yield* sessions.delete(seat.writer.session);",
    killedBy: [
      world("a writer without a lease ends with its session ∥ create, replacing"),
      world("a writer that is idle ends with its session ∥ create, replacing"),
    ],
  },
  {
    name: "another-incarnation-is-as-good",
    removes: "A delete of an incarnation touches no other one.",
    file: `${core}/Delete.ts`,
    from: "if (meant !== null && meant !== record.incarnation) {",
    to: "if (meant !== null && record.generation < 0) {",
    killedBy: [world("a writer without a lease ends with its session ∥ create, replacing")],
  },
  {
    name: "delete-of-what-is-gone-hurries",
    removes: "A delete of one incarnation cuts short no start window of another.",
    file: `${core}/SessionActor.ts`,
    from: "  if (incarnation !== null) return undefined;\n",
    to: "",
    and: [
      {
        file: `${core}/SessionActor.ts`,
        from: "const { force, graceMs, incarnation, snapshot, spareDetached } = message;",
        to: "const { force, graceMs, snapshot, spareDetached } = message;",
      },
    ],
    killedBy: [test("endReplaced", "has its whole start window")],
  },
];
