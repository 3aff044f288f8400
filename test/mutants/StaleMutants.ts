/**
 * StaleMutants: what was read in one transaction, or of the files of a home, is used in a later one
 * as if nobody had come in between: whose claim or lease it is, who is dead, what is a leftover.
 *
 * Most are edits of the registry in SQLite, in whose worlds others go on at just that moment.
 */
import { type Mutant, world } from "./Mutant.js";

const sqlite = "packages/sqlite/src";

/** Of what may have changed since it was read. */
export const staleMutants: ReadonlyArray<Mutant> = [
  {
    name: "claim-taken-from-whoever-came-first",
    removes: "A proof of death is worth something against the claim of the dead one alone.",
    file: `${sqlite}/Claims.ts`,
    from: "if (other !== null && other !== dead && !force) return",
    to: "if (other !== null && dead === null && !force) return",
    and: [
      {
        file: `${sqlite}/Claims.ts`,
        from: "const isBereft = other !== null && other === dead && !(yield* holdsClaims(sql, other));",
        to: "const isBereft = dead !== null && !(yield* holdsClaims(sql, dead));",
      },
      {
        file: `${sqlite}/Claims.ts`,
        from: "bereft: isBereft ? other : null }",
        to: "bereft: isBereft ? dead : null }",
      },
    ],
    killedBy: [
      world("send, cut off, and delete ∥ send behind it, on SQLite"),
      world("delete, cut off, and create ∥ delete behind it, on SQLite"),
    ],
  },
];
