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
  {
    name: "no-look-behind-a-polite-end",
    removes: "The processes are looked at behind every kill, also when all that were asked ended.",
    file: `${core}/EndProcesses.ts`,
    from: `  yield* lookUntil({ boundMs: graceMs, spacingMs: lookSpacingMs }, ended);
`,
    to: `  const gone = yield* lookUntil({ boundMs: graceMs, spacingMs: lookSpacingMs }, ended);
  return gone && polite.length === found.length;
`,
    and: [
      {
        file: `${core}/EndProcesses.ts`,
        from: "  if (panes.length === 0) return;\n  const processes",
        to: "  if (panes.length === 0) return false;\n  const processes",
      },
      {
        file: `${core}/Delete.ts`,
        from: "  yield* askToEnd(lives, found, graceMs).pipe(",
        to: "  const ended = yield* askToEnd(lives, found, graceMs).pipe(",
      },
      {
        file: `${core}/Delete.ts`,
        from: "return yield* endSession(holding, doomed, lives);",
        to: "return yield* endSession(holding, doomed, ended ? null : lives);",
      },
      {
        file: `${core}/Kill.ts`,
        from: "  lives: Lives = sessionLives(doomed.record, null),",
        to: "  lives: Lives | null = sessionLives(doomed.record, null),",
      },
      {
        file: `${core}/Kill.ts`,
        from: "Effect.zipRight(endProcesses(lives, doomed.attempted)),",
        to: "Effect.zipRight(lives === null ? Effect.succeed([]) : endProcesses(lives, doomed.attempted)),",
      },
    ],
    killedBy: [world("delete of an agent, and an incident at any call of it")],
  },
  {
    name: "unread-table-is-an-empty-one",
    removes: "A table of processes that could not be read is no proof of an end.",
    file: `${core}/EndProcesses.ts`,
    from: "    living = yield* victims({ ...lives, panes: [] });",
    to: "    living = yield* Effect.orElseSucceed(victims({ ...lives, panes: [] }), () => living);",
    killedBy: [world("delete of what forked twice, and a table that fails")],
  },
  {
    name: "add-settles-a-cut-off-terminal-by-its-row",
    removes: "A terminal whose end was cut off is ended with its processes by whoever meets it.",
    file: `${core}/AddTerminal.ts`,
    from: "    record = (yield* finishTerminal(holding, doomed, { release: false })).record;",
    to: `    record =
      paneOf(terminal, seen) === null
        ? yield* settleTerminal(holding, doomed)
        : (yield* finishTerminal(holding, doomed, { release: false })).record;`,
    and: [
      {
        file: `${core}/AddTerminal.ts`,
        from: "import { finishTerminal, settledChanges }",
        to: "import { finishTerminal, paneOf, settledChanges, settleTerminal }",
      },
      {
        file: `${core}/EndTerminal.ts`,
        from: "export const finishTerminal = ",
        to: `export const settleTerminal = (holding: Holding, { record, seen, terminal }: DoomedTerminal) =>
  holding.commit(record.incarnation, settledChanges(record, { ...terminal, state: "gone" }, seen));
export const finishTerminal = `,
      },
    ],
    killedBy: [world("delete of a terminal that forked twice ∥ add, with a crash")],
  },
];
