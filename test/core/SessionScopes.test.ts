/**
 * SessionScopes: what is held for a session ends with it, whoever ended it and whatever fails.
 *
 * The scopes alone first; then through `Sessions`, where what is held shows as the values that a
 * further terminal is given.
 */
import { describe, expect, it } from "@effect/vitest";
import {
  IncarnationId,
  MemoryStore,
  makeSessionScopes,
  makeSessions,
  Registry,
  SessionName,
  SessionScopes,
} from "@troupe/core";
import {
  CountedIds,
  FakeHost,
  FakeOutputFiles,
  FakeSnapshots,
  FakeTmux,
  Fault,
} from "@troupe/testing";
import { TmuxClient } from "@troupe/tmux";
import { Cause, Context, Deferred, Effect, Exit, Layer, Logger, Redacted, Scope } from "effect";
import { fakeHome, pass, sleep } from "./FakeHome.js";

const name = SessionName.make("a");
const first = IncarnationId.make("incarnation-1");
const second = IncarnationId.make("incarnation-2");
const values = (value: string) => new Map([["TOKEN", Redacted.make(value)]]);

/** The scopes, and what their finalizers did. */
const setting = Effect.gen(function* () {
  const owner = yield* Scope.make();
  const scopes = yield* Scope.extend(makeSessionScopes, owner);
  const ran: Array<string> = [];
  const note = (what: string) => Effect.sync(() => void ran.push(what));
  const held = (incarnation: IncarnationId) =>
    Effect.map(scopes.environment(name, incarnation), (environment) =>
      [...environment].map(([key, value]) => `${key}=${Redacted.value(value)}`),
    );
  return { owner, scopes, ran, note, held };
});

/** Programs on one machine, each with what it holds in sight. */
const programs = Effect.gen(function* () {
  const store = yield* MemoryStore.make;
  const fakes = yield* Layer.build(FakeTmux.layer());
  const [snapshots, output] = [FakeSnapshots.make(), FakeOutputFiles.make()];
  return Effect.fnUntraced(function* (owner: string) {
    const ports = yield* Layer.mergeAll(
      TmuxClient.layer(),
      Registry.layerMemory(store, { owner }),
      FakeHost.layer(),
      FakeOutputFiles.layer(Context.get(fakes, FakeTmux), output),
      FakeSnapshots.layer(snapshots),
      CountedIds.layer(owner),
    ).pipe(Layer.provideMerge(Layer.succeedContext(fakes)), Layer.build);
    const scopes = yield* makeSessionScopes;
    const services = Context.add(ports, SessionScopes, scopes);
    return { sessions: yield* Effect.provide(makeSessions, services), scopes };
  });
});

