/**
 * Happening: what happens at most once in a run, at whichever port call of the programs: a server
 * that dies, a program that ends. Done by the world; nobody's claim holds it up.
 *
 * Each call of a port is one step, and before each of them it is a choice of the explorer, until
 * one thing has happened. It costs 1, so that a world of a cost of 2 has one thing more anywhere
 * beside it. It runs in a fiber of the world's own, which is inside nobody's message.
 */
import { Explore } from "@troupe/testing";
import { Effect, Fiber, Runtime } from "effect";

interface Named {
  readonly name: string;
  readonly run: Effect.Effect<void>;
}

/** What may happen, one of it, and whether it has. Mutable; one for each run. */
export class Happening {
  private happened = false;

  /** Without anything nothing ever happens. */
  constructor(
    private readonly what: ReadonlyArray<Named>,
    /** Of the world itself. */
    private readonly runtime: Runtime.Runtime<never>,
  ) {}

  /** The same port, with a choice before each of its calls. */
  before<P extends object>(port: P): P {
    if (this.what.length === 0) return port;
    const members = Object.entries(port).map(([method, member]) => [
      method,
      typeof member === "function"
        ? (...args: ReadonlyArray<unknown>) =>
            this.beforeCall(method, Reflect.apply(member, port, args))
        : this.beforeCall(method, member),
    ]);
    // Every member keeps its type: effects stay effects of the same kind.
    return Object.fromEntries(members) as P;
  }

  private beforeCall(method: string, call: unknown): unknown {
    if (!Effect.isEffect(call)) return call;
    const choice = Effect.suspend(() =>
      this.happened
        ? Effect.void
        : Effect.flatMap(
            Explore.choose(method, ["nothing", ...this.what.map(({ name }) => name)]),
            (chosen) => {
              const event = this.what.find(({ name }) => name === chosen);
              if (event === undefined) return Effect.void;
              this.happened = true;
              return this.done(event);
            },
          ),
    );
    return Effect.zipRight(choice, call);
  }

  /** The caller may be inside a message; what happens is not, so no fiber of its is forked. */
  private done({ run }: Named): Effect.Effect<void> {
    const started = Effect.sync(() => Runtime.runFork(this.runtime)(run, { immediate: false }));
    // Awaited and not joined, which would bring the world's refs into the message; and to its end,
    // whoever is interrupted meanwhile: what happens is over when the programs are.
    return Effect.uninterruptible(
      Explore.quietly(Effect.flatten(Effect.flatMap(started, Fiber.await))),
    );
  }
}
