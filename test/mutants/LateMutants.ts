/**
 * LateMutants: guards against what is late: the list of a program that is dead, a last word that is
 * said again, a child whose naming was cut off.
 *
 * Each is met by what comes in its very moment: who raises no fence, the next turn, an end.
 */
import { givenBackUnseen } from "./MovedMutants.js";
import { type Mutant, world } from "./Mutant.js";

const core = "packages/core/src";

const behind = (first: string, next: string) => world(`${first} is late, cut off, and ${next}`);
const word = (turn: string) =>
  world(`${turn}, beside a late last word, and a claim over what is settled`);
const stopped = (turn: string, by: string) => world(`a turn that ${turn}, and ${by}`);

const [create, restore, clearing, add, send] = [
  "create, whose new-session",
  "restore, whose new-session",
  "restore, whose kill-session",
  "add, whose new-window",
  "send, whose send-keys",
] as const;

const other = "delete of another incarnation";

const overtaking = (first: string) => world(`${first} is late, and by force a ${other}`);

/** Of a fence that is due and was not raised. */
const fences: ReadonlyArray<Mutant> = [
  {
    name: "inherited-fence",
    removes: "A fence that was due before a message and was not raised by it is due behind it.",
    file: `${core}/Holding.ts`,
    from: "let [renewalDue, hasTold, isGivenBack] = [false, false, false];",
    to: "let [renewalDue, isInDoubt, hasTold, isGivenBack] = [false, false, false, false];",
    and: [
      {
        file: `${core}/Holding.ts`,
        from: "    renewalDue = true;",
        to: "    renewalDue = true;\n    isInDoubt = true;",
      },
      {
        file: `${core}/Holding.ts`,
        from: 'listing._tag === "Server") claim = { ...claim, fenceDue: false };',
        to: `listing._tag === "Server") {
        claim = { ...claim, fenceDue: false };
        isInDoubt = false;
      }`,
      },
      {
        file: `${core}/Holding.ts`,
        from: "giveBack(registry, claim))",
        to: "registry.release(claim, { fenceDue: isInDoubt }))",
      },
    ],
    killedBy: [
      world("create ∥ send, with a late list and a crash"),
      behind(create, "send"),
      behind(restore, other),
      behind(clearing, "adopt"),
      behind(add, "delete a terminal that never was"),
      behind(send, "adopt"),
      behind(create, "delete, unheard"),
    ],
  },
  {
    name: "fence-is-raised-that-nobody-heard-of",
    removes: "A fence stays due until tmux has answered that it stands.",
    file: `${core}/Holding.ts`,
    from: "      const { fenceDue } = claim;",
    to: "      const { fenceDue } = claim;\n      claim = { ...claim, fenceDue: false };",
    killedBy: [
      behind(create, "create, unheard"),
      behind(create, "delete, unheard"),
      behind(create, "take the lease, unheard"),
    ],
  },
  {
    name: "forced-claim-has-no-fence-due",
    removes: "The fence is due for who overtakes a holder, whatever he does then.",
    file: `${core}/RegistryMemoryClaims.ts`,
    from: "const fenceDue = owner !== null ||",
    to: "const fenceDue = (owner !== null && !force) ||",
    killedBy: [overtaking(create), ...[restore, clearing, add, send].map(overtaking)],
  },
];

