/**
 * DoubtMutants: guards behind a change of a lease of which nobody heard whether it was done.
 *
 * What may be left is swept for as long as that takes, and who gets it is vouched for meanwhile.
 */
import { type Mutant, test, world } from "./Mutant.js";

const core = "packages/core/src";

const troubled = "a registry that is slow or fails, and no sweep but its own";
const goes = (where: string) => world(`a lease goes to ${where}, ${troubled}`);

/** Of changes without an answer. */
export const doubtMutants: ReadonlyArray<Mutant> = [
  {
    name: "unheard-takeover-leaves-no-doubt",
    removes: "A sibling's takeover of which nobody heard is swept for.",
    file: `${core}/LeaseClaims.ts`,
    from: "return leftInDoubt(claiming, cause, from);",
    to: "return from === null ? leftInDoubt(claiming, cause, from) : Effect.void;",
    killedBy: [goes("a sibling")],
  },
  {
    name: "unheard-claim-leaves-no-doubt",
    removes: "A claim of which nobody heard is swept for.",
    file: `${core}/LeaseClaims.ts`,
    from: "return leftInDoubt(claiming, cause, from);",
    to: "return from === null ? Effect.void : leftInDoubt(claiming, cause, from);",
    killedBy: [goes("a sibling")],
  },
  {
    name: "unheard-move-leaves-no-doubt",
    removes: "A move to another name of which nobody heard is swept for.",
    file: `${core}/LeaseMove.ts`,
    from: "        Effect.onError((cause) => leftInDoubt({ held, onHeld }, cause, own)),\n",
    to: "",
    and: [
      {
        file: `${core}/LeaseMove.ts`,
        from: "  onHeld,\n  registry,\n}",
        to: "  registry,\n}",
      },
    ],
    killedBy: [goes("another name")],
  },
  {
    name: "doubt-ends-while-the-row-is-vouched-for",
    removes: "A doubt outlives every sweep in which the row was still vouched for.",
    file: `${core}/HeldLeases.ts`,
    from: "if (!isCovered || doubted",
    to: "if (doubted",
    killedBy: [goes("a sibling"), goes("another name")],
  },
  {
    name: "sibling-vouched-for-when-answered",
    removes: "Who takes a sibling's lease is vouched for before he hears that he has it.",
    file: `${core}/LeaseClaims.ts`,
    from: "    held.add(own);\n",
    to: "    if (from === null) held.add(own);\n",
    and: [
      {
        file: `${core}/LeaseClaims.ts`,
        from: '    own.step({ _tag: "Claimed", lease });\n',
        to: '    own.step({ _tag: "Claimed", lease });\n    held.add(own);\n',
      },
    ],
    killedBy: [test("LeaseDoubt", "a sibling is vouched for before he hears that he has it")],
  },
];
