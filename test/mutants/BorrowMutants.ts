/**
 * BorrowMutants: guards of a lease that a child process has of its parent.
 *
 * It is shown to be current when it is borrowed and at each turn, and is kept for who was named.
 */
import { givenBackUnseen } from "./MovedMutants.js";
import { type Mutant, world } from "./Mutant.js";

const core = "packages/core/src";

/** Of what is borrowed. */
export const borrowMutants: ReadonlyArray<Mutant> = [
  {
    name: "borrowed-once-is-borrowed-for-ever",
    removes: "What was borrowed is shown to be current when it is, and at every turn.",
    file: `${core}/LeaseService.ts`,
    from: 'if (lease._tag === "Borrowed") return Effect.as(looked(lease), []);',
    to: 'if (lease._tag === "Borrowed") return Effect.succeed([]);',
    and: [
      {
        file: `${core}/LeaseService.ts`,
        from: "          yield* looked(ref);\n",
        to: "",
      },
    ],
    killedBy: [world("a child that borrows what its parent had")],
  },
  {
    name: "a-newer-lease-is-current-enough",
    removes: "Current is the lease itself, and not that somebody has a newer one.",
    file: `${core}/UnderLease.ts`,
    from: "if (found !== null && sameLease(found, lease)) return Effect.void;",
    to: `if (found !== null && (sameLease(found, lease) || found.epoch > lease.epoch)) {
      return Effect.void;
    }`,
    killedBy: [world("a child that borrows what its parent had")],
  },
  {
    name: "who-was-named-is-forgotten-with-the-body",
    removes:
      "A turn lasts as long as a child that it named, and the lease beyond a parent's death.",
    file: `${core}/TurnRun.ts`,
    from: "if (turn.children.length === 0) {",
    to: "if (turn.children.length >= 0) {",
    and: [givenBackUnseen],
    killedBy: [world("a child that is named and borrows its parent's lease")],
  },
];
