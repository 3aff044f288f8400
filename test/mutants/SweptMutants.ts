/**
 * SweptMutants: single edits that a sweep over the sources found, and that no world of those days
 * noticed: what is told once, in time, or to the right one.
 *
 * Each is found by a play or a world about its kind: every end that is followed, every way to go.
 */
import { type Mutant, world } from "./Mutant.js";

const core = "packages/core/src";

const following = (what: string) =>
  [
    world(`who follows and waits${what}`),
    world(`who follows and waits, in another program${what}`),
  ] as const;

/** Of what is told. */
export const sweptMutants: ReadonlyArray<Mutant> = [
  {
    name: "detach-is-cut-off-in-the-middle",
    removes: "Who is cut off as he detaches has left.",
    file: `${core}/Arrival.ts`,
    from: "release: Effect.uninterruptible(Scope.close(own, Exit.void)),",
    to: "release: Scope.close(own, Exit.void),",
    killedBy: [world("a client that detaches, and is cut off in the middle of it")],
  },
  {
    name: "peer-is-gone-at-once",
    removes: "A client is there until its peer is gone.",
    file: `${core}/Arrival.ts`,
    from: "Effect.zipRight(peerGone(client, orphan.awake), left)",
    to: "left",
    killedBy: [world("a client is there until its peer is gone")],
  },
  {
    name: "peer-is-told-by-each-attachment",
    removes: "A peer that is attached twice is told once.",
    file: `${core}/Tellings.ts`,
    from: "if (known.telling !== null) return",
    to: "if (false) return",
    killedBy: [world("a peer that is attached twice, beside another of its name")],
  },
  {
    name: "who-left-waits-with-the-others",
    removes: "Who leaves while he waits for an interrupt is answered then.",
    file: `${core}/Attendance.ts`,
    from: 'state._tag === "Interrupting" && isHeld(state.waiting, hold)',
    to: 'state._tag === "Interrupting"',
    killedBy: [world("a client that waits for an interrupt, and leaves")],
  },
  {
    name: "end-of-an-older-writer-is-announced",
    removes: "Only the end of the newest writer of a name is told of.",
    file: `${core}/OpenHandle.ts`,
    from: "isNewest() ? Effect.asVoid(PubSub",
    to: "true ? Effect.asVoid(PubSub",
    killedBy: [world("the end of a writer that is not the newest of its name")],
  },
  {
    name: "closing-is-never-told",
    removes: "Who follows or waits in a program hears that it lets go of the session.",
    file: `${core}/SessionScopes.ts`,
    from: "          yield* Scope.addFinalizer(own, Deferred.succeed(done, undefined));\n",
    to: "",
    killedBy: [
      world("who follows and waits in a program that ends"),
      world("who follows and waits in a program that ends, of another's"),
    ],
  },
  {
    name: "what-is-away-has-not-ended",
    removes: "A terminal that is shown to be away has ended, whatever its row says.",
    file: `${core}/OutputReader.ts`,
    from: 'return (record.state === "deleting" ? deleted : lost) ?? null;',
    to: "return null;",
    killedBy: [...following(", and its server dies"), ...following(", and a user removes it")],
  },
  {
    name: "what-a-delete-ended-is-lost",
    removes: "What is away while a delete is under way was deleted.",
    file: `${core}/OutputReader.ts`,
    from: 'return (record.state === "deleting" ? deleted : lost) ?? null;',
    to: "return lost ?? null;",
    killedBy: following(", and a delete of it is cut off behind its kill"),
  },
  {
    name: "unknown-terminal-is-an-unknown-incarnation",
    removes: "What is told of a terminal that there is not names it.",
    file: `${core}/Output.ts`,
    from: "if (record !== null || incarnation === undefined) {",
    to: "if (false) {",
    killedBy: [world("what is told of output that there is not")],
  },
  {
    name: "end-is-told-before-it-is-known",
    removes: "Who waits for the end of a program is told how it ended, if tmux knows that late.",
    file: `${core}/WaitEnd.ts`,
    from: "if (exit !== null && (exit.code !== null || exit.signal !== null)) return true;",
    to: "if (exit !== null) return true;",
    killedBy: [world("who waits for an end that tmux knows late")],
  },
  {
    name: "who-asks-late-is-not-hurried",
    removes: "A message hears of one that hurries also where that came before it asked.",
    file: `${core}/MailboxQueues.ts`,
    from: "running.isHurried = true;",
    to: "running.isHurried = false;",
    killedBy: [world("a message that works, and one that hurries behind it")],
  },
  {
    name: "damaged-servers-end-a-reconcile",
    removes: "A server is told to listen again also where the rows of servers cannot be read.",
    file: `${core}/ListenAgain.ts`,
    from: `  const recorded = yield* registry.servers.pipe(
    Effect.catchTags({
      RegistryCorrupt: () => Effect.succeed([]),
      RegistryUnavailable: () => Effect.succeed(null),
    }),
  );`,
    to: "  const recorded = yield* registry.servers;",
    killedBy: [
      world("reconcile all where the socket was removed, and the rows of servers are damaged"),
    ],
  },
  {
    name: "own-mark-is-a-strangers",
    removes: "A session with the mark of this home is taken up by its name, too.",
    file: `${core}/AdoptStranger.ts`,
    from: "if (mark !== null && mark.home !== home) {",
    to: "if (mark !== null) {",
    killedBy: [world("delete of what forked twice, adopted by its name")],
  },
  {
    name: "dry-gc-repairs-what-is-right",
    removes: "A dry gc tells of repairs that are due, and of no others.",
    file: `${core}/GcDryRun.ts`,
    from: "part.due && known.has(part.session) &&",
    to: "known.has(part.session) &&",
    killedBy: [world("what a gc says before it does it, and what is old enough")],
  },
  {
    name: "dry-gc-takes-up-what-no-row-knows",
    removes: "What no row knows is left to a reconcile, by a dry gc as well.",
    file: `${core}/GcDryRun.ts`,
    from: "part.due && known.has(part.session) &&",
    to: "part.due &&",
    killedBy: [world("what a gc leaves to a reconcile")],
  },
  {
    name: "bad-end-is-not-told-inside",
    removes: "Who ends a writer in its turn hears of all that went wrong, too.",
    file: `${core}/EndSession.ts`,
    from: "(isInside && HashSet.size(interruptors) > 0)",
    to: "isInside",
    killedBy: [world("what a writer held ends badly, as its turn ends it")],
  },
  {
    name: "reader-does-not-have-it-reaped",
    removes: "Who reads how a program ended has the server reap it first.",
    file: `${core}/ExitStatus.ts`,
    from: "return isTold ? Effect.succeed(listing) : Effect.zipRight(tryReap(listing.server), list);",
    to: "return Effect.succeed(listing);",
    killedBy: [
      world("who looks at an end that tmux knows late"),
      world("who lists an end that tmux knows late"),
    ],
  },
  {
    name: "what-nobody-recorded-is-not-told",
    removes: "A reader is told, once, where nobody knows what was printed.",
    file: `${core}/OutputReader.ts`,
    from: "private toldBroken = false",
    to: "private toldBroken = true",
    killedBy: [world("a reader, and a recorder that is broken, broken")],
  },
  {
    name: "recorder-that-begins-is-broken",
    removes: "A recorder that has not begun yet is given its time.",
    file: `${core}/OutputReader.ts`,
    from: "private sawData = false",
    to: "private sawData = true",
    killedBy: [world("a reader, and a recorder that is absent, idle")],
  },
  {
    name: "input-goes-to-the-first-terminal",
    removes: "Input is for the terminal that was named, also under a lease.",
    file: `${core}/Sessions.ts`,
    from: "actor.under(lease).send(input, options?.terminal ?? null)",
    to: "actor.under(lease).send(input, null)",
    killedBy: [world("what a session does for who has its lease")],
  },
  {
    name: "wait-without-a-registry-dies",
    removes: "A wait that is over before the registry has answered says so.",
    file: `${core}/Wait.ts`,
    from: "if (waiter === undefined) return",
    to: "if (false) return",
    killedBy: [world("who waits for a terminal, and a registry that does not answer")],
  },
  {
    name: "answer-that-is-cut-off-is-one",
    removes: "A server that begins to listen may cut a client off, and is asked again.",
    file: `${core}/ListenAgain.ts`,
    from: "if (Either.isLeft(answer)) return false;",
    to: "if (Either.isLeft(answer)) return true;",
    killedBy: [
      world("create where the socket was removed, and the first answer behind that is cut off"),
      world("delete where the socket was removed, and the first answer behind that is cut off"),
    ],
  },
  {
    name: "what-time-ended-is-no-change",
    removes: "A reconcile tells that it ended what was over.",
    file: `${core}/Reconcile.ts`,
    from: 'resultOf(record, "deleted", decision), changed: true, why: over };',
    to: 'resultOf(record, "deleted", decision), changed: false, why: over };',
    killedBy: [
      world("what a reconcile tells, where its time is over"),
      world("what a reconcile tells of everything, where its time is over"),
    ],
  },
  {
    name: "start-window-is-not-looked-through",
    removes: "What a program starts in its start window is recorded with it.",
    file: `${core}/Create.ts`,
    from: "startWindowMs === 0 ? leaders(lives) : victims(lives)",
    to: "leaders(lives)",
    killedBy: [
      world("delete, of what main started in its start window"),
      world("delete a terminal, of what main started in its start window"),
      world("create, replacing, of what main started in its start window"),
    ],
  },
  {
    name: "only-the-first-of-a-terminal-is-recorded",
    removes: "What a further terminal starts in its start window is recorded with it.",
    file: `${core}/AddTerminal.ts`,
    from: "const found = yield* victims(terminalLives({ record, seen, terminal: added }));",
    to: `const all = yield* victims(terminalLives({ record, seen, terminal: added }));
  const found = all.filter(({ parent }) => parent === record.server?.pid);`,
    killedBy: [
      world("delete, of what t2 started in its start window"),
      world("delete a terminal, of what t2 started in its start window"),
    ],
  },
];
