/**
 * LeaseMutants: the guards by which a session has one writer, each taken away once.
 *
 * Who gets a lease, who keeps it, what is done under it, and what gives it back.
 */
import { type Mutant, test, world } from "./Mutant.js";

const core = "packages/core/src";
const sqlite = "packages/sqlite/src";

/** Of the guards of leases and turns. */
export const leaseMutants: ReadonlyArray<Mutant> = [
  {
    name: "lease-of-the-unknown-pruned",
    removes: "Only who is proved dead loses his lease.",
    file: `${core}/LeaseRows.ts`,
    from: 'table.lifeOf(record) === "dead");',
    to: 'table.lifeOf(record) !== "alive");',
    killedBy: [
      test("LeaseRows", "is blocked by a holder of whom nothing is known for his own name alone"),
    ],
  },
  {
    name: "lease-of-any-writer-of-the-program",
    removes: "A lease is its writer's, not its program's.",
    file: `${core}/LeaseRows.ts`,
    from: "own.owner === table.self && own.actor === actor",
    to: "own.owner === table.self",
    killedBy: [test("SessionHandles", "keeps its lease from its siblings until the client goes")],
  },
  {
    name: "young-lease-swept",
    removes: "A row that nobody can vouch for yet is spared.",
    file: `${core}/LeaseRows.ts`,
    from: "record.acquiredAt <= table.at - graceMs",
    to: "record.acquiredAt <= table.at",
    killedBy: [test("LeaseSweep", "spares an own row for 30 s")],
  },
  {
    name: "lease-known-by-its-id-alone",
    removes: "Who had a lease before a takeover is another than who has it.",
    file: `${core}/HeldLeases.ts`,
    from: "lease !== null && sameLease(lease, ref)",
    to: "lease?.lease === ref.lease",
    killedBy: [test("LeaseLaws", "without failures no row of a living program is an orphan")],
  },
  {
    name: "two-things-of-a-name",
    removes: "Of one name one thing at a time is done with its lease.",
    file: `${core}/NameLocks.ts`,
    from: "semaphore.withPermits(1)(effect)",
    to: "Effect.zipRight(Effect.succeed(semaphore), effect)",
    killedBy: [world("a release beside a move"), world("a takeover beside a step of the old turn")],
  },
  {
    name: "turn-steps-without-its-lease",
    removes: "What a turn asks for is done only while its lease is current.",
    file: `${core}/UnderLease.ts`,
    from: "return leaseLost(found === null ? [] : [found], lease, attempted);",
    to: "return Effect.void;",
    killedBy: [
      world("a delete beside the steps of a turn"),
      test("UnderLease", "behind a takeover does nothing, and its turn is stopped once"),
    ],
  },
  {
    name: "lease-taken-from-memory",
    removes: "A turn begins only under a lease that the registry shows.",
    file: `${core}/TurnAdmission.ts`,
    from: "yield* leases.guarded(lease, { turn: turn.id }).pipe(",
    to: "yield* Effect.when(leases.guarded(lease, { turn: turn.id }), () => known === null).pipe(",
    killedBy: [test("TurnAdmission", "under a lease that was lost meanwhile does not run")],
  },
  {
    name: "claim-left-behind-a-close",
    removes: "What an admission claimed goes when it is refused.",
    file: `${core}/TurnAdmission.ts`,
    from: "if (known === null) yield* undo(leases, seat, lease);",
    to: "",
    killedBy: [test("TurnAdmission", "while its writer closes is refused, and the lease")],
  },
  {
    name: "lease-given-back-under-its-turn",
    removes: "A lease waits for a turn that runs on behind the end of its writer.",
    file: `${core}/EndSession.ts`,
    from: "if (running === null) return yield* leases.end(writer.actor, null);",
    to: "if (writer.actor !== null) return yield* leases.end(writer.actor, null);",
    killedBy: [world("a close beside the end of its turn")],
  },
  {
    name: "settled-by-another-turn",
    removes: "Only the turn that a lease waits for settles it.",
    file: `${core}/LeaseState.ts`,
    from: "return event.settlement.turn === turn",
    to: "return event.settlement.turn !== null",
    killedBy: [test("LeaseState", "another turn's end does not")],
  },
  {
    name: "settled-by-time",
    removes: "Time is no proof that a turn has ended.",
    file: `${core}/LeaseDeferral.ts`,
    from: "if (gone !== null) return gone;",
    to: 'return gone ?? { _tag: "TurnEnded", turn };',
    killedBy: [test("LeaseDeferral", "is kept while its child lives, however long, and goes when")],
  },
  {
    name: "turn-not-told-of-the-end",
    removes: "A turn is interrupted when its lease is lost.",
    file: `${core}/TurnWatch.ts`,
    from: "if (found === null || !sameLease(found, lease)) {",
    to: "if (found !== null && !sameLease(found, lease)) {",
    killedBy: [test("TurnWatch", "interrupts the turn of the holder, whose next one is refused")],
  },
  {
    name: "late-interrupt-meets-the-next-turn",
    removes: "An interrupt is for one turn.",
    file: `${core}/TurnSeat.ts`,
    from: "if (running === null || running.id !== turn) return false;",
    to: "if (running === null) return false;",
    killedBy: [test("TurnRun", "is not met by an interrupt for the one before it")],
  },
  {
    name: "retiring-lets-in",
    removes: "A program that retires lets no turn in.",
    file: `${core}/TurnGate.ts`,
    from: "if (isRetiring) return new Closing",
    to: "if (running < 0) return new Closing",
    killedBy: [test("Turns", "before anything runs begins nothing and claims nothing")],
  },
  {
    name: "end-drops-no-lease",
    removes: "The transaction that ends a session drops its lease.",
    file: `${core}/RegistryMemoryCommit.ts`,
    from: "if (isFinal(record.state)) dropLease(store, record);",
    to: "",
    killedBy: [
      world("a delete beside the steps of a turn"),
      {
        test: "the end of a session drops its lease, and says before that who held it",
        in: "test/contract/registry.fake.test.ts",
        writtenIn: "packages/testing/src/RegistryContractLeases.ts",
      },
    ],
  },
  {
    name: "schema-ends-under-a-lease",
    removes: "The database lets no incarnation end that has a lease.",
    file: `${sqlite}/LeaseTables.ts`,
    from: "WHEN NEW.state IN ('failed', 'deleted')",
    to: "WHEN NEW.state IN ('nothing')",
    killedBy: [
      {
        test: "has one lease for a name, and one of a living incarnation at the name's epoch",
        in: "test/contract/registry.leases.fake.test.ts",
      },
    ],
  },
  {
    name: "over-although-not-seen",
    removes: "A time limit ends only what a look shows.",
    file: `${core}/TimeLimits.ts`,
    from: 'seen._tag === "Present" && (due',
    to: "(due",
    killedBy: [test("TimeLimits", "stays while tmux cannot be asked, and while it is not seen")],
  },
  {
    name: "idle-although-unrecorded",
    removes: "What may have printed is not idle.",
    file: `${core}/TimeLimits.ts`,
    from: "if (!whole.includes(recorder)) return null;",
    to: "",
    killedBy: [test("TimeLimits", "it may have printed")],
  },
];
