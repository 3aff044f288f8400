/**
 * Happening: what happens at most once in a run, at whichever port call of the programs: a server
 * that dies, a program that ends. Done by the world; nobody's claim holds it up.
 *
 * Each call of a port is one step, and before each of them it is a choice of the explorer, until it
 * has happened. It costs 1, so that a world of a cost of 2 has one thing more anywhere beside it.
 */
import { Explore } from "@troupe/testing";
import { Effect } from "effect";

interface Named {
  readonly name: string;
  readonly run: Effect.Effect<void>;
}

/** Something that may happen, and whether it has. Mutable; one for each run. */
export class Happening {
  private happened = false;

  /** Without anything nothing ever happens. */
  constructor(private readonly what: Named | null = null) {}

  /** The same port, with a choice before each of its calls. */
  before<P extends object>(port: P): P {
    const { what } = this;
    if (what === null) return port;
    const members = Object.entries(port).map(([method, member]) => [
      method,
      typeof member === "function"
        ? (...args: ReadonlyArray<unknown>) =>
            this.beforeCall(what, method, Reflect.apply(member, port, args))
        : this.beforeCall(what, method, member),
    ]);
    // Every member keeps its type: effects stay effects of the same kind.
    return Object.fromEntries(members) as P;
  }

  private beforeCall({ name, run }: Named, method: string, call: unknown): unknown {
    if (!Effect.isEffect(call)) return call;
    const choice = Effect.suspend(() =>
      this.happened
        ? Effect.void
        : Effect.flatMap(Explore.choose(method, ["nothing", name]), (chosen) => {
            if (chosen === "nothing") return Effect.void;
            this.happened = true;
            return Explore.quietly(run);
          }),
    );
    return Effect.zipRight(choice, call);
  }
}
