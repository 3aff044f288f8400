/**
 * WriterPlays: writers of a program: who is at them and how long they stay when nobody is, what of
 * them keeps them, which one is meant, and who is told of their end: one after the other.
 *
 * Whatever becomes of a writer that nobody deletes, its session lives on.
 */
import { Deferred, Effect, Exit, Fiber, Scope, Stream } from "effect";
import type { NamedWorld } from "./NamedWorld.js";
import { type PlayedProgram, play, type Stage, tagOf } from "./PlayWorld.js";

const spec = { session: "a", command: ["sleep", "100000"], cwd: "/" };

const GRACE_MS = 1_000;
const SETTINGS = { orphanGraceMs: GRACE_MS, activityStaleMs: 0, interruptSettleMs: 100 };

const begun = (stage: Stage) =>
  Effect.gen(function* () {
    const one = yield* stage.program("one");
    yield* one.sessions.create(spec);
    const told: Array<string> = [];
    yield* Effect.forkScoped(
      Stream.runForEach(one.handles.reclaimed, ({ reason, session }) =>
        Effect.sync(() => void told.push(`${session} ${reason}`)),
      ),
    );
    yield* Effect.sleep(1);
    return { ...one, told };
  });

const tag = (handle: Effect.Effect.Success<ReturnType<PlayedProgram["handles"]["get"]>>) =>
  Effect.map(handle.attachment, ({ _tag }) => _tag);

/** Comes, until it `leaves`. */
const come = (
  handle: Effect.Effect.Success<ReturnType<PlayedProgram["handles"]["get"]>>,
  id: string,
  options = {},
) =>
  Effect.gen(function* () {
    const scope = yield* Scope.make();
    yield* Scope.extend(handle.attach({ id }, options), scope);
    return { leaves: Scope.close(scope, Exit.void) };
  });

const orphans = play(
  "a writer that nobody is at, and what keeps it",
  (stage) =>
    Effect.gen(function* () {
      const { handles, told } = yield* begun(stage);
      const first = yield* handles.get("a");
      stage.is("nobody came yet", yield* tag(first), "Unattended");
      yield* Effect.sleep(5 * GRACE_MS);
      stage.is("who was never at it waits for nobody", yield* tag(first), "Unattended");
      const { leaves: leave } = yield* come(first, "client");
      stage.is("somebody is", yield* tag(first), "Attached");
      yield* leave;
      stage.is("he left", yield* tag(first), "Detached");
      yield* Effect.sleep(GRACE_MS - 100);
      stage.is("within the grace", yield* first.state, "open");
      const { leaves: back } = yield* come(first, "client");
      yield* Effect.sleep(2 * GRACE_MS);
      stage.is("he came back", yield* first.state, "open");
      yield* back;
      const busy = yield* Scope.make();
      yield* Scope.extend(first.busy, busy);
      yield* Effect.sleep(3 * GRACE_MS);
      stage.is("something runs for it", yield* first.state, "open");
      yield* Scope.close(busy, Exit.void);
      yield* Effect.sleep(3 * GRACE_MS);
      stage.is("nothing does", [yield* tag(first), told], ["Gone", ["a orphan_reap"]]);
      const expecting = yield* handles.get("a", { expectsClient: true });
      stage.is("another", expecting.actor !== first.actor, true);
      yield* Effect.sleep(2 * GRACE_MS);
      stage.is("who was expected did not come", yield* tag(expecting), "Gone");
      let works = true;
      const asked = yield* handles.get("a", {
        expectsClient: true,
        background: Effect.sync(() => works),
      });
      yield* Effect.sleep(3 * GRACE_MS);
      stage.is("something is said to run", yield* asked.state, "open");
      works = false;
      yield* Effect.sleep(10 * 60_000);
      stage.is("nothing is", yield* tag(asked), "Gone");
      const seen = yield* handles.get("a", { expectsClient: true });
      yield* stage.tmux.attach("a", "viewer");
      yield* Effect.sleep(3 * GRACE_MS);
      stage.is("a client of tmux looks", yield* seen.state, "open");
      const alive = [...stage.store.records.values()].map(({ state }) => state);
      stage.is("the session", alive, ["running"]);
    }),
  { settings: SETTINGS },
);

