/**
 * TakeoverMutants: the guards of a takeover that somebody asked for, each taken away once.
 *
 * Who is waited for, what is barred before it, and who is told of it.
 */
import { type Mutant, test } from "./Mutant.js";

const core = "packages/core/src";

/** Of the guards of takeovers. */
export const takeoverMutants: ReadonlyArray<Mutant> = [
  {
    name: "turn-not-waited-for",
    removes: "A takeover waits for a turn of who lives.",
    file: `${core}/LeaseRows.ts`,
    from: "turn === null && children.length === 0;",
    to: "children.length === 0;",
    killedBy: [test("TakeOver", "waits for the turn of a holder who lives")],
  },
  {
    name: "child-not-waited-for",
    removes: "A takeover waits for the child that runs a turn.",
    file: `${core}/LeaseRows.ts`,
    from: "turn === null && children.length === 0;",
    to: "turn === null;",
    killedBy: [test("LeaseRows", "over settled, of a holder with child, is LeaseHeld")],
  },
  {
    name: "forced-takeover-waits-for-the-claim",
    removes: "By force also a holder that stands still in a message loses the lease.",
    file: `${core}/SessionActor.ts`,
    from: 'request.over === "any" ? "force" : "wait"',
    to: '"wait"',
    killedBy: [test("TakeLease", "by force from a holder that stands still in a send is fenced")],
  },
  {
    name: "lease-taken-without-a-look",
    removes: "The fence is raised before the lease has another holder.",
    file: `${core}/TakeLease.ts`,
    from: "const listing = yield* holding.look(attempted);",
    to: 'const listing = { _tag: "NoServer" } as const;',
    killedBy: [test("TakeLease", "by force lets nothing of its holder through from then on")],
  },
  {
    name: "taken-lease-not-told",
    removes: "Who lost his lease hears it from the log.",
    file: `${core}/RegistryMemoryLeases.ts`,
    from: "if (outcome.over !== undefined) tellTaken(store, outcome.over, at, eventsKept);",
    to: "",
    killedBy: [test("TakeOver", "interrupts the turn of the holder as lost")],
  },
  {
    name: "sibling-keeps-what-was-taken",
    removes: "A sibling whose lease was taken has lost it.",
    file: `${core}/LeaseClaims.ts`,
    from: "return { ...got, behind: sibling.writer.taken };",
    to: "return got;",
    killedBy: [
      test("TakeOver", "of a sibling in the same program that runs nothing tells him at once"),
    ],
  },
  {
    name: "takeover-asks-while-it-locks",
    removes: "Nobody holds the lock of a name and waits for a message of it.",
    file: `${core}/LeaseClaims.ts`,
    from: "Effect.map(andBehind(Effect.uninterruptible(wanted(got, keeps))), leaseOf);",
    to: "Effect.map(alone(writer.session, got, keeps), leaseOf);",
    killedBy: [test("TakeLease", "is taken behind that, and nobody hangs")],
  },
];
