/**
 * TmuxClient: core's `Tmux` over a transport.
 *
 * It sends one command list for each call (a second where a fence finds input left behind, a pane
 * that is to be shown is gone, or a server has hooks) and believes only the positive lines that it
 * asked for: greeting, rows, end. An answer of any other shape is `LookupFailed`, so that no text,
 * exit code or silence of tmux is ever read as absence. It keeps no state. A change is never
 * repeated; a look is, when a signal ended its client.
 */
import {
  type LookupFailed,
  type SessionMarks,
  Telemetry,
  Tmux,
  TmuxRefused,
  timed,
  UnsupportedTmux,
} from "@troupe/core";
import { Cause, Effect, Exit, Layer, Option } from "effect";
import { addTerminalList, readAdded } from "./AddTerminalList.js";
import {
  adoptList,
  disownList,
  readAdopted,
  readDisowned,
  readStranger,
  strangerList,
} from "./AdoptList.js";
import { attachArgv, clientsList, readClients } from "./AttachList.js";
import { captureList, readCapture } from "./CaptureList.js";
import { createList, readCreated } from "./CreateList.js";
import { fenceList, readFence } from "./FenceList.js";
import { sendFound } from "./Hooked.js";
import { introductionList, readIntroduction } from "./IntroductionList.js";
import { bindList, keyBindingFault, readBound } from "./KeyBindings.js";
import { killList, readKilled } from "./KillList.js";
import { killTerminalList, readTerminalKilled } from "./KillTerminalList.js";
import { fencedListing, LISTING, readListing } from "./ListingList.js";
import {
  leftLine,
  loadList,
  loadTimeMs,
  readLoaded,
  readRemoved,
  removeList,
  splitLeft,
} from "./LoadList.js";
import { readReceipt, readSent, receiptList, sendList } from "./SendList.js";
import {
  freshNonce,
  listShowingList,
  readListShowing,
  readSnapshot,
  snapshotList,
} from "./SnapshotList.js";
import { sameSocket } from "./SocketPath.js";
import { pathOf } from "./StartedProgram.js";
import { readStopping, stopList } from "./StopList.js";
import { END } from "./TmuxCommand.js";
import { type Asked, failureOf, isClean, linesOf, notBelieved } from "./TmuxFailure.js";
import { parseHello } from "./TmuxFormat.js";
import { BOOT, isSupported } from "./TmuxServer.js";
import { type TmuxReply, type TmuxRequest, TmuxTransport } from "./TmuxTransport.js";

/** How long one command list may take, in milliseconds; after it the outcome is unknown. */
export interface TmuxClientOptions {
  readonly deadlineMs: number;
  /** Makes a word that nothing can hold yet; node's unless given. */
  readonly freshNonce?: (() => string) | undefined;
}

const readBoot = Effect.fnUntraced(function* (asked: Asked, reply: TmuxReply) {
  const lines = linesOf(reply);
  const hello = parseHello(lines[0]);
  if (hello !== null && !isSupported(hello.version)) {
    return yield* new UnsupportedTmux({ ...asked, version: hello.version });
  }
  if (hello !== null && isClean(reply) && lines.length === 2 && lines[1] === END) return hello;
  const failure = failureOf(asked, reply);
  return yield* failure === "no-server"
    ? notBelieved(asked, "unclear", `the server did not start: ${reply.stderr.trim()}`)
    : failure;
});

/** Sends one command list; what is not said of it is as for a list on stdin. */
type Send = (
  asked: Asked,
  request: Partial<TmuxRequest>,
) => ReturnType<TmuxTransport["Type"]["run"]>;

/** How a call ended, in a word: an answer, why there is none, or that nobody waits for it. */
const answerOf = (exit: Exit.Exit<TmuxReply, LookupFailed>): string => {
  if (Exit.isSuccess(exit)) return "ok";
  const failed = Cause.failureOption(exit.cause);
  return Option.isSome(failed) ? failed.value.reason : "interrupted";
};

/**
 * A look whose client was ended by a signal is taken again, as often as a terminal's signals may
 * come: one that is sent to the process group between a client's fork and its leaving the group
 * reaches the client (libuv keeps it pending), and an undoing would not know what there is.
 */
const looking = Effect.retry<LookupFailed, { times: number; while: (e: LookupFailed) => boolean }>({
  times: 3,
  while: ({ reason }) => reason === "signalled",
});