const clients = play(
  "clients that go, by name and from every writer",
  (stage) =>
    Effect.gen(function* () {
      const { handles, sessions, told } = yield* begun(stage);
      yield* sessions.create({ ...spec, session: "b" });
      const [a, b] = [yield* handles.get("a"), yield* handles.get("b")];
      yield* come(a, "client", { closeOnDisconnect: true });
      yield* come(b, "client");
      yield* come(b, "other");
      stage.is("nobody", yield* handles.clientGone(""), { ended: 0, parked: 0 });
      stage.is("who is nowhere", yield* handles.clientGone("x"), { ended: 0, parked: 0 });
      stage.is("one of two", yield* handles.clientGone("client"), { ended: 1, parked: 0 });
      yield* Effect.sleep(10);
      stage.is("as he asked", [yield* tag(a), yield* tag(b)], ["Gone", "Attached"]);
      stage.is("the last", yield* handles.clientGone("other"), { ended: 0, parked: 1 });
      stage.is("left to its grace", yield* tag(b), "Detached");
      yield* Effect.sleep(2 * GRACE_MS);
      stage.is("who is told", told, ["b orphan_reap"]);
      const next = yield* handles.get("a");
      yield* come(next, "viewer");
      stage.is("nobody's name", yield* tagOf(Effect.scoped(next.attach({ id: "" }))), "ClientGone");
      const gone = Effect.scoped(next.attach({ id: "dead", isClosed: () => true }));
      stage.is("one that is gone", yield* tagOf(gone), "ClientGone");
      const peer = yield* Deferred.make<void>();
      const scope = yield* Scope.make();
      yield* Scope.extend(next.attach({ id: "peer", closed: Deferred.await(peer) }), scope);
      yield* handles.clientGone("viewer");
      stage.is("one is left", yield* tag(next), "Attached");
      yield* Deferred.succeed(peer, undefined);
      yield* Effect.sleep(1);
      stage.is("his peer is gone", yield* tag(next), "Detached");
      yield* Scope.close(scope, Exit.void);
    }),
  { settings: SETTINGS },
);

const expected = play(
  "the writer that a client means",
  (stage) =>
    Effect.gen(function* () {
      const { handles, sessions } = yield* begun(stage);
      const view = yield* sessions.get("a");
      const attach = (options: Parameters<typeof handles.attach>[1]) =>
        Stream.runHead(handles.attach("a", { output: false, ...options }));
      const stale = tagOf(attach({ expect: { actor: "nobody" } }));
      stage.is("another actor", yield* stale, "NotFound");
      stage.is(
        "another incarnation",
        yield* tagOf(attach({ expect: { incarnation: "x" } })),
        "NotFound",
      );
      const handle = yield* handles.get("a");
      const { actor, incarnation } = handle;
      stage.is("of the session", incarnation, view.incarnation);
      const listening = yield* Effect.fork(
        Stream.runCollect(
          handles.attach("a", { client: "c", expect: { actor, incarnation }, since: 0 }),
        ),
      );
      yield* Effect.sleep(50);
      stage.is("the one that is meant", yield* tag(handle), "Attached");
      stage.is("by the name alone", (yield* handles.get("a")).actor, actor);
      yield* handle.end("explicit_close");
      const heard = [...(yield* Fiber.join(listening))];
      stage.is("the last that he hears", heard.at(-1), { type: "ended", reason: "explicit_close" });
      const logs = heard.filter(({ type }) => type === "log").length;
      stage.is("he heard the log", logs > 0, true);
      stage.is("that one again", yield* tagOf(attach({ expect: { actor } })), "NotFound");
      stage.is("a turn of it", yield* tagOf(handle.runTurn(() => Effect.void)), "NotFound");
      stage.is("it cannot be attached", yield* tagOf(come(handle, "x")), "NotFound");
      const again = yield* handles.get("a");
      yield* sessions.create({ ...spec, replace: true });
      stage.is("of what was replaced", (yield* handles.get("a")).actor !== again.actor, true);
      const old = tagOf(attach({ expect: { incarnation: view.incarnation } }));
      stage.is("an older incarnation", yield* old, "NotFound");
      yield* sessions.delete("a", { graceMs: 0 });
      stage.is("of what is deleted", yield* tagOf(handles.get("a")), "NotFound");
    }),
  { settings: SETTINGS },
);

