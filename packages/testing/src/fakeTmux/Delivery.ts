/**
 * Delivery: one run of a client: through hooks, faults and gates to the machine and back.
 *
 * A run that meets none of them is one step. Any other lives apart from its client: the client
 * fails at its deadline or is interrupted, and what it asked for may still take effect, as with
 * the real tmux.
 */
import type { LookupFailed } from "@troupe/core";
import type { TmuxReply, TmuxRequest } from "@troupe/tmux";
import { Deferred, Effect, Fiber, FiberId, type Scope } from "effect";
import { type Fault, FaultPlan } from "./Faults.js";
import { GatePlan, type OpenGate } from "./Gates.js";
import type { Machine } from "./Machine.js";
import type { ModelTime } from "./ModelTime.js";
import { exited, timedOut } from "./NoAnswer.js";
import type { Server } from "./Server.js";
import { Unfinished } from "./Unfinished.js";
import { Visit } from "./Visit.js";
import { untilEnded } from "./WaitingClient.js";

type Answer = Effect.Effect<TmuxReply, LookupFailed>;

/** Effects around every run. What the first one gives is the fault of the run, or `null`. */
export interface RunHooks {
  /** Before tmux does anything. */
  readonly beforeRun?: (request: TmuxRequest) => Effect.Effect<Fault | null>;
  /** When tmux has done it, and before the client hears. */
  readonly afterRun?: (request: TmuxRequest, reply: TmuxReply) => Effect.Effect<void>;
}

/** Mutable; one for each machine. */
export class Delivery {
  readonly faults = new FaultPlan();
  readonly gates = new GatePlan();
  readonly requests: Array<TmuxRequest> = [];
  /** Who answers nobody: one server, or `"all"` when there was none to stop. */
  private stopped: Server | "all" | null = null;
  private hanging: Array<Deferred.Deferred<void>> = [];
  private held: Array<() => void> = [];

  constructor(
    private readonly machine: Machine,
    private readonly time: ModelTime,
    private readonly hooks: RunHooks,
    private readonly scope: Scope.Scope,
  ) {}

  /** The transport's own method. */
  readonly run = (request: TmuxRequest): Effect.Effect<TmuxReply, LookupFailed> =>
    Effect.flatMap(this.hooks.beforeRun?.(request) ?? Effect.succeed(null), (chosen) =>
      Effect.suspend(() => {
        this.requests.push(request);
        const fault = chosen ?? this.faults.take(request);
        const gates = this.gates.take(request);
        const plain = fault === null && gates.length === 0 && !this.isStopped();
        const reply = plain ? this.serve(request) : this.visit(request, fault, gates);
        const { afterRun } = this.hooks;
        return afterRun === undefined ? reply : Effect.tap(reply, (r) => afterRun(request, r));
      }),
    );

  /** Stops the server, as SIGSTOP does. */
  readonly stop: Effect.Effect<void> = Effect.sync(() => {
    this.stopped = this.machine.reachable() ?? "all";
  });

  /** Lets everything that hangs go on, in the order in which it came. */
  readonly release: Effect.Effect<void> = Effect.suspend(() => {
    this.stopped = null;
    for (const act of this.held.splice(0)) act();
    return Effect.forEach(
      this.hanging.splice(0),
      (each) => Effect.zipRight(Deferred.succeed(each, undefined), Effect.yieldNow()),
      { discard: true },
    );
  });

  /** Whether the server answers nobody. */
  isStopped(): boolean {
    const { stopped } = this;
    return stopped !== null && (stopped === "all" || stopped === this.machine.reachable());
  }

  /** Does it now, or when a server that answers nobody goes on. */
  unlessStopped(act: () => void): void {
    if (this.isStopped()) this.held.push(act);
    else act();
  }

  /** Asks the machine, in one step unless the commands of the client wait. */
  readonly serve = (request: TmuxRequest): Answer =>
    this.ask(request, (unfinished) =>
      this.apart(request, (visit) => this.untilEnded(unfinished, visit)),
    );

  private ask(request: TmuxRequest, wait: (unfinished: Unfinished) => Answer): Answer {
    return Effect.clockWith((clock) =>
      Effect.suspend(() => {
        this.machine.advance(this.time.of(clock.unsafeCurrentTimeMillis()));
        const reply = this.machine.run(request);
        return reply instanceof Unfinished ? wait(reply) : Effect.succeed(reply);
      }),
    );
  }