/** The calls about clients on somebody's terminal. */
const attaching = (send: Send, transport: TmuxTransport["Type"]): Tmux["Type"]["attach"] => ({
  isOurSocket: (path) => Effect.sync(() => sameSocket(path, transport.socket)),
  clients: Effect.fn("Tmux.attach.clients")(function* (session, server) {
    const asked = { session: session.name, attempted: "attach" };
    const list = { argv: clientsList(session.sessionId), framed: true };
    const reply = yield* looking(send(asked, list));
    return yield* readClients(asked, server, reply);
  }),
  argv: (request) => attachArgv(transport, request),
  bindKeys: Effect.fn("Tmux.attach.bindKeys")(function* (session, server, text) {
    const asked = { session, attempted: "bind keys" };
    const detail = keyBindingFault(text);
    if (detail !== null) return yield* new TmuxRefused({ ...asked, detail });
    return yield* readBound(asked, server, yield* send(asked, { stdin: bindList(server, text) }));
  }),
});

/** The calls about sessions that no row knows, and about names of which none is left. */
const adopting = (send: Send): SessionMarks => ({
  fenceOf: Effect.fn("Tmux.fenceOf")(function* (session, server) {
    const asked = { session, attempted: "look at the fence" };
    const list = { argv: fenceList(session), framed: true };
    return yield* readFence(asked, server, yield* send(asked, list));
  }),
  introduce: Effect.fn("Tmux.introduce")(function* (session, server) {
    const asked = { session: session.name, attempted: "adopt" };
    const reply = yield* send(asked, { argv: introductionList(session), framed: true });
    return yield* readIntroduction(asked, session, server, reply);
  }),
  stranger: Effect.fn("Tmux.stranger")(function* (session, server) {
    const asked = { session: session.name, attempted: "adopt" };
    const reply = yield* send(asked, { argv: strangerList(session) });
    return yield* readStranger(asked, session, server, reply);
  }),
  adopt: Effect.fn("Tmux.adopt")(function* (request) {
    const asked = { session: request.session, attempted: "adopt" };
    const list = { stdin: adoptList(request), framed: true };
    return yield* readAdopted(request, yield* send(asked, list));
  }),
  disown: Effect.fn("Tmux.disown")(function* (request) {
    const asked = { session: request.session, attempted: "adopt" };
    const list = { stdin: disownList(request), framed: true };
    return yield* readDisowned(request, yield* send(asked, list));
  }),
});

/** A second list only where something is left; a fence that did not get that far is still due. */
const fencing = (send: Send): Pick<Tmux["Type"], "fence"> => ({
  fence: Effect.fn("Tmux.fence")(function* (fence, attempted) {
    const asked = { session: fence.session, attempted };
    const list = { stdin: leftLine(fence) + fencedListing(fence), framed: true };
    const { left, rest } = splitLeft(fence, yield* looking(send(asked, list)));
    const listing = yield* readListing(asked, rest);
    if (left.length === 0) return listing;
    yield* readRemoved(asked, yield* send(asked, { stdin: removeList(left), framed: true }));
    return listing;
  }),
});

/** The calls by which a terminal is sent something. */
const inputting = (send: Send, { deadlineMs }: TmuxClientOptions): Tmux["Type"]["input"] => ({
  load: Effect.fn("Tmux.load")(function* (fence, bytes) {
    const asked = { session: fence.session, attempted: "send" };
    const longer = deadlineMs + loadTimeMs(bytes.length);
    const list = { argv: loadList(fence), stdin: bytes, deadlineMs: longer };
    return yield* readLoaded(asked, bytes.length, yield* send(asked, list));
  }),
  send: Effect.fn("Tmux.send")(function* (target, part) {
    const asked = { session: target.session, attempted: "send" };
    const list = { stdin: sendList(target, part), framed: true };
    return yield* readSent(asked, target, yield* send(asked, list));
  }),
  wasSent: Effect.fn("Tmux.wasSent")(function* (target, part) {
    const asked = { session: target.session, attempted: "send" };
    const reply = yield* send(asked, { argv: receiptList(target), framed: true });
    return yield* readReceipt(asked, target, part, reply);
  }),
});

