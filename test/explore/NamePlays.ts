/**
 * NamePlays: names that requests, restores and parts of a program share or do not: which session a
 * request is of, what a restore looks for before it ends anything, whose leases a part sweeps.
 *
 * What fails its checks has changed nothing.
 */
import { ActorId, Host, LeaseId, retarget, SessionName, vouchFor } from "@troupe/core";
import { Effect, Layer, Option } from "effect";
import type { NamedWorld } from "./NamedWorld.js";
import { play, tagOf } from "./PlayWorld.js";

const spec = { session: "a", command: ["sleep", "100000"], cwd: "/" };
const a = SessionName.make("a");
const b = SessionName.make("b");

const requests = play("a request, asked for again, of another name, and behind its end", (stage) =>
  Effect.gen(function* () {
    const { sessions } = yield* stage.program("one");
    const two = yield* stage.program("two");
    const first = yield* sessions.create({ ...spec, requestId: "r" });
    const again = yield* two.sessions.create({ ...spec, command: ["cat"], requestId: "r" });
    stage.is("again", again.incarnation, first.incarnation);
    stage.is("as it is", [again.state, again.seen.state], ["running", "present"]);
    const other = sessions.create({ ...spec, session: "b", requestId: "r" });
    stage.is("of another name", yield* tagOf(other), "AlreadyExists");
    stage.is("which it did not make", yield* tagOf(sessions.get("b")), "NotFound");
    const replacing = yield* sessions.create({ ...spec, requestId: "r", replace: true });
    stage.is("in place of itself", replacing.generation, 1);
    const next = yield* sessions.create({ ...spec, requestId: "s", replace: true });
    stage.is("another request", next.generation, 2);
    const old = yield* sessions.create({ ...spec, requestId: "r" });
    stage.is("the first, that ended", [old.generation, old.state], [1, "deleted"]);
    stage.is("it is nobody's", (yield* sessions.get("a")).state, "running");
    yield* sessions.delete("a", { graceMs: 0 });
    yield* sessions.gc({ olderThanMs: 0 });
    const forgotten = yield* sessions.create({ ...spec, requestId: "r" });
    stage.is("when it is forgotten", forgotten.state, "running");
  }),
);

const missing = new Set<string>();

/** A machine on which things may go. */
const host = Layer.succeed(Host, {
  environment: new Map([["PATH", "/bin"]]),
  undecodable: new Set<string>(),
  cwd: Effect.succeed("/"),
  directory: (path) => Effect.sync(() => (missing.has(path) ? "missing" : "ok")),
  program: (path) => Effect.sync(() => (missing.has(path) ? "missing" : "ok")),
});

const restores = play(
  "a restore that could not be, which changes nothing",
  (stage) =>
    Effect.gen(function* () {
      missing.clear();
      const { sessions } = yield* stage.program("one");
      yield* sessions.create({ ...spec, cwd: "/srv", columns: 90, rows: 30 });
      yield* sessions.addTerminal({ ...spec, command: ["cat"] });
      stage.is("while it runs", yield* tagOf(sessions.restore("a")), "AlreadyExists");
      const panes = (yield* sessions.get("a")).terminals;
      for (const { paneId } of panes) yield* stage.tmux.exitProgram(paneId ?? "", 0);
      yield* sessions.reconcile("a");
      const there = Effect.map(
        sessions.get("a"),
        (v) => `${v.generation} ${v.state} ${v.seen.state}`,
      );
      missing.add("/srv");
      stage.is("without its directory", yield* tagOf(sessions.restore("a")), "InvalidCwd");
      missing.clear();
      missing.add("/bin/sleep");
      stage.is("without its program", yield* tagOf(sessions.restore("a")), "StartFailed");
      missing.clear();
      const value = sessions.restore("a", { env: { TMUX: "x" } });
      stage.is("with a value that it cannot have", yield* tagOf(value), "InvalidEnv");
      stage.is("it is as it was", yield* there, "1 exited present");
      yield* stage.tmux.client(["rename-session", "-t", "=a", "mine"]);
      yield* stage.tmux.client(["new-session", "-d", "-s", "a", "--", "cat"]);
      stage.is("beside a stranger", yield* tagOf(sessions.restore("a")), "ForeignSession");
      stage.is("it is as it was, still", yield* there, "1 exited present");
      yield* stage.tmux.client(["kill-session", "-t", "=a"]);
      const view = yield* sessions.restore("a");
      const made = [
        view.generation,
        view.spec.cwd,
        view.spec.columns,
        view.spec.rows,
        view.spec.command,
      ];
      stage.is("as it was made", made, [2, "/srv", 90, 30, spec.command]);
      stage.is("its terminals", view.terminals.length, 1);
      yield* sessions.delete("a", { graceMs: 0 });
      stage.is("what is deleted", yield* tagOf(sessions.restore("a")), "NotFound");
    }),
  { hostLayer: host },
);

const parts = play(
  "leases of parts of one program, taken over, lent and swept",
  (stage) =>
    Effect.gen(function* () {
      const { leases, sessions } = yield* stage.program("one");
      yield* sessions.create(spec);
      yield* sessions.create({ ...spec, session: "b" });
      const ask = (session: SessionName, component: string) =>
        sessions.claimLease({
          ...{
            session,
            component,
            attempted: "take the lease",
            surface: "explored",
            capacity: null,
          },
          ...{ lease: LeaseId.make(component), actor: ActorId.make(component) },
        });
      yield* ask(a, "another part");
      yield* ask(b, "sessions");
      yield* Effect.sleep(10);
      const held = () => [...stage.store.leases.values()].map((l) => `${l.session} ${l.component}`);
      const { ownOrphans } = yield* leases.sweep;
      stage.is("what nobody answers for", [ownOrphans, held()], [1, ["a another part"]]);
      const never = { surface: "explored", taken: Effect.void };
      let isAttended = true;
      const writer = (actor: string) => ({
        ...never,
        session: b,
        actor: ActorId.make(actor),
        attended: () => isAttended,
      });
      const lease = yield* leases.claim(writer("x"));
      const over = leases.takeOver(ActorId.make("x"), writer("y"));
      stage.is("of who is attended", yield* tagOf(over), "LeaseHeld");
      isAttended = false;
      const none = leases.takeOver(ActorId.make("nobody"), writer("y"));
      stage.is("of who has none", yield* tagOf(none), "LeaseHeld");
      const taken = yield* over;
      stage.is("taken over", [taken.lease, taken.epoch > lease.epoch], [lease.lease, true]);
      stage.is("the old one", yield* tagOf(leases.guarded(lease)), "LeaseLost");
      const vouch = Option.getOrThrow(vouchFor(taken, b));
      const borrowed = yield* leases.borrow(vouch, b);
      const elsewhere = retarget(borrowed, a);
      stage.is("pointed at another name", yield* tagOf(leases.guarded(elsewhere)), "LeaseLost");
      yield* leases.sweep;
      stage.is("what is held stays", held(), ["a another part", "b sessions"]);
      yield* leases.end(ActorId.make("y"), null);
      stage.is("what ends with its writer", held(), ["a another part"]);
      stage.is("what was lent", yield* tagOf(leases.guarded(borrowed)), "LeaseLost");
    }),
  { settings: { leaseOrphanGraceMs: 0 } },
);

/** The worlds. */
export const namePlays: ReadonlyArray<NamedWorld> = [requests, restores, parts];
