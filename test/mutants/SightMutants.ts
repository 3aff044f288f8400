/**
 * SightMutants: what a look may be taken for: proof of absence, whose a session is, and what a
 * reconcile makes of it.
 *
 * Their worlds have sessions of strangers, servers out of reach and lists that are done late.
 */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is the text of source
import { type Mutant, test, world } from "./Mutant.js";

const core = "packages/core/src";

/** Edits of what is seen and what comes of it. */
export const sightMutants: ReadonlyArray<Mutant> = [
  {
    name: "early-list-counts-always",
    removes: "A listing that began before the rows were read counts where it has what they have.",
    file: `${core}/Readers.ts`,
    from: "    if (found === undefined) return isFinal(state);",
    to: "    if (found === undefined) return true;",
    and: [
      {
        file: `${core}/Readers.ts`,
        from: "return shown.length === known.length && known.every(isShown);",
        to: "return shown.length <= known.length || known.every(isShown);",
      },
    ],
    killedBy: [
      world("an early list, and create at any call of it"),
      world("an early list, and add at any call of it"),
    ],
  },
  {
    name: "list-tells-nothing-in-trouble",
    removes: "Where tmux does not tell, a list has the rows all the same.",
    file: `${core}/Readers.ts`,
    from: `    Effect.map(Either.right),
    Effect.catchTag("LookupFailed", (failure) => Effect.succeed(Either.left(failure))),
  );
  const at`,
    to: `    Effect.map(Either.right),
    Effect.catchTag("LookupFailed", (failure) => Effect.succeed(Either.left(failure))),
  );
  const inReach = listed._tag === "Right" ? records : [];
  const at`,
    and: [
      {
        file: `${core}/Readers.ts`,
        from: "yield* Effect.forEach(records, (record) =>\n    listed._tag",
        to: "yield* Effect.forEach(inReach, (record) =>\n    listed._tag",
      },
    ],
    killedBy: [world("list, and a fault of any call of it")],
  },
  {
    name: "known-by-name",
    removes: "A session is ours by its mark and not by its name.",
    file: `${core}/Sight.ts`,
    from: "sessions.find((s) => s.mark?.incarnation === record.incarnation);",
    to: "sessions.find((s) => s.name === record.session);",
    killedBy: [world("reconcile of what was replaced")],
  },
  {
    name: "any-server-is-proof",
    removes: "Only the server that a session was made in proves that it is not there.",
    file: `${core}/Sight.ts`,
    from: 'listing._tag === "Server" && sameServer(listing.server, home)',
    to: 'listing._tag === "Server"',
    killedBy: [
      world("reconcile ∥ a user's server takes the socket"),
      world("delete ∥ a user's server takes the socket"),
    ],
  },
  {
    name: "silence-is-death",
    removes: "A server that does not answer is dead only where its process is.",
    file: `${core}/Sight.ts`,
    from: "if (entry === null || entry.id.startTime !== record.process.startTime) {",
    to: "if (entry !== undefined) {",
    killedBy: [
      world("reconcile ∥ a user's server takes the socket"),
      world("delete ∥ a user's server takes the socket"),
    ],
  },
  {
    name: "unknown-server-is-dead",
    removes: "A server that no row tells of is not known to be dead.",
    file: `${core}/Sight.ts`,
    from: "if (known === undefined) return",
    to: 'if (known === undefined) return { _tag: "Absent", why: "server gone" };\n    if (known === undefined) return',
    killedBy: [world("reconcile, with a server that no row tells of")],
  },
  {
    name: "late-effect-left",
    removes: "What appears in tmux of an incarnation that has ended is ended.",
    file: `${core}/Lifecycle.ts`,
    from: '? { _tag: "KillLate", why: `it appeared after it was ${record.state}` }',
    to: '? { _tag: "Nothing", why: `it appeared after it was ${record.state}` }',
    killedBy: [world("create, with a late list and no fences")],
  },
  {
    name: "late-effect-adopted",
    removes: "Only a session that no row knows is taken up, and none that has ended.",
    file: `${core}/Adopt.ts`,
    from: "Effect.map(registry.find(mark.incarnation), Option.isNone),",
    to: "Effect.map(registry.find(mark.incarnation), () => true),",
    killedBy: [world("create, with a late list and no fences")],
  },
  {
    name: "other-home-adopted",
    removes: "A session with the mark of another home is not taken up.",
    file: `${core}/Adopt.ts`,
    from: "mark === null || mark.home !== home",
    to: "mark === null || home === null",
    killedBy: [world("reconcile beside another home's session")],
  },
  {
    name: "acts-on-an-old-look",
    removes: "A reconcile looks under its claim before it acts, whatever was seen before.",
    file: `${core}/SessionActor.ts`,
    from: `        send(
          { session, attempted: "reconcile", policy: "try", joining: JOIN_RECONCILE },
          reconcileSession,
        ).pipe(
`,
    to: `        Effect.flatMap(services.unsafeMap.get("@troupe/core/Tmux").list("reconcile"), (old) =>
          send(
            { session, attempted: "reconcile", policy: "try", joining: JOIN_RECONCILE },
            (holding) => reconcileSession({ ...holding, look: () => Effect.succeed(old) }),
          ),
        ).pipe(
`,
    killedBy: [world("create ∥ reconcile, with an old answer and nobody behind them")],
  },
  {
    name: "living-holder-reconciled",
    removes: "A name that a living program holds is left alone by a reconcile.",
    file: `${core}/SessionActor.ts`,
    from: 'attempted: "reconcile", policy: "try"',
    to: 'attempted: "reconcile", policy: "force"',
    killedBy: [world("create ∥ reconcile, with nobody behind them")],
  },
  {
    name: "session-before-terminals",
    removes: "The log tells the end of the terminals before that of their session.",
    file: `${core}/Lifecycle.ts`,
    from: `): ReadonlyArray<Change> => [
  ...record.terminals
    .filter((t) => t.state !== "gone")
    .map((t): Change => ({ _tag: "Terminal", record: { ...t, state: "gone" } })),
  { _tag: "Move", to, cause },
];`,
    to: `): ReadonlyArray<Change> => [
  { _tag: "Move", to, cause },
  ...record.terminals
    .filter((t) => t.state !== "gone")
    .map((t): Change => ({ _tag: "Terminal", record: { ...t, state: "gone" } })),
];`,
    killedBy: [world("delete of the last terminal")],
  },
  {
    name: "event-without-a-transition",
    removes: "A row that is written again in the state that it has makes no event.",
    file: `${core}/SessionEvents.ts`,
    from: "return known?.state === state ? null :",
    to: "return known === null ? null :",
    killedBy: [world("delete of a terminal that was cut off, and again")],
  },
  {
    name: "transition-without-an-event",
    removes: "Every change of state writes its event.",
    file: `${core}/SessionEvents.ts`,
    from: 'return { type: "session", state: change.to, cause: change.cause };',
    to: 'return change.to === "deleting" ? null : { type: "session", state: change.to, cause: change.cause };',
    killedBy: [world("delete of the last terminal")],
  },
  {
    name: "out-of-reach-is-missing",
    removes: "A session that was there and is not is looked for again before it is told missing.",
    file: `${core}/Adopt.ts`,
    from: "if (said === null) return yield* missingNow(holding, yield* holding.look(attempted));",
    to: "if (said === null) return yield* new NotFound({ session, attempted });",
    killedBy: [world("adopt ∥ the socket goes")],
  },
  {
    name: "reader-takes-what-was-missed",
    removes: "Who reads that a program ended, and not how, has the server reap it.",
    file: `${core}/ExitStatus.ts`,
    from: "(s) => !isAsked(s) || exitsKnown(s)",
    to: "(s) => s.terminals.length >= 0 || !isAsked(s)",
    killedBy: [
      test(
        "ExitStatus",
        "is told by whoever reads, since nobody else may ever look: the server is asked once",
      ),
    ],
  },
];