const idle = play(
  "writers that nobody uses, and more of them than may be there",
  (stage) =>
    Effect.gen(function* () {
      const { handles, leases, sessions, told } = yield* begun(stage);
      for (const session of ["b", "c", "d"]) yield* sessions.create({ ...spec, session });
      const a = yield* handles.get("a");
      yield* a.runTurn(() => Effect.void);
      yield* Effect.sleep(10_000);
      const b = yield* handles.get("b");
      yield* Effect.sleep(10_000);
      yield* a.runTurn(() => Effect.void);
      const c = yield* handles.get("c");
      yield* Effect.sleep(1_000);
      const states = () => Effect.all([a.state, b.state, c.state]);
      stage.is("the one that was used longest ago", yield* states(), ["open", "ending", "open"]);
      stage.is("who is told", told, ["b lru_evict"]);
      yield* Effect.sleep(1_000);
      const scope = yield* Scope.make();
      yield* Scope.extend(a.attend, scope);
      const d = yield* handles.get("d");
      yield* Effect.sleep(1_000);
      stage.is("not who is attended", [yield* a.state, yield* c.state], ["open", "ending"]);
      yield* Scope.close(scope, Exit.void);
      yield* a.runTurn(() => Effect.sleep(200_000)).pipe(Effect.fork);
      yield* Effect.sleep(150_000);
      stage.is("not who works", [yield* a.state, yield* tag(d)], ["open", "Gone"]);
      const busy = yield* Scope.make();
      yield* Scope.extend(a.busy, busy);
      yield* Effect.sleep(400_000);
      stage.is("not what something runs for", yield* a.state, "open");
      yield* Scope.close(busy, Exit.void);
      yield* stage.tmux.attach("a", "viewer");
      yield* Effect.sleep(400_000);
      stage.is("not what a client of tmux shows", yield* a.state, "open");
      yield* stage.tmux.detach("viewer");
      yield* Effect.sleep(1_000_000);
      stage.is("nobody used it", yield* tag(a), "Gone");
      stage.is("its lease", (yield* leases.all).length, 0);
      stage.is("all that is told", told.slice(1), [
        "c lru_evict",
        "d idle_timeout",
        "a idle_timeout",
      ]);
      const alive = [...stage.store.records.values()].filter(({ state }) => state === "running");
      stage.is("the sessions", alive.length, 4);
    }),
  {
    settings: {
      ...SETTINGS,
      orphanGraceMs: 0,
      idleReleaseMs: 100_000,
      idleLookMs: 1_000,
      liveWriters: 2,
    },
  },
);

const turns = play(
  "turns of a writer, one behind the other, interrupted and retired",
  (stage) =>
    Effect.gen(function* () {
      const { handles, leases, sessions, turns: gate } = yield* begun(stage);
      const handle = yield* handles.get("a");
      const order: Array<string> = [];
      const work = (name: string, ms: number) =>
        Effect.fork(
          Effect.exit(
            handle.runTurn(() =>
              Effect.zipRight(
                Effect.sleep(ms),
                Effect.sync(() => void order.push(name)),
              ),
            ),
          ),
        );
      stage.is("nothing runs", (yield* gate.activity).running, 0);
      stage.is("nothing is interrupted", yield* handle.interrupt("user_stop"), false);
      const first = yield* work("first", 500);
      yield* Effect.sleep(10);
      stage.is("one runs", (yield* gate.activity).running, 1);
      const second = yield* Effect.fork(
        tagOf(
          handle.runTurn(() => Effect.sync(() => void order.push("second")), {
            waitForSettle: true,
          }),
        ),
      );
      yield* Effect.sleep(10);
      yield* Fiber.join(first);
      yield* Fiber.join(second);
      stage.is("their order", order, ["first", "second"]);
      const third = yield* work("third", 500);
      yield* Effect.sleep(10);
      stage.is("one is interrupted", yield* handle.interrupt("user_stop"), true);
      yield* Fiber.join(third);
      stage.is("it did not end", order, ["first", "second"]);
      const lease = (yield* leases.all).length;
      yield* sessions.delete("a", { graceMs: 0 });
      yield* sessions.create(spec);
      stage.is("a lease goes with its session", [lease, (yield* leases.all).length], [1, 0]);
      yield* handles.get("a");
      const [pane] = (yield* sessions.get("a")).terminals;
      yield* stage.tmux.exitProgram(pane?.paneId ?? "", 0);
      yield* (yield* handles.get("a")).end("session_exited");
      stage.is("an end is written down", (yield* sessions.get("a")).state, "exited");
      yield* gate.retire;
      stage.is(
        "behind the retirement",
        yield* tagOf((yield* handles.get("a")).runTurn(() => Effect.void)),
        "Closing",
      );
    }),
  { settings: SETTINGS },
);

/** The worlds. */
export const writerPlays: ReadonlyArray<NamedWorld> = [orphans, clients, expected, idle, turns];
