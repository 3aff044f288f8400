/**
 * HeldMutants: guards of what a program holds for sessions and of what may be told of them: scopes
 * that end with their incarnation, values that are never shown, readers that do not guess.
 */
import { type Mutant, world } from "./Mutant.js";

const core = "packages/core/src";

/** Of what is held, and of what is told. */
export const heldMutants: ReadonlyArray<Mutant> = [
  {
    name: "capture-misses-what-is-out-of-reach",
    removes: "A pane of a server that cannot be asked is not told to be missing.",
    file: `${core}/Capture.ts`,
    from: "const seen = isOver ? null : yield* observe(record, yield* tmux.list(attempted), attempted);",
    to: `const listing = isOver ? null : yield* tmux.list(attempted);
  const isThere =
    listing?._tag === "Server" &&
    listing.sessions.some(({ mark }) => mark?.incarnation === record.incarnation);`,
    and: [
      {
        file: `${core}/Capture.ts`,
        from: 'seen?._tag === "Absent"',
        to: "(listing !== null && !isThere)",
      },
    ],
    killedBy: [world("capture, and an accident at any call of it")],
  },
];
