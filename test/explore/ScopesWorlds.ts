/**
 * ScopesWorlds: what is held for a session ends with it, each thing whatever the others did.
 *
 * Finalizers die, one of each session, and a caller that closes one may leave. What has run is held
 * against what was added.
 */
import { IncarnationId, makeSessionScopes, SessionName } from "@troupe/core";
import { Explore, type World } from "@troupe/testing";
import { Effect } from "effect";
import type { NamedWorld } from "./NamedWorld.js";

const sessions = ["a", "b"].map((name) => ({
  session: SessionName.make(name),
  incarnation: IncarnationId.make(`incarnation-${name}`),
}));

const finalizers: World<ReadonlyArray<string>> = {
  name: "what is held for two sessions ends, whatever the other finalizers did",
  start: () => {
    const ran: Array<string> = [];
    const program = Effect.gen(function* () {
      const held = Effect.gen(function* () {
        const scopes = yield* makeSessionScopes;
        for (const { incarnation, session } of sessions) {
          yield* scopes.open(session, incarnation, new Map());
          const finalizer = (name: string, end: Effect.Effect<void>) =>
            scopes.addFinalizer(
              session,
              incarnation,
              Effect.zipRight(
                Effect.sync(() => void ran.push(`${session} ${name}`)),
                end,
              ),
            );
          yield* finalizer("first", Effect.void);
          yield* finalizer("bug", Effect.dieMessage("a finalizer"));
        }
        yield* Explore.point("the layer closes");
      });
      yield* Effect.exit(Effect.scoped(held));
      return [...ran].sort();
    });
    const expected = "a bug, a first, b bug, b first";
    return {
      program,
      check: (lines) => (lines.join(", ") === expected ? null : `ran: ${lines.join(", ")}`),
    };
  },
};

const ended: World<string> = {
  name: "a session has ended whatever becomes of what was held for it",
  start: () => ({
    program: Effect.gen(function* () {
      const scopes = yield* makeSessionScopes;
      const [held] = sessions;
      if (held === undefined) return "nothing";
      yield* scopes.open(held.session, held.incarnation, new Map());
      const bug = Effect.dieMessage("a finalizer");
      yield* scopes.addFinalizer(held.session, held.incarnation, bug);
      const exit = yield* Effect.exit(scopes.close(held.session, held.incarnation));
      return `${exit._tag} ${yield* scopes.size}`;
    }).pipe(Effect.scoped),
    check: (told) => (told === "Success 0" ? null : told),
  }),
};

/** What a session owns. */
export const scopesWorlds: ReadonlyArray<NamedWorld> = [
  { world: finalizers, cost: 1 },
  { world: ended, cost: 1 },
];
