/**
 * SessionScopes: what this program holds for sessions that live, each until its session ends.
 *
 * One scope for each name, bound to an incarnation: the environment values that a further terminal
 * needs, `Redacted`, and whatever else is to end with the session. A scope closes when the registry
 * says that its incarnation ended or is not the newest, when a newer one of the name opens, or with
 * the layer; each finalizer runs whatever the others did. Memory of this
 * program alone: one that started anew holds nothing until it is supplied again.
 */
import { Context, Deferred, Effect, ExecutionStrategy, Exit, Scope } from "effect";
import type { SuppliedEnvironment } from "./Environment.js";
import type { IncarnationId } from "./Identity.js";
import type { SessionName } from "./SessionName.js";

/** What an open scope is of. */
export interface HeldFor {
  readonly session: SessionName;
  readonly incarnation: IncarnationId;
}

/** The scopes of the sessions of one program. */
export class SessionScopes extends Context.Tag("@troupe/core/SessionScopes")<
  SessionScopes,
  {
    /**
     * Opens the scope with these values, or adds them to those of the open one. The scope of an
     * older incarnation of the name closes first.
     */
    readonly open: (
      session: SessionName,
      incarnation: IncarnationId,
      values: SuppliedEnvironment,
    ) => Effect.Effect<void>;
    /** The values that are held for this incarnation; none when its scope is not open. */
    readonly environment: (
      session: SessionName,
      incarnation: IncarnationId,
    ) => Effect.Effect<SuppliedEnvironment>;
    /** Runs when the scope of this incarnation closes; at once when it is not open. */
    readonly addFinalizer: (
      session: SessionName,
      incarnation: IncarnationId,
      finalizer: Effect.Effect<void>,
    ) => Effect.Effect<void>;
    /**
     * Done when the scope of this incarnation closes; when it is not open, when this program lets
     * go of everything. It is not waited for any more when the caller's scope closes.
     */
    readonly closing: (
      session: SessionName,
      incarnation: IncarnationId,
    ) => Effect.Effect<Deferred.Deferred<void>, never, Scope.Scope>;
    /**
     * Closes the scope of this incarnation. Idempotent. The session has ended whatever becomes of
     * this: what a finalizer dies of is logged.
     */
    readonly close: (session: SessionName, incarnation: IncarnationId) => Effect.Effect<void>;
    /** Closes whatever scope of the name is not this incarnation's; any, where there is none. */
    readonly closeOthers: (
      session: SessionName,
      living: IncarnationId | null,
    ) => Effect.Effect<void>;
    /** Of which incarnation of the name the scope is open; `null` when none is. */
    readonly heldOf: (session: SessionName) => Effect.Effect<IncarnationId | null>;
    /** Every scope that is open. */
    readonly held: Effect.Effect<ReadonlyArray<HeldFor>>;
    /** How many scopes are open. */
    readonly size: Effect.Effect<number>;
  }
>() {}

interface Held {
  readonly incarnation: IncarnationId;
  readonly scope: Scope.CloseableScope;
  environment: SuppliedEnvironment;
}

/** The map changes in single synchronous steps; a scope is closed when it is in it no more. */
class Scopes {
  private readonly held = new Map<SessionName, Held>();

  constructor(private readonly make: Effect.Effect<Scope.CloseableScope>) {}

  get size(): number {
    return this.held.size;
  }

  heldOf(session: SessionName): IncarnationId | null {
    return this.held.get(session)?.incarnation ?? null;
  }

  get all(): ReadonlyArray<HeldFor> {
    return [...this.held].map(([session, { incarnation }]) => ({ session, incarnation }));
  }

  of(session: SessionName, incarnation: IncarnationId): Held | null {
    const held = this.held.get(session);
    return held?.incarnation === incarnation ? held : null;
  }

  /** Closes the scope of the name, if there is one. */
  take(session: SessionName): Effect.Effect<void> {
    return Effect.suspend(() => {
      const held = this.held.get(session);
      this.held.delete(session);
      if (held === undefined) return Effect.void;
      held.environment = new Map();
      return Scope.close(held.scope, Exit.void);
    });
  }

  put(session: SessionName, incarnation: IncarnationId, values: SuppliedEnvironment) {
    return Effect.suspend(() => {
      const known = this.of(session, incarnation);
      if (known !== null) {
        known.environment = new Map([...known.environment, ...values]);
        return Effect.void;
      }
      const enter = Effect.map(this.make, (scope) => {
        this.held.set(session, { incarnation, scope, environment: new Map(values) });
      });
      return Effect.zipRight(this.take(session), enter);
    });
  }

  /** Closes every scope, each whatever came of the others. */
  readonly takeAll: Effect.Effect<void> = Effect.suspend(() => {
    const all = [...this.held.keys()].map((session) => Effect.exit(this.take(session)));
    return Effect.flatMap(Effect.all(all), (exits) =>
      exits.reduce((a, b) => Exit.zipLeft(a, b), Exit.void),
    );
  });
}

/** Makes the scopes; closing the scope that they are made in closes every one. */
export const makeSessionScopes: Effect.Effect<SessionScopes["Type"], never, Scope.Scope> =
  Effect.gen(function* () {
    const scopes = new Scopes(Scope.make());
    // For what is held for sessions that have no scope here.
    const rest = yield* Scope.make();
    yield* Effect.addFinalizer((exit) => Effect.zipRight(scopes.takeAll, Scope.close(rest, exit)));
    const end = (session: SessionName) =>
      scopes
        .take(session)
        .pipe(
          Effect.catchAllCause((cause) =>
            Effect.logError(`what was held for session ${session} did not end well`, cause),
          ),
        );
    return {
      open: (session, incarnation, values) => scopes.put(session, incarnation, values),
      environment: (session, incarnation) =>
        Effect.sync(() => scopes.of(session, incarnation)?.environment ?? new Map()),
      addFinalizer: (session, incarnation, finalizer) =>
        Effect.suspend(() => {
          const held = scopes.of(session, incarnation);
          return held === null ? finalizer : Scope.addFinalizer(held.scope, finalizer);
        }),
      closing: (session, incarnation) =>
        Effect.gen(function* () {
          const done = yield* Deferred.make<void>();
          const owner = scopes.of(session, incarnation)?.scope ?? rest;
          const own = yield* Effect.acquireRelease(
            Scope.fork(owner, ExecutionStrategy.sequential),
            (scope) => Scope.close(scope, Exit.void),
          );
          yield* Scope.addFinalizer(own, Deferred.succeed(done, undefined));
          return done;
        }),
      close: (session, incarnation) =>
        Effect.suspend(() =>
          scopes.of(session, incarnation) === null ? Effect.void : end(session),
        ),
      closeOthers: (session, living) =>
        Effect.suspend(() =>
          living !== null && scopes.of(session, living) !== null ? Effect.void : end(session),
        ),
      heldOf: (session) => Effect.sync(() => scopes.heldOf(session)),
      held: Effect.sync(() => scopes.all),
      size: Effect.sync(() => scopes.size),
    };
  });
