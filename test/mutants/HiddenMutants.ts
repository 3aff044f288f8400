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
        from: "import { finishTerminal, settledChanges, terminalLives }",
        to: "import { finishTerminal, paneOf, settledChanges, settleTerminal, terminalLives }",
      },
      {
        file: `${core}/EndTerminal.ts`,
        from: "export const finishTerminal = ",
        to: `export const settleTerminal = (holding: Holding, { record, seen, terminal }: DoomedTerminal) =>
  holding.commit(record.incarnation, settledChanges(record, { ...terminal, state: "gone" }, seen));
export const finishTerminal = `,
      },
    ],
    killedBy: [world("delete a terminal of what forked twice, cut off ∥ add")],
  },
  {
    name: "what-is-gone-left-no-processes",
    removes: "Processes are looked for by their mark also where tmux has the session no more.",
    file: `${core}/EndTerminal.ts`,
    from: `      Effect.all([
        killInTmux(holding, doomed, killTerminal(terminal)),
        endProcesses(lives, attempted),
      ]),`,
    to: `      Effect.flatMap(killInTmux(holding, doomed, killTerminal(terminal)), (after) =>
        Effect.map(
          after.seen._tag === "Absent" ? Effect.succeed([]) : endProcesses(lives, attempted),
          (ended) => [after, ended] as const,
        ),
      ),`,
    and: [
      {
        file: `${core}/DeleteTerminal.ts`,
        from: "  if (isFinal(record.state)) return resultOf(record, terminal",
        to: '  if (isFinal(record.state) || record.state === "lost") return resultOf(record, terminal',
      },
    ],
    killedBy: [
      world("delete a terminal of what forked twice, and an accident at any call of it"),
      world(
        "delete a terminal of what forked twice, behind a user removes the session and reconcile",
      ),
    ],
  },
  {
    name: "add-is-told-of-what-was-undone",
    removes: "A terminal that somebody else has undone is not acknowledged, nor with its session.",
    file: `${core}/AddTerminal.ts`,
    from: 'return terminal.state === "gone" ? null : record;',
    to: "return record;",
    and: [
      {
        file: `${core}/AddTerminal.ts`,
        from: "if (record === null || isFinal(record.state) || terminal === null) return null;",
        to: "if (record === null || terminal === null) return null;",
      },
    ],
    killedBy: [
      world("add, and another program's verb at any call of it"),
      world("add ∥ delete a terminal, by force: two programs"),
    ],
  },
  {
    name: "turn-is-told-settled-before-its-last-word",
    removes: "A lease that was deferred to a turn is given back when that has ended.",
    file: `${core}/EndSession.ts`,
    from: 'if (seat.running !== running) yield* leases.settle({ _tag: "TurnEnded", turn: id });',
    to: "",
    and: [
      {
        file: `${core}/TurnRun.ts`,
        from: "    yield* leaseBehind(services, seat, admitted);",
        to: `    yield* services.leases.settle({ _tag: "TurnEnded", turn: turn.id });
    yield* leaseBehind(services, seat, admitted);`,
      },
      {
        file: `${core}/TurnRun.ts`,
        from: `    yield* Deferred.succeed(turn.settled, undefined);
    yield* services.leases.settle({ _tag: "TurnEnded", turn: turn.id });`,
        to: "    yield* Deferred.succeed(turn.settled, undefined);",
      },
    ],
    killedBy: [
      world("a close beside the last word of its turn, and a registry that is slow or fails"),
    ],
  },
  {
    name: "adopt-disowns-what-may-have-a-row",
    removes: "Where it is not known whether a row was written, the mark of an adopt stays.",
    file: `${core}/AdoptStranger.ts`,
    from: "  if (Option.isSome(yield* registry.find(incarnation))) return;",
    to: `  const row = yield* Effect.orElseSucceed(registry.find(incarnation), () => Option.none());
  if (Option.isSome(row)) return;`,
    and: [
      {
        file: `${core}/AdoptStranger.ts`,
        from: 'Effect.tapErrorTag("LookupFailed", () => holding.leaveUnknown)',
        to: 'Effect.tapErrorTag("LookupFailed", () => Effect.void)',
      },
    ],
    killedBy: [world("adopt, the registry fails twice")],
  },
  {
    name: "gc-acts-by-an-old-plan",
    removes: "A session in which something was begun behind the plan of gc is no garbage.",
    file: `${core}/GcStep.ts`,
    from: "judgeRecord(now, bounds, new Set())",
    to: "judgeRecord(record, bounds, new Set())",
    and: [
      {
        file: `${core}/GcStep.ts`,
        from: "if (seen.session.terminals.some(({ exit }) => exit === null)) {",
        to: "if (seen.session.terminals.every(({ exit }) => exit === null)) {",
      },
    ],
    killedBy: [
      world("gc of what exited, and an add at any call of it"),
      world("gc of what exited, with a window of a user's in it"),
    ],
  },
  {
    name: "two-failures-are-a-proof",
    removes: "A kill and a look that both fail show nothing.",
    file: `${core}/Kill.ts`,
    from: `    doubt = failure;
    return Effect.as(holding.outcomeUnknown, false);`,
    to: `    const twice = doubt !== null;
    doubt = failure;
    return Effect.as(holding.outcomeUnknown, twice);`,
    killedBy: [
      world("delete, and tmux that fails twice"),
      world("delete a terminal, and tmux that fails twice"),
      world("restore, and tmux that fails twice"),
    ],
  },
];
