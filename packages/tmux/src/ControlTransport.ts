/**
 * ControlTransport: a `TmuxTransport` for programs that stay: one connection in control mode, and
 * processes for what that cannot carry.
 *
 * The connection is made beside the calls, once a server has answered one, and again when it was
 * lost; until then, and where it is slow, calls go over processes. A look whose answer was lost is
 * taken again over a process; of a change nobody knows whether it was made, and it fails as when a
 * client was ended. A deadline ends the wait and retires the connection, whose line may still run.
 */
import type { LookupFailed } from "@troupe/core";
import { Clock, Deferred, Effect, Exit, Fiber, Layer, type Scope } from "effect";
import { openControl } from "./ControlClient.js";
import type { ControlConnection, ControlOutcome, OpenControl } from "./ControlConnection.js";
import { controlLine, onlyLooks } from "./ControlLine.js";
import { ControlLink } from "./ControlLink.js";
import { ProcessTransport, type ProcessTransportOptions } from "./ProcessTransport.js";
import { notBelieved } from "./TmuxFailure.js";
import { type TmuxReply, type TmuxRequest, TmuxTransport } from "./TmuxTransport.js";

/** What it stands on. */
export interface ControlTransportOptions {
  readonly processes: TmuxTransport["Type"];
  readonly open: OpenControl;
}

type Run = TmuxTransport["Type"]["run"];

/** How long a client may take to come to the server. */
const CONNECT_MS = 3_000;

/** What the process of a client prints whose server dies. */
const SERVER_EXITED = "server exited unexpectedly";

/** Effect.timeout would wait for a caller that cannot be interrupted, so the timer is a fiber. */
const after = (ms: number, act: () => void, scope: Scope.Scope) =>
  Effect.sleep(ms).pipe(
    Effect.zipRight(Effect.sync(act)),
    Effect.interruptible,
    Effect.forkIn(scope),
  );

const connect = (link: ControlLink, scope: Scope.Scope) =>
  Effect.gen(function* () {
    const over = yield* Deferred.make<void>();
    const connection = link.connect(() => Deferred.unsafeDone(over, Exit.void));
    if (connection === null) return;
    const timer = yield* after(CONNECT_MS, () => connection.end(), scope);
    const done = Effect.zipRight(Deferred.await(over), Fiber.interrupt(timer));
    yield* Effect.forkIn(Effect.interruptible(done), scope);
  });

/** Over a process; whatever a server has answered, the next call may find a connection. */
const overProcess =
  (processes: TmuxTransport["Type"], link: ControlLink, scope: Scope.Scope): Run =>
  (request) =>
    Effect.tap(processes.run(request), ({ exitCode, stdout }) =>
      Effect.when(
        connect(link, scope),
        () => (request.framed === true || request.startsServer) && exitCode === 0 && stdout !== "",
      ),
    );

const begin = (
  connection: ControlConnection,
  line: string,
  deadlineMs: number,
  scope: Scope.Scope,
) =>
  Effect.gen(function* () {
    const outcome = yield* Deferred.make<ControlOutcome>();
    const startedAt = yield* Clock.currentTimeMillis;
    const ticket = connection.ask(line, (told) => {
      Deferred.unsafeDone(outcome, Exit.succeed(told));
    });
    const timer = yield* after(deadlineMs, () => ticket.expire(), scope);
    return { outcome, startedAt, ticket, timer };
  });

const lost = (
  request: TmuxRequest,
  { stdout, why }: Extract<ControlOutcome, { _tag: "Lost" }>,
): Effect.Effect<TmuxReply, LookupFailed> =>
  why === SERVER_EXITED
    ? Effect.succeed({ exitCode: 1, stdout, stderr: `${SERVER_EXITED}\n` })
    : Effect.fail(notBelieved(request, "signalled", why));

const make = ({
  open,
  processes,
}: ControlTransportOptions): Effect.Effect<TmuxTransport["Type"], never, Scope.Scope> =>
  Effect.gen(function* () {
    const scope = yield* Effect.scope;
    const clock = yield* Effect.clock;
    const link = new ControlLink(open, () => clock.unsafeCurrentTimeMillis());
    yield* Effect.addFinalizer(() => link.close);
    const byProcess = overProcess(processes, link, scope);

    const settled = (request: TmuxRequest, outcome: ControlOutcome, startedAt: number) => {
      switch (outcome._tag) {
        case "Answered":
          link.proven();
          return Effect.succeed(outcome.reply);
        case "Unread":
          return byProcess(request);
        case "Late": {
          const detail = `tmux did not answer within ${request.deadlineMs} ms`;
          return Effect.fail(notBelieved(request, "timeout", detail));
        }
        case "Lost": {
          if (!onlyLooks(request)) return lost(request, outcome);
          const deadlineMs = startedAt + request.deadlineMs - clock.unsafeCurrentTimeMillis();
          return byProcess({ ...request, deadlineMs: Math.max(1, deadlineMs) });
        }
      }
    };

    const run: Run = (request) =>
      Effect.suspend(() => {
        const line = controlLine(request);
        const connection = line === null ? null : link.ready;
        if (line === null || connection === null) return byProcess(request);
        return Effect.acquireUseRelease(
          begin(connection, line, request.deadlineMs, scope),
          ({ outcome, startedAt }) =>
            Effect.flatMap(Deferred.await(outcome), (it) => settled(request, it, startedAt)),
          ({ ticket, timer }) =>
            Effect.zipRight(
              Effect.sync(() => ticket.leave()),
              Fiber.interrupt(timer),
            ),
        );
      });
    return { socket: processes.socket, program: processes.program, run };
  });

/** The connection of one program to the server at a socket. */
export const ControlTransport = {
  /** Over whatever opens a client; what it does not carry goes over `processes`. */
  make,
  /** Over real processes. */
  live: (
    options: ProcessTransportOptions,
  ): Effect.Effect<TmuxTransport["Type"], never, Scope.Scope> =>
    Effect.flatMap(ProcessTransport.make(options), (processes) =>
      make({ processes, open: openControl(options) }),
    ),
  /** `live` as a layer. */
  layer: (options: ProcessTransportOptions): Layer.Layer<TmuxTransport> =>
    Layer.scoped(TmuxTransport, ControlTransport.live(options)),
};
