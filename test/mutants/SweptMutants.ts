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
];
