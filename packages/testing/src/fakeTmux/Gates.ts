/**
 * Gates: places where a test holds a run, before tmux acts on it or before it answers.
 *
 * A run that is held is known to the test, and goes on when the test lets it. The client's
 * deadline passes meanwhile: the command then takes effect although nobody waits for it.
 */
import type { TmuxRequest } from "@troupe/tmux";
import { Deferred, Effect } from "effect";

/** Which run is held, and where. */
export interface GateRule {
  readonly where: "before" | "after";
  /** Every run, when it is left out. */
  readonly matches?: (request: TmuxRequest) => boolean;
  /** How many matching runs pass before it. */
  readonly skip?: number;
}

/** A gate, used once. */
export interface Gate {
  /** Waits until the run stands at the gate; tells which it is. */
  readonly reached: Effect.Effect<TmuxRequest>;
  /** Lets it go on, or pass without being held. */
  readonly release: Effect.Effect<void>;
}

/** A gate as the transport sees it. */
export interface OpenGate {
  readonly where: "before" | "after";
  /** Tells the test, then waits for it. */
  readonly pass: Effect.Effect<void>;
}

interface Pending {
  readonly rule: GateRule;
  readonly reached: Deferred.Deferred<TmuxRequest>;
  readonly released: Deferred.Deferred<void>;
  skip: number;
}

/** The gates that no run has come to yet. */
export class GatePlan {
  private pending: ReadonlyArray<Pending> = [];

  add(rule: GateRule): Effect.Effect<Gate> {
    return Effect.gen(this, function* () {
      const reached = yield* Deferred.make<TmuxRequest>();
      const released = yield* Deferred.make<void>();
      this.pending = [...this.pending, { rule, reached, released, skip: rule.skip ?? 0 }];
      return {
        reached: Deferred.await(reached),
        release: Effect.asVoid(Deferred.succeed(released, undefined)),
      };
    });
  }

  /** The gates of this run, which uses them up. */
  take(request: TmuxRequest): ReadonlyArray<OpenGate> {
    const met: Array<OpenGate> = [];
    for (const each of this.pending) {
      if (each.rule.matches?.(request) === false) continue;
      if (each.skip > 0) {
        each.skip--;
        continue;
      }
      this.pending = this.pending.filter((other) => other !== each);
      const tell = Deferred.succeed(each.reached, request);
      met.push({
        where: each.rule.where,
        pass: Effect.zipRight(tell, Deferred.await(each.released)),
      });
    }
    return met;
  }
}
