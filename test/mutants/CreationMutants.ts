/**
 * CreationMutants: all or nothing: the intent, the rollback inside the message, the lookup of a
 * lost reply, requests, replacing and restoring.
 *
 * What a crash would leave is for the worlds with a crash; the rest has nobody who cleans up.
 */
import { type Mutant, world } from "./Mutant.js";

const core = "packages/core/src";

/** Edits of what makes things. */
export const creationMutants: ReadonlyArray<Mutant> = [
  {
    name: "session-before-intent",
    removes: "The row of a session is written before tmux is asked to make it.",
    file: `${core}/Create.ts`,
    from: `  const record = yield* holding.begin(incarnation, [known, begin], ending);
  const request = yield* requestOf(record, server, creation);
  const made = yield* makeSession(holding, record, request);
`,
    to: `  const draft = { session: holding.session, incarnation, generation: 1, spec, server, state: "creating",
    terminals: [], processes: [] } as unknown as SessionRecord;
  const request = yield* requestOf(draft, server, creation);
  const made = yield* makeSession(holding, draft, request);
  const record = yield* holding.begin(incarnation, [known, begin], ending);
`,
    killedBy: [world("create, with a crash"), world("create, with a late list and a crash")],
  },
  {
    name: "terminal-before-intent",
    removes: "The row of a terminal is written before tmux is asked to make it.",
    file: `${core}/AddTerminal.ts`,
    from: 'const record = yield* holding.commit(incarnation, [{ _tag: "Terminal", record: intent }]);',
    to: "const { record } = place;",
    killedBy: [world("add of a program that fails")],
  },
  {
    name: "session-not-rolled-back",
    removes: "A creation that failed is undone by its own message.",
    file: `${core}/Create.ts`,
    from: "undo: undo(",
    to: "undo: ((..._: ReadonlyArray<unknown>) => () => Effect.succeed(null))(",
    killedBy: [world("create of a program that fails")],
  },
  {
    name: "terminal-not-rolled-back",
    removes: "A terminal that failed to start is undone by its own message.",
    file: `${core}/AddTerminal.ts`,
    from: "undo: undo(",
    to: "undo: ((..._: ReadonlyArray<unknown>) => () => Effect.succeed(null))(",
    killedBy: [world("add of a program that fails")],
  },
  {
    name: "undone-without-a-kill",
    removes: "An undone creation is killed and shown to be gone before its row says failed.",
    file: `${core}/Undo.ts`,
    from: "const killed = yield* endSession(",
    to: `const killed: ReadonlyArray<number> = [];
  yield* ((..._: ReadonlyArray<unknown>) => Effect.void)(`,
    killedBy: [world("create of a program that fails")],
  },
  {
    name: "message-interruptible",
    removes: "A message that was begun ends although its caller left.",
    file: `${core}/Holding.ts`,
    from: "  Effect.uninterruptible(\n",
    to: "  Effect.interruptible(\n",
    killedBy: [world("create, with a caller that leaves and nobody behind it")],
  },
  {
    name: "start-window-not-looked-at",
    removes: "A program that ended badly inside the start window is StartFailed.",
    file: `${core}/StartWindow.ts`,
    from: "if (pane.exit === null || pane.exit.code === 0) return session;",
    to: "if (pane !== null) return session;",
    killedBy: [world("create of a program that fails")],
  },
  {
    name: "lost-reply-not-looked-up",
    removes: "A create whose reply was lost is looked up by its mark.",
    file: `${core}/Create.ts`,
    from: `return seen._tag === "Present" ? seen.session : yield* failure;`,
    to: "return seen === null ? yield* failure : yield* failure;",
    killedBy: [world("create, with a lost reply")],
  },
  {
    name: "lost-reply-without-a-fence",
    removes: "The fence is raised before a create with an unknown outcome is looked up.",
    file: `${core}/Create.ts`,
    from: "  yield* holding.outcomeUnknown;\n  const seen =",
    to: "  const seen =",
    killedBy: [world("create, with a late list")],
  },
  {
    name: "lost-terminal-without-a-fence",
    removes: "The fence is raised before a terminal with an unknown outcome is looked up.",
    file: `${core}/AddTerminal.ts`,
    from: "  yield* holding.outcomeUnknown;\n  const seen =",
    to: "  const seen =",
    killedBy: [world("add, with a late list")],
  },
  {
    name: "request-forgotten",
    removes: "A request that was seen before gives the session that it made.",
    file: `${core}/ClearName.ts`,
    from: "if (requestId === null) return null;",
    to: "if (requestId !== undefined) return null;",
    killedBy: [world("create ∥ create of one request")],
  },
  {
    name: "request-not-recorded",
    removes: "A request is written down with the intent of what it makes.",
    file: `${core}/Create.ts`,
    from: "spec, server, requestId",
    to: "spec, server, requestId: requestId && null",
    killedBy: [world("create ∥ create of one request")],
  },
  {
    name: "replaced-in-two-messages",
    removes: "What holds the name is deleted under the claim under which the new one is made.",
    file: `${core}/ClearName.ts`,
    from: "const KEEP = { release: false };",
    to: "const KEEP = { release: true };",
    killedBy: [world("create in place of another")],
  },
  {
    name: "restored-in-two-transactions",
    removes: "A restore ends the old generation and begins the new one in one transaction.",
    file: `${core}/Create.ts`,
    from: "  const record = yield* holding.begin(incarnation, [known, begin], ending);",
    to: `  if (ending !== undefined) yield* holding.commit(ending.incarnation, ending.changes);
  const record = yield* holding.begin(incarnation, [known, begin], undefined);`,
    killedBy: [world("restore of what was lost, with a crash")],
  },
  {
    name: "restore-beside-the-old",
    removes: "What lived in the old generation is gone before the new one is made.",
    file: `${core}/Restore.ts`,
    from: "const record = yield* endRemains(holding, doomed);",
    to: "const { record } = doomed;",
    killedBy: [world("restore of what left a process behind")],
  },
  {
    name: "restore-not-marked",
    removes: "A row says from its beginning that a restore makes it, and is lost when undone.",
    file: `${core}/Create.ts`,
    from: "  const restores = ending !== undefined;",
    to: "  const restores = ending === null;",
    killedBy: [
      world("restore of what was lost, with a crash"),
      world("restore of what ended, with a crash"),
    ],
  },
  {
    name: "second-server",
    removes: "No server is started while one of ours lives out of reach.",
    file: `${core}/ServerInUse.ts`,
    from: 'if (free._tag === "Right") return yield* tmux.boot(attempted);',
    to: "if (free !== null) return yield* tmux.boot(attempted);",
    killedBy: [world("create, with a server out of reach")],
  },
  {
    name: "created-beside-ours",
    removes: "Nothing is made in another's server while ours lives out of reach.",
    file: `${core}/ServerInUse.ts`,
    from: "    yield* noOtherServer(session, attempted, listing.server);\n    return listing;",
    to: "    return listing;",
    killedBy: [world("create, with a user's server at the socket")],
  },
  {
    name: "create-does-not-look-again",
    removes: "A create that made nothing because its server went looks again, once.",
    file: `${core}/Create.ts`,
    from: '    Effect.catchTag("Nowhere", () => again),\n',
    to: "",
    killedBy: [world("create, while an empty server is stopped at any call of it")],
  },
];