  // The far side of a run goes on in the machine's scope; the client only waits for it.
  private apart(request: TmuxRequest, farOf: (visit: Visit) => Answer): Answer {
    return Effect.gen(this, function* () {
      const reply = yield* Deferred.make<TmuxReply, LookupFailed>();
      const visit = new Visit();
      const far = farOf(visit);
      const close = Effect.sync(() => visit.close());
      // A caller that nothing may interrupt tells its children all the same when it is to end, so
      // neither the far side nor the deadline is a child of it.
      yield* Effect.forkIn(Effect.interruptible(Effect.intoDeferred(far, reply)), this.scope);
      const timer = yield* Effect.sleep(request.deadlineMs).pipe(
        Effect.zipRight(close),
        Effect.zipRight(Deferred.fail(reply, timedOut(request))),
        Effect.interruptible,
        Effect.forkIn(this.scope),
      );
      return yield* Deferred.await(reply).pipe(
        Effect.ensuring(close),
        Effect.ensuring(Fiber.interrupt(timer)),
      );
    });
  }

  private visit(request: TmuxRequest, fault: Fault | null, gates: ReadonlyArray<OpenGate>): Answer {
    const server = this.machine.reachable();
    return this.apart(request, (visit) => {
      const far = this.far(request, fault, gates, visit);
      return server === null ? far : this.unlessLost(server, visit, far);
    });
  }

  // A client that waits for its server learns at once that the server died. One whose commands
  // ended the server has its answer.
  private unlessLost(server: Server, visit: Visit, far: Answer): Answer {
    const lost = Deferred.unsafeMake<TmuxReply>(FiberId.none);
    server.process.ended.push(({ _tag }) => {
      if (_tag !== "Signalled" && visit.acted) return;
      visit.lost = true;
      Deferred.unsafeDone(lost, Effect.succeed(exited));
    });
    return Effect.raceFirst(Deferred.await(lost), far);
  }

  private far(
    request: TmuxRequest,
    fault: Fault | null,
    gates: ReadonlyArray<OpenGate>,
    visit: Visit,
  ): Answer {
    const at = (where: "before" | "after") =>
      Effect.forEach(
        gates.filter((gate) => gate.where === where),
        (gate) => gate.pass,
        { discard: true },
      );
    return Effect.gen(this, function* () {
      yield* at("before");
      if (this.isStopped()) yield* this.untilReleased;
      const reply = yield* this.faulty(request, fault, visit);
      yield* at("after");
      return reply;
    });
  }

  private readonly untilReleased: Effect.Effect<void> = Effect.gen(this, function* () {
    const released = yield* Deferred.make<void>();
    this.hanging.push(released);
    yield* Deferred.await(released);
  });

  private faulty(request: TmuxRequest, fault: Fault | null, visit: Visit): Answer {
    const serve = Effect.suspend(() => {
      if (visit.lost) return Effect.succeed(exited);
      visit.acted = true;
      return this.ask(request, (unfinished) => this.untilEnded(unfinished, visit));
    });
    if (fault === null) return serve;
    switch (fault._tag) {
      case "Reply":
        return Effect.sync(() => fault.reply(request));
      case "Rewrite":
        return Effect.map(serve, fault.rewrite);
      case "Slow":
        return Effect.sleep(fault.beforeMs).pipe(
          Effect.zipRight(serve),
          Effect.zipLeft(Effect.sleep(fault.afterMs)),
        );
      case "Crash":
        return (fault.effect ? Effect.asVoid(serve) : Effect.void).pipe(
          Effect.zipRight(Effect.sync(() => this.machine.crash())),
          Effect.as(exited),
        );
      case "Hang":
        if (fault.effect === "never") return Effect.never;
        return fault.effect === "at-once"
          ? Effect.zipLeft(serve, this.untilReleased)
          : Effect.zipRight(this.untilReleased, serve);
    }
  }

  private untilEnded(unfinished: Unfinished, visit: Visit): Answer {
    return untilEnded(this.machine, this.time, this.scope, unfinished, visit);
  }
}