/** Of the last word of a turn. */
const words: ReadonlyArray<Mutant> = [
  {
    name: "idle-note-late",
    removes: "That nothing runs is said again from the seat, so no turn begins meanwhile.",
    file: `${core}/TurnLease.ts`,
    from: "if (seat.isInUse || seat.closing !== null || seat.isLost) return Effect.succeed(true);",
    to: "if (seat.running !== null || seat.closing !== null || seat.isLost) return Effect.succeed(true);",
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
      word("a turn in that moment"),
      word("a turn a little later"),
      word("two turns in such moments"),
      word("a turn behind a lease that came back"),
      world(
        "a turn in that moment, beside a late last word, and a sweep and a claim over what is settled",
      ),
    ],
  },
  {
    name: "idle-note-of-an-old-lease",
    removes: "What is said late is said of the lease as it is by then, wherever it was meanwhile.",
    file: `${core}/TurnLease.ts`,
    from: "leases.guarded(leases.latest(lease), { turn: null",
    to: "leases.guarded(lease, { turn: null",
    killedBy: [word("a turn behind a lease that came back")],
  },
  {
    name: "idle-note-that-fails-keeps-the-seat",
    removes: "Whatever came of a word that is said again, the next turn is let in.",
    file: `${core}/TurnLease.ts`,
    from: "() => Effect.sync(() => seat.leave()),",
    to: '(_, exit) => Effect.sync(() => (exit._tag === "Success" ? seat.leave() : undefined)),',
    killedBy: [word("a turn a little later"), word("a turn behind a lease that came back")],
  },
];

const naming = "names a child";
const namingLate = "names a child behind its interrupt";
const mortal = "a user interrupts it, its program may die, and what is written is slow or fails";

/** A child is noted in memory and written down. */
const noting = `return Effect.uninterruptible(
          Effect.zipRight(noted, oneByOne(written(services, turn, lease))),
        );`;

/** Of the children of a turn that is stopped. */
const children: ReadonlyArray<Mutant> = [
  {
    name: "child-behind-look",
    removes:
      "A child counts from the moment at which it is named, and not behind a look at others.",
    file: `${core}/TurnHandle.ts`,
    from: `    const before = turn.children;
    turn.children = [...before, child];
    const left = yield* stillThere(services, before);
    turn.children = turn.children.filter((one) => !before.includes(one) || left.includes(one));`,
    to: `    const left = yield* stillThere(services, turn.children);
    turn.children = [...left, child];`,
    and: [
      {
        file: `${core}/TurnHandle.ts`,
        from: noting,
        to: "return oneByOne(Effect.zipRight(noted, written(services, turn, lease)));",
      },
    ],
    killedBy: [
      stopped(naming, "a user interrupts it"),
      stopped(naming, "its caller leaves"),
      stopped(naming, "its writer ends"),
      stopped("ends while it names a child", "nobody stops it"),
      stopped("fails while it names a child", "nobody stops it"),
      stopped("ends, and what names a child goes on", "nobody stops it"),
      stopped(naming, mortal),
    ],
  },
  {
    name: "child-noted-and-not-written",
    removes: "Nobody is interrupted between noting a child and writing it down.",
    file: `${core}/TurnHandle.ts`,
    from: noting,
    to: "return Effect.zipRight(noted, oneByOne(written(services, turn, lease)));",
    killedBy: [stopped(naming, "its writer and then its program end")],
  },
  {
    name: "child-of-an-interrupted-turn-is-not-waited-for",
    removes: "A turn that was interrupted is over when its children are gone, as any other.",
    file: `${core}/TurnRun.ts`,
    from: "if (turn.children.length === 0) {",
    to: "if (turn.children.length === 0 || turn.cause !== null) {",
    and: [givenBackUnseen],
    killedBy: [stopped(naming, "a user interrupts it"), stopped(naming, "its writer ends")],
  },
  {
    name: "child-named-behind-an-interrupt-does-not-count",
    removes: "Until a turn is over every child that it names counts.",
    file: `${core}/TurnHandle.ts`,
    from: `        if (seat.running !== turn || turn.isOver) return Effect.void;
        if (process === null)`,
    to: `        if (seat.running !== turn || turn.cause !== null) return Effect.void;
        if (process === null)`,
    killedBy: [stopped(namingLate, "a user interrupts it"), stopped(namingLate, "its writer ends")],
  },
];

/** Of what is late. */
export const lateMutants: ReadonlyArray<Mutant> = [...fences, ...words, ...children];
