/**
 * AttachmentMutants: the guards by which nobody who is there loses his writer, and nobody's writer
 * lives for ever, each taken away once.
 *
 * Deadlines, looks and the doubt about them, clients that hang, and the release of idle writers.
 */
import { type Mutant, test, world } from "./Mutant.js";

const core = "packages/core/src";

/** Of the guards of attachments, of the reaper, and of the release of idle writers. */
export const attachmentMutants: ReadonlyArray<Mutant> = [
  {
    name: "late-deadline-acts",
    removes: "A deadline of an older detachment does nothing.",
    file: `${core}/OrphanRows.ts`,
    from: "e.generation !== s.generation",
    to: "e.generation < 0 && s.generation < 0",
    killedBy: [test("AttachmentTable", "what is of an older one does nothing")],
  },
  {
    name: "who-is-there-is-reaped",
    removes: "What was decided behind a look is of the state that there is then.",
    file: `${core}/OrphanReaper.ts`,
    from: "return { state: attendance.state, now, bounds, turn, isAwaited, ...looks };",
    to: 'const state = { _tag: "Detached", generation: 1, since: now, due: now, deferred: null } as const;\n  return { state: attendance.state._tag === "Detached" ? state : attendance.state, now, bounds, turn, isAwaited, ...looks };',
    killedBy: [test("OrphanReaper", "puts it off for as long as it looks, and the grace begins")],
  },
  {
    name: "blind-is-nobody",
    removes: "Nobody could look is not that nobody looks.",
    file: `${core}/OrphanDecision.ts`,
    from: 'if (nativeClients === "unknown") return "native-tmux-client-unknown";',
    to: "",
    killedBy: [test("OrphanReaper", "may be there while nobody can look")],
  },
  {
    name: "doubt-about-work-is-none",
    removes: "A question about work that fails counts as work.",
    file: `${core}/OrphanReaper.ts`,
    from: 'if (Exit.isFailure(exit) || Option.isNone(exit.value)) return "unknown";',
    to: 'if (Exit.isFailure(exit) || Option.isNone(exit.value)) return "none";',
    killedBy: [test("BackgroundWork", "one that fails, dies or hangs is not known")],
  },
  {
    name: "no-grace-behind-a-tmux-client",
    removes: "Behind a tmux client the grace begins anew.",
    file: `${core}/OrphanDecision.ts`,
    from: 'if (isNative(state.deferred)) return { _tag: "RecheckAt", at: again, why: null };',
    to: 'if (isNative(state.deferred) && now < 0) return { _tag: "RecheckAt", at: again, why: null };',
    killedBy: [test("OrphanReaper", "puts it off for as long as it looks, and the grace begins")],
  },
  {
    name: "early-look-acts",
    removes: "A look that comes too early, as a timer that counted a suspend does, does nothing.",
    file: `${core}/OrphanDecision.ts`,
    from: 'if (now < due) return { _tag: "RecheckAt", at: due, why: state.deferred };',
    to: "",
    killedBy: [test("OrphanDecision", "a moment early")],
  },
  {
    name: "accepted-turn-is-none",
    removes: "A turn that was accepted and has not begun keeps its writer.",
    file: `${core}/OrphanDecision.ts`,
    from: "if (turn === null && !view.isAwaited) return",
    to: "if (turn === null) return",
    killedBy: [test("orphanTurns", "whose lease is asked for as the grace ends, runs")],
  },
  {
    name: "settled-turn-ends-nothing",
    removes: "A writer whose interrupted turn has settled ends.",
    file: `${core}/OrphanRows.ts`,
    from: 'to: ["Reaping", () => reaping(false)],\n    action: "reap",',
    to: 'to: ["Reaping", () => reaping(false)],\n    action: "nothing",',
    killedBy: [test("orphanTurns", "that settles 7.5 s behind its interrupt ends its writer then")],
  },
  {
    name: "due-writer-is-not-ended",
    removes: "A writer that is due ends.",
    file: `${core}/OrphanReaper.ts`,
    from: "const ended = Effect.flatMap(Effect.exit(end(state.reason)), (exit) =>",
    to: "const ended = Effect.flatMap(Effect.exit(Effect.as(Effect.void, end)), (exit) =>",
    killedBy: [
      world("a client comes as the grace of another is over"),
      world("a client goes as its turn ends, and another begins"),
      world("two viewers go, and one comes back"),
    ],
  },
  {
    name: "who-waits-is-forgotten",
    removes: "Who waits for an interrupt that settles has the writer then.",
    file: `${core}/OrphanRows.ts`,
    from: "(s) => s.waiting.length > 0],",
    to: "(s) => s.waiting.length < 0],",
    killedBy: [
      world("a client waits for an interrupt that settles"),
      test("Attachments", "one that waits has the writer when the turn has settled"),
    ],
  },
  {
    name: "dead-peer-returns",
    removes: "A return of one whose peer is gone is none.",
    file: `${core}/Arrival.ts`,
    from: "  const isLive = found === null;",
    to: "  const isLive = true;",
    killedBy: [test("Attachments", "and whose peer is gone is no return")],
  },
  {
    name: "any-attachment-takes-all",
    removes: "A client that is attached twice leaves with the second.",
    file: `${core}/AttachRows.ts`,
    from: "  hold !== null &&\n",
    to: "  hold === -1 &&\n",
    killedBy: [test("Attachments", "joins those who are there, and twice the same one is one")],
  },
  {
    name: "leaving-is-not-heard",
    removes: "A peer that is gone takes its client with it.",
    file: `${core}/Arrival.ts`,
    from: "if (client.closed === undefined && client.isClosed === undefined) return",
    to: "if (client.closed !== Effect.never) return",
    killedBy: [world("a client is lost while its session is deleted")],
  },
  {
    name: "two-watches",
    removes: "Who is there again cuts off the wait for him.",
    file: `${core}/DetachmentWatch.ts`,
    from: "    askToEnd(watched.fiber);\n",
    to: "",
    killedBy: [
      test("DetachmentWatch", "is one for a writer, however often its client comes and goes"),
    ],
  },
  {
    name: "bad-viewer-is-waited-for",
    removes: "A client that takes too long is gone.",
    file: `${core}/Tellings.ts`,
    from: "const until = AwakeMillis((yield* awake.now) + viewerBoundMs);",
    to: "const until = AwakeMillis((yield* awake.now) + 1e9 * viewerBoundMs);",
    killedBy: [test("Tellings", "is gone after its bound, and no other one notices")],
  },
  {
    name: "stuck-viewer-is-owned",
    removes: "A client that hears of no interruption has nobody wait for him.",
    file: `${core}/Tellings.ts`,
    from: "const given = Effect.disconnect(Effect.suspend(() => deliver(element)));",
    to: "const given = Effect.suspend(() => deliver(element));",
    killedBy: [test("Tellings", "is gone after its bound, and no other one notices")],
  },
  {
    name: "writer-that-ends-is-given",
    removes: "Who asks for a name gets no writer that ends.",
    file: `${core}/SessionHandles.ts`,
    from: "const state = yield* there.state;",
    to: 'const state = "open" as string;',
    killedBy: [
      test("HandleAttach", "makes another writer where the one there ends, while that waits"),
    ],
  },
  {
    name: "evicted-on-an-old-look",
    removes: "What is let go for being idle is idle in that very step.",
    file: `${core}/IdleWriters.ts`,
    from: "isIdle: isIdle(open) && attachments.attendance.usedAt === usedAt && isDue(),",
    to: "isIdle: isDue(),",
    killedBy: [test("IdleRelease", "by a turn that begins between the look and the end stays")],
  },
  {
    name: "expected-is-anybody",
    removes: "Who says which incarnation he means gets no other.",
    file: `${core}/HandleAttach.ts`,
    from: "return incarnation === undefined || handle.incarnation === incarnation ? handle : yield* stale;",
    to: "return handle;",
    and: [
      {
        file: `${core}/HandleAttach.ts`,
        from: "    if (incarnation !== undefined && newest !== incarnation) return yield* stale;\n",
        to: "",
      },
    ],
    killedBy: [test("HandleAttach", "gets that writer and that incarnation, or a refusal")],
  },
  {
    name: "refused-behind-the-get",
    removes: "Who means another incarnation ends no writer and makes none.",
    file: `${core}/HandleAttach.ts`,
    from: "    if (incarnation !== undefined && newest !== incarnation) return yield* stale;\n",
    to: "",
    killedBy: [
      test("HandleAttach", "ends no writer of an older generation by that, and makes none"),
    ],
  },
];
