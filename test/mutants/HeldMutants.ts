/**
 * HeldMutants: guards of what a program holds for sessions and of what may be told of them: scopes
 * that end with their incarnation, values that are never shown, readers that do not guess.
 *
 * Scopes and values show only where sessions are made with a value, as in all session worlds.
 */
import { type Mutant, world } from "./Mutant.js";

const core = "packages/core/src";

/** Of what is held, and of what is told. */
export const heldMutants: ReadonlyArray<Mutant> = [
  {
    name: "followers-outlive-their-program",
    removes: "Who follows the log hears of the end of the program that tells it.",
    file: `${core}/EventSubscription.ts`,
    from: `      isOpen = false;
      return Deferred.failSync(ended,`,
    to: `      isOpen = true;
      return Effect.succeed(`,
    killedBy: [world("who follows the log of a program that ends")],
  },
  {
    name: "held-values-are-told",
    removes: "What a terminal was given by what is held is told by it as little as what was named.",
    file: `${core}/TerminalCreation.ts`,
    from: "readonly environment: SuppliedEnvironment;",
    to: "readonly environment: SuppliedEnvironment;\n  readonly given: SuppliedEnvironment;",
    and: [
      {
        file: `${core}/TerminalCreation.ts`,
        from: "const creation: TerminalCreation = { command, cwd, environment, startWindowMs };",
        to: `const given = new Map([...environment].filter(([name]) => options.env?.[name] !== undefined));
  const creation: TerminalCreation = { command, cwd, environment, given, startWindowMs };`,
      },
      {
        file: `${core}/AddTerminal.ts`,
        from: "const start = { ...creation, attempted,",
        to: "const start = { ...creation, environment: creation.given, attempted,",
      },
      {
        file: `${core}/AddTerminal.ts`,
        from: "  const { environment } = creation;\n",
        to: "  const { given: environment } = creation;\n",
      },
    ],
    killedBy: [world("add with what is held of a program that tells its value, and fails")],
  },
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
  {
    name: "values-of-what-failed-are-told",
    removes: "What a program printed and what a creation failed of are told without its values.",
    file: `${core}/StartWindow.ts`,
    from: "masked(output.text, start.environment)",
    to: "output.text",
    and: [
      {
        file: `${core}/RollBack.ts`,
        from: "masked(wordsOf(cause), environment)",
        to: "wordsOf(cause)",
      },
    ],
    killedBy: [
      world("create of a program that tells its value, and fails"),
      world("add of a program that tells its value, and fails"),
    ],
  },
  {
    name: "failed-restore-holds-what-it-ended",
    removes: "What is held of a generation ends where its row does, before the next one is made.",
    file: `${core}/Holding.ts`,
    from: "ending === undefined ? Effect.void : scopes.close(session, ending.incarnation)",
    to: "Effect.as(Effect.void, [session, ending])",
    and: [
      {
        file: `${core}/Create.ts`,
        from: "if (restores) yield* scopes.open(record.session, incarnation, environment);",
        to: "void [restores, scopes, environment];",
      },
    ],
    killedBy: [
      world("restore of a session that was removed, with trouble"),
      world("restore of a session whose program ended, with trouble"),
    ],
  },
  {
    name: "held-of-what-was-replaced",
    removes:
      "What is held of an older generation ends with the next message, whoever made a newer.",
    file: `${core}/LettingGo.ts`,
    from: "yield* scopes.closeOthers(session, livingOf(known));",
    to: "if (livingOf(known) === null) yield* scopes.closeOthers(session, null);",
    killedBy: [world("restore of what was removed ∥ reconcile")],
  },
  {
    name: "value-in-an-argv",
    removes: "Values travel to tmux on stdin, which no list of processes shows.",
    file: "packages/tmux/src/TmuxClient.ts",
    from: "        send(asked, { stdin: createList(request, next), path, framed: true }),",
    to: `        Effect.zipRight(
          send(asked, { argv: ["list-sessions", "-f", [...request.environment.values()].map(Redacted.value).join()] }),
          send(asked, { stdin: createList(request, next), path, framed: true }),
        ),`,
    and: [
      {
        file: "packages/tmux/src/TmuxClient.ts",
        from: 'import { Cause, Effect, Exit, Layer, Option } from "effect";',
        to: 'import { Cause, Effect, Exit, Layer, Option, Redacted } from "effect";',
      },
    ],
    killedBy: [world("create, with a fault and nobody behind it")],
  },
];
