/**
 * AttachmentFaultMutants: the guards of attachments against peers that do not hear, waits that end
 * otherwise than was hoped, and what goes on behind an end, each taken away once.
 *
 * What is forked for a client is nobody else's, what could refuse is asked again, and whoever is
 * said to be gone stays so.
 */
import { type Mutant, test } from "./Mutant.js";

const core = "packages/core/src";

/** Of the guards behind faults. */
export const attachmentFaultMutants: ReadonlyArray<Mutant> = [
  {
    name: "owned-fiber-cannot-be-interrupted",
    removes: "What is forked for a client can be interrupted wherever it was attached.",
    file: `${core}/OwnedFiber.ts`,
    from: "Effect.exit(Effect.interruptible(effect))",
    to: "Effect.exit(effect)",
    killedBy: [test("OwnedFiber", "can be interrupted, although it was begun where nothing can")],
  },
  {
    name: "owned-fiber-in-a-turn",
    removes: "What was begun inside a turn for a client is no part of the turn.",
    file: `${core}/OwnedFiber.ts`,
    from: "    outsideTurns,\n",
    to: "",
    killedBy: [
      test("OwnedFiber", "is part of no turn, although it was begun in one"),
      test("Arrival", "and goes ends the writer as any other does: the turn, and its lease"),
    ],
  },
  {
    name: "deaf-peer-is-waited-for",
    removes: "Nobody waits for a peer that hears no interruption.",
    file: `${core}/SessionClient.ts`,
    from: "Effect.interruptible(Effect.disconnect(closed))",
    to: "Effect.interruptible(closed)",
    killedBy: [test("Arrival", "has nobody wait for it")],
  },
  {
    name: "mute-peer-is-there",
    removes: "A peer that cannot even answer is gone.",
    file: `${core}/SessionClient.ts`,
    from: "  } catch {\n    return true;",
    to: "  } catch {\n    return false;",
    killedBy: [test("Arrival", "is there whose peer cannot even answer")],
  },
  {
    name: "waiter-is-not-asked-again",
    removes: "What could refuse who waits is asked in the step that binds him.",
    file: `${core}/Attendance.ts`,
    from: 'if (event._tag === "Settled") this.askAgain(event);',
    to: 'if (event._tag === "Done") this.askAgain({ ...event, _tag: "Settled" } as never);',
    killedBy: [
      test("Arrival", "is not bound to a writer whose lease was taken meanwhile"),
      test("Arrival", "is not bound where its peer is gone by then, and the writer ends"),
      test("Arrival", "holds up no other peer of the same client, which is bound"),
    ],
  },
  {
    name: "waiter-that-left-waits-on",
    removes: "Who waits and is gone is answered at once.",
    file: `${core}/Attendance.ts`,
    from: "isHeld(state.waiting, hold)) continue;",
    to: "this.waiting.has(hold)) continue;",
    killedBy: [test("Arrival", "is answered at once when its peer is gone, and when it is said")],
  },
  {
    name: "gone-is-told-as-closing",
    removes: "Who is said to be gone is told that, and not that his writer ends.",
    file: `${core}/Attendance.ts`,
    from: "const refused = this.hasLeft(hold)",
    to: "const refused = (this.isEnding && this.hasLeft(hold))",
    killedBy: [test("Arrival", "and is gone does not come back by name, whatever becomes of the")],
  },
  {
    name: "gone-before-it-came",
    removes: "Who is said to be gone while he is on his way in is not let in.",
    file: `${core}/Arrival.ts`,
    from: "orphan.attendance.hasLeft(hold) || isGone(client)",
    to: "isGone(client)",
    killedBy: [test("Arrival", "is not let in")],
  },
  {
    name: "scope-keeps-who-left",
    removes: "The scope of a caller has nothing of who left it.",
    file: `${core}/Attachments.ts`,
    from: "behind: Effect.zipRight(this.perform(action), released) };",
    to: "behind: Effect.zipLeft(this.perform(action), Effect.succeed(released)) };",
    killedBy: [test("Arrival", "has nothing of who left it, however, nor of who was refused")],
  },
  {
    name: "place-read-when-told",
    removes: "What happens behind an attach is told.",
    file: `${core}/Arrival.ts`,
    from: "Effect.matchCause(placed(told.registry, options), {",
    to: "Effect.matchCause(Effect.as(Effect.succeed(told), placed.length > 9 ? {} : options), {",
    killedBy: [test("Arrival", "is told, although nothing was read for it yet")],
  },
  {
    name: "pruned-by-one-telling",
    removes: "A peer that cannot be told loses all that it is attached by.",
    file: `${core}/Tellings.ts`,
    from: "Effect.forEach([...holds], (hold) =>",
    to: "Effect.forEach([...holds].slice(-1), (hold) =>",
    killedBy: [test("tellingEnds", "loses all that it is attached by, also what it was not told")],
  },
  {
    name: "cut-off-is-not-answered",
    removes: "Whose telling is cut off by the end of the program hears that.",
    file: `${core}/Tellings.ts`,
    from: "      Effect.sync(() => this.end(known, telling, exit));",
    to: "      Effect.sync(() => exit._tag === 'Success' && this.end(known, telling, exit));",
    killedBy: [test("tellingEnds", "answers who is cut off by that")],
  },
  {
    name: "gone-is-told-by-an-ended-writer",
    removes: "Who is said to be gone is told nothing more by writers that ended.",
    file: `${core}/HandleAttach.ts`,
    from: "for (const tellings of [...writers.tellings]) tellings.leave(id, null);",
    to: "",
    killedBy: [test("tellingEnds", "is told nothing any more, also of a writer that has ended")],
  },
  {
    name: "gone-is-told-by-its-stream",
    removes: "The stream of a client that is said to be gone ends.",
    file: `${core}/HandleAttach.ts`,
    from: "Effect.zipRight(delivered, Effect.never)",
    to: "Effect.as(Effect.never, delivered)",
    killedBy: [test("HandleAttach", "ends with that, although its writer goes on")],
  },
  {
    name: "close-waits-for-open-writers-alone",
    removes: "A program that closes waits for who is told of a writer that just ended.",
    file: `${core}/SessionHandles.ts`,
    from: "Effect.forEach([...writers.tellings], ({ whole }) => whole, together)",
    to: "Effect.forEach([...writers.tellings].slice(0, writers.all.size), (t) => t.whole)",
    killedBy: [test("tellingEnds", "waits also for who is still told of a writer that ended just")],
  },
  {
    name: "every-question-is-kept",
    removes: "A client that comes again has one question asked.",
    file: `${core}/BackgroundWork.ts`,
    from: "by: unknown = asked): void {",
    to: "_by?: unknown, by: unknown = asked): void {",
    killedBy: [
      test("HandleAttach", "is asked behind it, too, and his newest in the place of those"),
    ],
  },
  {
    name: "too-many-is-not-counted-again",
    removes: "A writer that is too many is that in the very step.",
    file: `${core}/IdleWriters.ts`,
    from: " && isDue(),",
    to: " && isDue !== undefined,",
    killedBy: [test("IdleRelease", "others end while the first is looked at")],
  },
  {
    name: "too-many-is-counted-once",
    removes: "Which writer is too many is found among those that are there.",
    file: `${core}/IdleRelease.ts`,
    from: "    for (;;) {\n      // Others come and end while one is looked at: each is chosen among those that are there then.\n      const there = writers().map((writer) =>",
    to: "    const all = writers();\n    const ended = new Set<IdleWriter>();\n    for (;;) {\n      const there = all.filter((each) => !ended.has(each)).map((writer) =>",
    and: [
      {
        file: `${core}/IdleRelease.ts`,
        from: "if (!(yield* writer.evict(reason, isDue))) inUse.add(writer.actor);",
        to: "if (yield* writer.evict(reason, () => true)) ended.add(writer);\n      else inUse.add(writer.actor);\n      if (tooMany(writers().length, bounds) < 0) isDue();",
      },
    ],
    killedBy: [test("IdleRelease", "others end while the first is looked at")],
  },
  {
    name: "no-bound-is-looked-for",
    removes: "Nobody looks for a bound that is none.",
    file: `${core}/IdleRelease.ts`,
    from: "  const isTooMany = () => tooMany(writers().length, bounds) > 0;",
    to: "  const isTooMany = () => writers().length > (bounds.liveWriters ?? Number.NaN);",
    killedBy: [test("IdleRelease", "and a bound of none is no bound, for which nobody looks")],
  },
  {
    name: "watched-twice",
    removes: "A detachment that is watched is not watched again.",
    file: `${core}/DetachmentWatch.ts`,
    from: "generation === null || this.watched?.generation === generation",
    to: "generation === null",
    killedBy: [
      test("DetachmentWatch", "it is one, although its client came and went again before"),
    ],
  },
];
