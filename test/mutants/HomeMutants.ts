/**
 * HomeMutants: what is done about a home as a whole: forgetting what has ended, and a server that
 * lost its socket.
 *
 * Their worlds have others at work on the same home, and other sessions in its server.
 */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is the text of source
import { type Killer, type Mutant, world } from "./Mutant.js";

const core = "packages/core/src";

/** No world has processes that are none of our servers. */
const unheard = (test: string): Killer => ({ test, in: "test/core/ListenAgain.test.ts" });

/** No world has a server whose registry was lost. */
const besideOurs: Killer = {
  test: "the one that answers is not used by ${name}",
  in: "test/core/OtherServer.test.ts",
};

/** Edits of gc, and of who is told to listen again. */
export const homeMutants: ReadonlyArray<Mutant> = [
  {
    name: "gc-forgets-a-name-below-its-fence",
    removes: "The claim of a name is kept, with its epoch, while its fence stands in tmux.",
    file: `${core}/GcStep.ts`,
    from: "  if (fence === 0) return null;\n",
    to: "  if (fence !== null) return null;\n",
    // Behind it a change that a higher fence refused takes an epoch that passes.
    and: [
      {
        file: `${core}/HigherFence.ts`,
        from: "if (height === null || height <= holding.fence().epoch) return",
        to: "if (height === null || height !== -1) return",
      },
    ],
    killedBy: [world("gc of a name whose fence stands, and create")],
  },
  {
    name: "server-not-told-to-listen",
    removes: "What changes something tells a living server without a socket to listen again.",
    file: `${core}/Holding.ts`,
    from: "const heard = hasTold ?",
    to: "const heard = hasTold || hasTold === false ?",
    killedBy: [world("create where the socket was removed")],
  },
  {
    name: "server-of-another-socket-told",
    removes: "Only a server that was started for our socket is told to listen again.",
    file: `${core}/OtherServer.ts`,
    from: "({ id }) => socket.isServedBy(id.pid)",
    to: "({ id }) => Effect.as(socket.isServedBy(id.pid), true)",
    killedBy: [unheard("a tmux server of another socket is not told, although ours has ended")],
  },
  {
    name: "client-told-to-listen",
    removes: "Only a tmux server is told to listen: the signal would end any other program.",
    file: `${core}/OtherServer.ts`,
    from: ".filter(({ tmuxServer }) => tmuxServer);",
    to: ".filter(() => true);",
    killedBy: [unheard("listens again beside a client of it, which is not told")],
  },
  {
    name: "server-without-a-row-unseen",
    removes: "A server of the socket that no row tells of is seen, too, before one is used.",
    file: `${core}/OtherServer.ts`,
    from: "if (!isKnown) yield*",
    to: "if (isKnown) yield*",
    killedBy: [besideOurs],
  },
  {
    name: "server-without-a-row-not-told",
    removes: "A server that no row tells of is told to listen again as well.",
    file: `${core}/ListenAgain.ts`,
    from: "  return { server: first, isRecorded };\n",
    to: "  return isRecorded ? { server: first, isRecorded } : null;\n",
    killedBy: [unheard("taken up again whole by a reconcile")],
  },
  {
    name: "adopted-beside-ours",
    removes: "No stranger's session is marked in a server beside which ours lives out of reach.",
    file: `${core}/AdoptStranger.ts`,
    from: "  yield* noOtherServer(session, attempted, listing.server);\n  const generation",
    to: "  const generation",
    killedBy: [{ test: "a stranger is not even marked", in: "test/core/OtherServer.test.ts" }],
  },
  {
    name: "taken-up-beside-ours",
    removes: "No session is taken up in a server beside which ours lives out of reach.",
    file: `${core}/Adopt.ts`,
    from: "  yield* noOtherServer(session, attempted, server);\n",
    to: "",
    killedBy: [
      { test: "a session with our mark is not taken up", in: "test/core/OtherServer.test.ts" },
    ],
  },
  {
    name: "rebuilt-beside-ours",
    removes: "A registry is not made new from one server while another of ours lives.",
    file: `${core}/ReconcileAll.ts`,
    from: 'yield* noServerOfSocket(null, "rebuild", answering);',
    to: 'if (answering === null) yield* noServerOfSocket(null, "rebuild", answering);',
    killedBy: [besideOurs],
  },
  {
    name: "starting-server-told",
    removes: "A server that no row tells of is given time to answer before it is told to listen.",
    file: `${core}/ListenAgain.ts`,
    from: "  if (!isRecorded) {\n",
    to: "  if (isRecorded === null) {\n",
    killedBy: [unheard("that is about to answer for the first time")],
  },
];
