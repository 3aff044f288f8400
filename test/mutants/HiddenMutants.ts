/**
 * HiddenMutants: guards that stand behind each other, taken away together, so that no edit alone
 * shows: what a reader made who wanted to hide them. Each is found where two things meet, of which
 * worlds are made by their kinds and not by hand.
 */
import { type Mutant, world } from "./Mutant.js";

const core = "packages/core/src";
const sqlite = "packages/sqlite/src";

/** Of guards behind guards. */
export const hiddenMutants: ReadonlyArray<Mutant> = [
  {
    name: "undone-create-forgets-its-processes",
    removes:
      "What a first create made is recorded before it is undone, and looked for by its mark.",
    file: `${core}/Undo.ts`,
    from: "found.length === 0",
    to: "found.length === 0 || doomed.record.generation === 1",
    and: [
      {
        file: `${core}/Victims.ts`,
        from: "const marked = sparing ? []",
        to: 'const marked = sparing || (record.state === "creating" && panes.length === 0) ? []',
      },
    ],
    killedBy: [world("create, and an incident at any call of it")],
  },
  {
    name: "no-fence-behind-the-living",
    removes: "A fence is due behind every holder that is overtaken, also one that lives.",
    file: `${core}/RegistryMemoryClaims.ts`,
    from: "const fenceDue = owner !== null ||",
    to: 'const fenceDue = holder === "dead" ||',
    and: [
      {
        file: `${sqlite}/Claims.ts`,
        from: "const fenceDue = row.owner !== null ||",
        to: "const fenceDue = (other !== null && other === dead) ||",
      },
    ],
    killedBy: [
      world("create, and another program's verb at any call of it"),
      world("restore, and another program's verb at any call of it"),
    ],
  },
  {
    name: "sibling-takes-what-waits-for-a-turn",
    removes: "A lease that waits for the turn of a writer who ended is no sibling's.",
    file: `${core}/LeaseClaims.ts`,
    from: 'state._tag === "Owed" ||',
    to: 'state._tag === "Owed" || state._tag === "Deferred" ||',
    and: [
      {
        file: `${core}/LeaseState.ts`,
        from: `    case "Overdue":
      return stay(state, "look");
`,
        to: `    case "Overdue":
      return stay(state, "look");
    case "TakenOver":
      return stay({ _tag: "Taken", lease });
`,
      },
    ],
    killedBy: [world("a close beside a sibling that comes")],
  },
];