/** Each call has the deadline, and is timed. */
const sendingOver =
  ({ deadlineMs }: TmuxClientOptions, transport: TmuxTransport["Type"]): Send =>
  (asked, request) =>
    timed(
      Telemetry.tmuxCall,
      transport.run({
        argv: ["source-file", "-"],
        stdin: null,
        startsServer: false,
        path: null,
        deadlineMs,
        ...asked,
        ...request,
      }),
      answerOf,
    );

/** The calls that look at everything, or at what panes show. */
const listing = (
  send: Send,
  nonceOf: () => string,
): Pick<Tmux["Type"], "list" | "listShowing" | "snapshot"> => {
  const list = Effect.fn("Tmux.list")(function* (attempted: string) {
    const asked = { session: null, attempted };
    const request = { argv: LISTING, framed: true };
    return yield* readListing(asked, yield* looking(send(asked, request)));
  });
  return {
    list,
    listShowing: Effect.fn("Tmux.listShowing")(function* (request, attempted) {
      const asked = { session: request.session, attempted };
      const nonce = nonceOf();
      const stdin = listShowingList(request, nonce);
      const reply = yield* looking(send(asked, { stdin }));
      return (yield* readListShowing(asked, request, nonce, reply)) ?? (yield* list(attempted));
    }),
    snapshot: Effect.fn("Tmux.snapshot")(function* (request) {
      const asked = { session: request.session, attempted: "snapshot" };
      const nonce = nonceOf();
      const reply = yield* send(asked, { stdin: snapshotList(request, nonce) });
      return yield* readSnapshot(asked, request, nonce, reply);
    }),
  };
};

const make = (options: TmuxClientOptions, transport: TmuxTransport["Type"]): Tmux["Type"] => {
  const send = sendingOver(options, transport);
  return {
    ...listing(send, options.freshNonce ?? freshNonce),
    ...fencing(send),
    input: inputting(send, options),
    boot: Effect.fn("Tmux.boot")(function* (attempted) {
      const asked = { session: null, attempted };
      return yield* readBoot(asked, yield* send(asked, { argv: BOOT, startsServer: true }));
    }),
    create: Effect.fn("Tmux.create")(function* (request) {
      const asked = { session: request.session, attempted: "create" };
      const path = pathOf(request);
      const reply = yield* sendFound((next) =>
        send(asked, { stdin: createList(request, next), path, framed: true }),
      );
      return yield* readCreated(request, reply);
    }),
    kill: Effect.fn("Tmux.kill")(function* (target) {
      const asked = { session: target.session, attempted: "kill" };
      const list = { stdin: killList(target), framed: true };
      return yield* readKilled(target, yield* send(asked, list));
    }),
    addTerminal: Effect.fn("Tmux.addTerminal")(function* (request) {
      const asked = { session: request.session, attempted: "add a terminal" };
      const path = pathOf(request);
      const reply = yield* sendFound((last) =>
        send(asked, { stdin: addTerminalList(request, last), path, framed: true }),
      );
      return yield* readAdded(request, reply);
    }),
    killTerminal: Effect.fn("Tmux.killTerminal")(function* (target) {
      const asked = { session: target.session, attempted: "kill a terminal" };
      const reply = yield* send(asked, { stdin: killTerminalList(target), framed: true });
      return yield* readTerminalKilled(target, reply);
    }),
    attach: attaching(send, transport),
    ...adopting(send),
    stop: Effect.fn("Tmux.stop")(function* (server) {
      const asked = { session: null, attempted: "stop the server" };
      return yield* readStopping(asked, server, yield* send(asked, { stdin: stopList(server) }));
    }),
    capture: Effect.fn("Tmux.capture")(function* (pane, how) {
      const asked = { session: pane.session, attempted: "capture" };
      const reply = yield* send(asked, { argv: captureList(pane.paneId, how) });
      return yield* readCapture(asked, pane, how, reply);
    }),
  };
};

/** `Tmux` over whichever transport is provided. */
export const TmuxClient = {
  /** Over this transport. */
  make,
  /** Over the transport that is provided. */
  layer: (
    options: TmuxClientOptions = { deadlineMs: 3_000 },
  ): Layer.Layer<Tmux, never, TmuxTransport> =>
    Layer.effect(
      Tmux,
      Effect.map(TmuxTransport, (transport) => make(options, transport)),
    ),
};
