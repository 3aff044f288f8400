/**
 * TwoTroublesMutants: guards that one message needs twice: behind each change that is in doubt a
 * new epoch is taken, whatever is due or was done before.
 *
 * Their worlds are in trouble at any two lists of one message.
 */
import { type Mutant, world } from "./Mutant.js";

const holding = "packages/core/src/Holding.ts";

const asked = {
  file: holding,
  from: "    outcomeUnknown: Effect.zipRight(doubt, renewal),\n",
  to: `    outcomeUnknown: Effect.zipRight(
      doubt,
      Effect.suspend(() => (renewalDue ? renewal : Effect.void)),
    ),
`,
};

/** Of two doubts in one message. */
export const twoTroublesMutants: ReadonlyArray<Mutant> = [
  {
    name: "second-doubt-keeps-the-epoch",
    removes: "A doubt behind a write under a new epoch takes another.",
    file: holding,
    from: "    renewalDue = true;\n",
    to: "    renewalDue = claim.epoch !== settledAt;\n",
    and: [
      {
        file: holding,
        from: "  let claim = first;\n",
        to: "  let claim = first;\n  let settledAt = 0;\n",
      },
      {
        file: holding,
        from: "    isGivenBack ||= isLast;\n",
        to: "    isGivenBack ||= isLast;\n    if (claim.epoch > first.epoch) settledAt = claim.epoch;\n",
      },
      asked,
    ],
    killedBy: [
      world("create, replacing, with two troubles"),
      world("add behind a terminal that is cut off, with two troubles"),
    ],
  },
  {
    name: "a-fence-that-is-due-is-enough",
    removes: "A doubt takes a new epoch also where a fence is due already.",
    file: holding,
    from: "    renewalDue = true;\n",
    to: "    renewalDue ||= !claim.fenceDue;\n",
    and: [asked],
    killedBy: [world("create, where a fence is due, with two troubles")],
  },
];
