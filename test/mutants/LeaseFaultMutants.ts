/**
 * LeaseFaultMutants: the guards of leases where something fails, moves, waits or comes twice, each
 * taken away once.
 *
 * What is owed is claimed before it is used, what was moved is found, and nobody waits for himself
 * or for ever.
 */
import { type Killer, type Mutant, test } from "./Mutant.js";

const core = "packages/core/src";
const sqlite = "packages/sqlite/src";

const stored = (title: string): Killer => ({
  test: title,
  in: "test/contract/registry.leases.fake.test.ts",
});

/** Of the guards behind faults. */
export const leaseFaultMutants: ReadonlyArray<Mutant> = [
  {
    name: "failed-release-is-held",
    removes: "A lease that was given up is not held again because that failed.",
    file: `${core}/LeaseState.ts`,
    from: 'turn === null ? { _tag: "Owed", lease } :',
    to: 'turn === null ? { _tag: "Held", lease } :',
    killedBy: [
      test("LeaseState", "a failed release is owed"),
      test("LeaseRelease", "that fails three times is one failure"),
    ],
  },
  {
    name: "owed-lease-used",
    removes: "Nothing is done under a lease that was given up.",
    file: `${core}/LeaseService.ts`,
    from: 'held.of(lease)?.state._tag === "Owed"',
    to: 'held.of(lease)?.state._tag === "Claiming"',
    killedBy: [test("LeaseRelease", "nothing is done under the lease before it is claimed again")],
  },
  {
    name: "given-up-lease-kept-by-the-seat",
    removes: "A turn behind a failed release claims its lease again.",
    file: `${core}/TurnLease.ts`,
    from: "    seat.lease = null;\n",
    to: "",
    killedBy: [test("TurnLease", "the next one claims it again, and no sweep takes it")],
  },
  {
    name: "sweep-beside-a-claim",
    removes: "What is owed is given back only while nobody claims it.",
    file: `${core}/LeaseSweep.ts`,
    from: "Effect.exit(aloneWith(sweeping.locks, lease)(owedAgain(sweeping, lease))),",
    to: "Effect.exit(giveUp(sweeping, lease)),",
    killedBy: [test("LeaseSweep", "leaves what was owed to its writer, who claims it while")],
  },
  {
    name: "claim-under-way-not-vouched-for",
    removes: "A row is vouched for before its claim is answered.",
    file: `${core}/HeldLeases.ts`,
    from: 'held.lease !== null || held.state._tag === "Claiming";',
    to: "held.lease !== null;",
    killedBy: [test("LeaseSweep", "spares what was claimed meanwhile, however long")],
  },
  {
    name: "vouched-before-the-wait",
    removes: "A sweep asks who answers for a row in the step in which that goes.",
    file: `${core}/LeaseSweep.ts`,
    from: "registry.sweepLeases({ component, graceMs, vouched: held.vouched });",
    to: "registry.sweepLeases({ component, graceMs, vouched: ((ids) => (row: { lease: string }) => ids.includes(row.lease))(held.all.map((one) => one.lease?.lease as string)) });",
    killedBy: [test("LeaseSweep", "spares what was claimed meanwhile, however long")],
  },
  {
    name: "moved-lease-not-found",
    removes: "Who was given a lease gives it back wherever it was moved.",
    file: `${core}/HeldLeases.ts`,
    from: "held.lease !== null && held.was(ref)",
    to: "held.lease !== null && sameLease(held.lease, ref)",
    killedBy: [test("LeaseMove", "is given back by who names it as it was")],
  },
  {
    name: "turn-under-a-lease-of-another-name",
    removes: "A turn runs under the lease of its own name.",
    file: `${core}/TurnAdmission.ts`,
    from: "return lease?.session === seat.writer.session ? lease : null;",
    to: "return lease;",
    killedBy: [test("LeaseMove", "is not the lease of its old name")],
  },
  {
    name: "move-forgets-the-turn",
    removes: "A turn that moves its own lease is not over by that.",
    file: `${core}/LeaseRows.ts`,
    from: "const turn = actor === from.actor ? from.turn : null;",
    to: "const turn = null;",
    killedBy: [test("LeaseMove", "keeps the turn that moved it in its row")],
  },
  {
    name: "inner-scope-gives-back",
    removes: "A lease goes with the last scope that wanted it.",
    file: `${core}/HeldLeases.ts`,
    from: "return this.scopes <= 0 && !this.isKept;",
    to: "return this.scopes >= 0;",
    killedBy: [
      test("LeaseEnds", "stays for the scope around it, and goes with that, once"),
      test("LeaseEnds", "stays with its writer where that had it before"),
    ],
  },
  {
    name: "second-child-replaces-the-first",
    removes: "A turn is over when every child that it named is gone.",
    file: `${core}/TurnHandle.ts`,
    from: "turn.children = [...before, child];",
    to: "turn.children = [child];",
    killedBy: [test("TurnChild", "is over when all that it named are gone")],
  },
  {
    name: "dead-with-one-of-its-children",
    removes: "A lease is given up for dead only when all its children are.",
    file: `${core}/Lease.ts`,
    from: '?? "dead";',
    to: '&& children.at(-1) !== "dead" ? "alive" : "dead";',
    killedBy: [
      {
        test: "a lease that names children is given up for dead only when all are",
        in: "test/contract/registry.fake.test.ts",
        writtenIn: "packages/testing/src/RegistryContractLeaseHolders.ts",
      },
    ],
  },
  {
    name: "turn-begins-behind-the-end",
    removes: "A turn begins in the step in which nothing speaks against it.",
    file: `${core}/TurnSeat.ts`,
    from: "const refusal = this.refusal(dropped);",
    to: 'const refusal = null as ReturnType<TurnSeat["refusal"]>;',
    killedBy: [
      test("TurnSeat", "begins a turn in the step in which nothing speaks against it"),
      test("TurnAdmission", "while its writer closes is refused"),
    ],
  },
  {
    name: "stopped-turn-takes-a-step",
    removes: "A turn that was asked to stop before its first step takes none.",
    file: `${core}/TurnRun.ts`,
    from: "return turn.cause === null ? restore(body(handle, lease)) : Effect.interrupt;",
    to: "return restore(body(handle, lease));",
    killedBy: [test("TurnRun", "that is asked to stop before its first step takes none")],
  },
  {
    name: "own-delete-taken-for-a-loss",
    removes: "A turn that deletes its own session did not lose its lease.",
    file: `${core}/TurnWatch.ts`,
    from: "if (inside.deletes > 0) return yield* pause;",
    to: "",
    killedBy: [test("TurnWatch", "did not lose its lease, and ends as it ends")],
  },
  {
    name: "failed-delete-hides-a-loss",
    removes: "A turn whose delete failed is told of a loss.",
    file: `${core}/TurnInside.ts`,
    from: '(exit._tag === "Success" ? Effect.void : count(-1))',
    to: "Effect.as(Effect.void, exit)",
    killedBy: [test("TurnWatch", "and is refused that is told when somebody else deletes it")],
  },
  {
    name: "lost-to-nobody",
    removes: "Who lost a lease is told who has it now.",
    file: `${core}/UnderLease.ts`,
    from: "leaseLost(Option.toArray(view), lease, attempted)",
    to: 'leaseLost([], lease, view._tag === "Some" ? attempted : attempted)',
    killedBy: [test("TakeOver", "tells the turn that it cut off, and the next one, who has")],
  },
  {
    name: "scope-waited-for-from-inside",
    removes: "Who ends his writer in a fiber of its scope does not wait for himself.",
    file: `${core}/EndSession.ts`,
    from: "HashSet.has(interruptors, closer) || (",
    to: "HashSet.size(interruptors) < 0 || (",
    killedBy: [test("EndSession", "is not waited for by who ends the writer in a fiber of its")],
  },
  {
    name: "interrupted-end-waits-for-nothing",
    removes: "An end waits as long as it must, although its caller was asked to stop.",
    file: `${core}/EndSession.ts`,
    from: "if (yield* HashSet.size(interruptors) > 0 ? waited : first) return;",
    to: "if (yield* first) return;",
    killedBy: [test("EndSession", "is closed before the lease goes, although who ends the writer")],
  },
  {
    name: "idle-note-behind-the-next-turn",
    removes: "That nothing runs is said from the seat, and not of a turn that runs.",
    file: `${core}/TurnLease.ts`,
    from: "if (seat.isInUse || seat.closing",
    to: "if (seat.closing",
    and: [
      {
        file: `${core}/TurnSeat.ts`,
        from: "if (!this.isTaken) {",
        to: "if (!this.isTaken || this.running !== null) {",
      },
    ],
    killedBy: [test("TurnLease", "it is left alone when another turn runs")],
  },
  {
    name: "idle-note-not-repeated",
    removes: "A holder that runs nothing is known for that in the end.",
    file: `${core}/TurnLease.ts`,
    from: "Effect.zipRight(told(cause), toldLater(services, seat, lease)),",
    to: "told(cause),",
    killedBy: [test("TurnLease", "it is noted a moment later")],
  },
  {
    name: "borrowed-lease-ignored",
    removes: "Who brings a lease gets a writer that works under it.",
    file: `${core}/SessionHandles.ts`,
    from: "return lease === undefined || (",
    to: "return lease !== null || (",
    killedBy: [test("SessionHandles", "for a lease that a parent vouched for is one that works")],
  },
  {
    name: "limit-found-late",
    removes: "A host looks for limits when a session begins.",
    file: `${core}/TimeLimits.ts`,
    from: "page.events.some(begins)",
    to: "page.events.length < 0",
    killedBy: [test("TimeLimits", "ends in time what began while it slept")],
  },
  {
    name: "dead-although-its-turn-runs",
    removes: "A program whose turn may run on is dead with its process.",
    file: `${sqlite}/Self.ts`,
    from: "if (yield* left.turns(name)) yield* lock.leave;",
    to: 'if (name === "") yield* lock.leave;',
    killedBy: [stored("that ended while its turn may run on is not dead before its process is")],
  },
  {
    name: "release-waits-long",
    removes: "Who gives a lease back is told soon that the registry is busy.",
    file: `${sqlite}/Leases.ts`,
    from: 'const RELEASE_PATIENCE = "1500 millis";',
    to: 'const RELEASE_PATIENCE = "10 seconds";',
    killedBy: [stored("is told of that within two seconds: who gives back has not long")],
  },
  {
    name: "claim-without-an-answer-leaves-its-row",
    removes: "A claim whose answer was lost is swept for, also where nothing is held.",
    file: `${core}/LeaseDoubt.ts`,
    from: "    held.leaveDoubt(yield* Clock.currentTimeMillis, moved);\n",
    to: "",
    killedBy: [
      test(
        "LeaseSweep",
        "takes the row that a claim left whose answer was lost, as soon as it is old enough",
      ),
    ],
  },
  {
    name: "deferral-looks-at-old-children",
    removes: "A lease that waits for a turn waits for whom the turn names meanwhile, too.",
    file: `${core}/LeaseDeferral.ts`,
    from: "if (left.length > 0 || unsettled.children !== children) return null;",
    to: "if (left.length > 0) return null;",
    killedBy: [
      test(
        "LeaseDeferral",
        "is kept for a child that is named while it waits, also during the very look",
      ),
    ],
  },
  {
    name: "closed-writer-forgets-later-children",
    removes: "What a closed writer leaves behind is its turn, with whom that names from then on.",
    file: `${core}/EndSession.ts`,
    from: "        return running.children;",
    to: "        return named;",
    and: [
      {
        file: `${core}/EndSession.ts`,
        from: "    const { id } = running;",
        to: "    const { children: named, id } = running;",
      },
    ],
    killedBy: [
      test("TurnChild", "keeps its lease behind a close also for a child that it names only then"),
    ],
  },
];