describe("the scope of a session", () => {
  it.effect("holds values by name and incarnation, and adds those that are supplied again", () =>
    Effect.gen(function* () {
      const { held, scopes } = yield* setting;
      yield* scopes.open(name, first, values("1"));
      yield* scopes.open(name, first, new Map([["OTHER", Redacted.make("2")]]));
      expect(yield* held(first)).toEqual(["TOKEN=1", "OTHER=2"]);
      expect(yield* held(second)).toEqual([]);
      expect(yield* scopes.size).toBe(1);
    }),
  );

  it.effect("closes with its incarnation alone, once, newest finalizer first", () =>
    Effect.gen(function* () {
      const { held, note, ran, scopes } = yield* setting;
      yield* scopes.open(name, first, values("1"));
      yield* scopes.addFinalizer(name, first, note("one"));
      yield* scopes.addFinalizer(name, first, note("two"));
      yield* scopes.close(name, second);
      expect(ran).toEqual([]);
      yield* scopes.close(name, first);
      yield* scopes.close(name, first);
      expect([ran, yield* held(first), yield* scopes.size]).toEqual([["two", "one"], [], 0]);
    }),
  );

  it.effect(
    "tells who waits for its end, and at the end of all who waits for no scope of ours",
    () =>
      Effect.gen(function* () {
        const { owner, scopes } = yield* setting;
        yield* scopes.open(name, first, values("1"));
        const reader = yield* Scope.make();
        const ended = yield* Scope.extend(scopes.closing(name, first), reader);
        const other = yield* Scope.extend(scopes.closing(name, second), reader);
        const done = Effect.all([Deferred.isDone(ended), Deferred.isDone(other)]);
        expect(yield* done).toEqual([false, false]);
        yield* scopes.close(name, first);
        expect(yield* done).toEqual([true, false]);
        yield* Scope.close(owner, Exit.void);
        expect(yield* done).toEqual([true, true]);
        const late = yield* Scope.extend(scopes.closing(name, first), reader);
        expect(yield* Deferred.isDone(late)).toBe(true);
        yield* Scope.close(reader, Exit.void);
      }),
  );

  it.effect("closes with all that is not the incarnation that lives, whichever it is", () =>
    Effect.gen(function* () {
      const { held, scopes } = yield* setting;
      yield* scopes.open(name, first, values("1"));
      yield* scopes.closeOthers(name, first);
      expect(yield* held(first)).toEqual(["TOKEN=1"]);
      yield* scopes.closeOthers(name, second);
      expect(yield* scopes.size).toBe(0);
      yield* scopes.open(name, second, values("2"));
      yield* scopes.closeOthers(name, null);
      expect(yield* scopes.size).toBe(0);
    }),
  );

  it.effect("closes when a newer incarnation of the name opens", () =>
    Effect.gen(function* () {
      const { held, note, ran, scopes } = yield* setting;
      yield* scopes.open(name, first, values("1"));
      yield* scopes.addFinalizer(name, first, note("first"));
      yield* scopes.open(name, second, values("2"));
      expect([ran, yield* held(first), yield* held(second)]).toEqual([["first"], [], ["TOKEN=2"]]);
    }),
  );

  it.effect("runs a finalizer at once that comes too late", () =>
    Effect.gen(function* () {
      const { note, ran, scopes } = yield* setting;
      yield* scopes.addFinalizer(name, first, note("late"));
      expect(ran).toEqual(["late"]);
    }),
  );

  it.effect("closes although a finalizer dies, and the log says of what", () =>
    Effect.gen(function* () {
      const { note, ran, scopes } = yield* setting;
      const said: Array<string> = [];
      const logger = Logger.make(({ cause, message }) => {
        said.push(`${message} ${Cause.pretty(cause)}`);
      });
      yield* scopes.open(name, first, values("canary"));
      yield* scopes.addFinalizer(name, first, note("below"));
      yield* scopes.addFinalizer(name, first, Effect.dieMessage("a reader's bug"));
      const log = Logger.replace(Logger.defaultLogger, logger);
      yield* Effect.provide(scopes.close(name, first), log);
      expect(ran).toEqual(["below"]);
      expect(said.join()).toContain("a reader's bug");
      expect(said.join()).not.toContain("canary");
    }),
  );

  it.effect("runs every finalizer although one dies, also those of other sessions at close", () =>
    Effect.gen(function* () {
      const { note, owner, ran, scopes } = yield* setting;
      const other = SessionName.make("b");
      yield* scopes.open(name, first, values("1"));
      yield* scopes.open(other, second, values("2"));
      yield* scopes.addFinalizer(name, first, note("below"));
      yield* scopes.addFinalizer(name, first, Effect.dieMessage("a bug"));
      yield* scopes.addFinalizer(name, first, note("above"));
      yield* scopes.addFinalizer(other, second, note("other"));
      const exit = yield* Effect.exit(Scope.close(owner, Exit.void));
      expect(ran).toEqual(["above", "below", "other"]);
      expect(Exit.isFailure(exit) && Cause.pretty(exit.cause)).toContain("a bug");
      expect(yield* scopes.size).toBe(0);
    }),
  );
});

describe("what a program holds for a session", () => {
  const env = { TOKEN: "canary" };
  const made = Effect.gen(function* () {
    const home = yield* fakeHome();
    yield* pass(home.sessions.create({ session: "a", ...sleep, env }));
    const add = pass(home.sessions.addTerminal({ session: "a", ...sleep }));
    return { ...home, add };
  });

  it.scoped("stays while a delete is not done, and while the session is lost", () =>
    Effect.gen(function* () {
      const home = yield* made;
      yield* home.tmux.inject({
        fault: Fault.refuse("what?\n"),
        matches: (r) => r.attempted === "delete",
      });
      yield* Effect.flip(pass(home.sessions.delete("a")));
      yield* home.tmux.clearFaults;
      yield* home.add;
      expect((yield* home.record("a")).terminals.length).toBe(2);
    }),
  );

  it.scoped("ends when another program deleted it, with the next message of the name", () =>
    Effect.gen(function* () {
      const home = yield* made;
      const other = yield* home.program("other");
      yield* pass(other.delete("a"));
      yield* pass(other.create({ session: "a", ...sleep, env }));
      expect(yield* Effect.flip(home.add)).toMatchObject({ _tag: "InvalidEnv" });
    }),
  );

  it.scoped("ends when another program deleted it and made it again, with the next reconcile", () =>
    Effect.gen(function* () {
      const program = yield* programs;
      const [one, two] = [yield* program("one"), yield* program("two")];
      const create = { session: "a", ...sleep, env };
      yield* pass(one.sessions.create(create));
      yield* pass(two.sessions.delete("a"));
      yield* pass(two.sessions.create(create));
      expect([yield* one.scopes.size, yield* two.scopes.size]).toEqual([1, 1]);
      yield* pass(one.sessions.reconcile("a"));
      yield* pass(two.sessions.reconcile("a"));
      expect([yield* one.scopes.size, yield* two.scopes.size]).toEqual([0, 1]);
    }),
  );

  it.scoped("is not given again by a request whose session was deleted", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      const request = { session: "a", ...sleep, env, requestId: "r1" };
      yield* pass(home.sessions.create(request));
      yield* pass(home.sessions.delete("a"));
      expect(yield* pass(home.sessions.create(request))).toMatchObject({ state: "deleted" });
      expect((yield* Effect.flip(home.sessions.setEnv("a", {})))._tag).toBe("NotFound");
    }),
  );
});
