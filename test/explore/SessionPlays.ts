/**
 * SessionPlays: how a session is ended, collected, found again, and used under its lease: each
 * option of that, one after the other.
 *
 * What a gc says that it would do is what it does; what is old enough is said by its options.
 */
import { ActorId, IncarnationId, LeaseId, SessionName } from "@troupe/core";
import { FakeTmux } from "@troupe/testing";
import { Effect } from "effect";
import type { NamedWorld } from "./NamedWorld.js";
import { play, tagOf } from "./PlayWorld.js";

const spec = { session: "a", command: ["sleep", "100000"], cwd: "/" };

const polite = FakeTmux.program((run) => {
  run.onSignal("TERM", () => run.after(500, () => run.exit(0)));
});

const ended = play(
  "how a session is ended, and what is kept of it",
  (stage) =>
    Effect.gen(function* () {
      const { sessions } = yield* stage.program("one");
      const now = Effect.clockWith((clock) => clock.currentTimeMillis);
      const took = (options: Parameters<typeof sessions.delete>[1]) =>
        Effect.gen(function* () {
          yield* sessions.create({ ...spec, command: ["polite"] });
          const from = yield* now;
          const result = yield* sessions.delete("a", options);
          return { ...result, ms: (yield* now) - from };
        });
      const short = yield* took({ graceMs: 100 });
      stage.is("a short grace", short.ms < 500, true);
      const long = yield* took({ graceMs: 5_000 });
      stage.is("a long one ends with it", long.ms >= 500 && long.ms < 1_000, true);
      const usual = yield* took({});
      stage.is("the usual one", usual.ms >= 500 && usual.ms < 1_000, true);
      stage.is("generations", [short.generation, long.generation, usual.generation], [1, 2, 3]);
      stage.is("snapshots", [short.snapshot, usual.snapshot], ["kept", "kept"]);
      const bare = yield* took({ graceMs: 0, snapshot: false });
      stage.is("without", bare.snapshot, "none");
      const kept = (yield* sessions.snapshots("a")).map(({ generation }) => generation);
      stage.is("what is kept, oldest first", kept, [1, 2, 3]);
      const again = yield* sessions.delete("a");
      stage.is("again", [again.alreadyGone, again.generation], [true, 4]);
      const view = yield* sessions.create(spec);
      const peer = yield* sessions.create({ ...spec, session: "b" });
      // Neither one that nobody knows nor one of another name was ever of this one.
      for (const incarnation of [IncarnationId.make("never-made-0001"), peer.incarnation]) {
        stage.is("another", yield* tagOf(sessions.delete("a", { incarnation })), "NotFound");
      }
      const [former] = [...stage.store.records.values()].filter(({ session }) => session === "a");
      const older = former === undefined ? null : former.incarnation;
      const gone = older && (yield* sessions.delete("a", { incarnation: older }));
      stage.is("an older one", gone?.alreadyGone, true);
      for (const name of ["a", "b"]) {
        stage.is("is not touched", (yield* sessions.get(name)).state, "running");
      }
      yield* sessions.delete("a", { incarnation: view.incarnation });
      stage.is("the one that is meant", (yield* sessions.get("a")).state, "deleted");
      yield* sessions.create(spec);
      yield* sessions.addTerminal(spec);
      const one = yield* sessions.deleteTerminal("a", "t2", { graceMs: 0 });
      stage.is("a terminal", [one.sessionDeleted, one.alreadyGone], [false, false]);
      const twice = yield* sessions.deleteTerminal("a", "t2");
      stage.is("a terminal again", [twice.sessionDeleted, twice.alreadyGone], [false, true]);
      stage.is("none", yield* tagOf(sessions.deleteTerminal("a", "t9")), "NotFound");
      const last = yield* sessions.deleteTerminal("a", "main", { graceMs: 0 });
      stage.is(
        "the last",
        [last.sessionDeleted, (yield* sessions.get("a")).state],
        [true, "deleted"],
      );
      yield* sessions.create(spec);
      const next = yield* sessions.addTerminal(spec);
      stage.is("terminals count anew", next.terminal.terminal, "t2");
    }),
  { tmux: { programs: { polite } } },
);

const DAY = 86_400_000;

const collected = play("what a gc says before it does it, and what is old enough", (stage) =>
  Effect.gen(function* () {
    const { sessions } = yield* stage.program("one");
    const make = (session: string) => sessions.create({ ...spec, session });
    yield* make("old");
    yield* sessions.delete("old", { graceMs: 0 });
    yield* make("ended");
    yield* stage.tmux.client(["send-keys", "-t", "=ended:", "C-c"]);
    // Made as long ago as the old one, and ended later.
    yield* make("late");
    yield* make("exits");
    yield* Effect.sleep(3 * DAY);
    yield* sessions.delete("late", { graceMs: 0 });
    yield* make("young");
    yield* sessions.delete("young", { graceMs: 0 });
    yield* make("lives");
    const panes = yield* stage.tmux.client(["list-panes", "-t", "=exits:", "-F", "#{pane_id}"]);
    yield* stage.tmux.exitProgram(panes.stdout.trim(), 0);
    yield* sessions.reconcile("exits");
    const rows = () =>
      [...stage.store.records.values()].map((r) => `${r.session} ${r.state}`).sort();
    const before = rows();
    const names = (
      items: ReadonlyArray<{ readonly session: string | null; readonly generation: number | null }>,
    ) => items.flatMap(({ generation, session }) => (generation === null ? [] : [session])).sort();
    const asked = { olderThanMs: 2 * DAY };
    const told: Array<string> = [];
    const onProgress = ({ done, total }: { readonly done: number; readonly total: number }) =>
      Effect.sync(() => void told.push(`${done}/${total}`));
    const dry = yield* sessions.gc({ ...asked, dryRun: true, onProgress });
    stage.is(
      "in a dry run",
      [dry.dryRun, names(dry.forgotten), dry.deleted.length],
      [true, ["old"], 0],
    );
    stage.is("nothing is done", [rows(), told], [before, []]);
    const usual = yield* sessions.gc({});
    stage.is("what is a week old", names(usual.forgotten), []);
    stage.is("what was not noted", names(usual.repaired), ["ended"]);
    stage.is("not noted, as it was told", names(dry.repaired), names(usual.repaired));
    const real = yield* sessions.gc({ ...asked, onProgress });
    stage.is("what is two days old", [real.dryRun, names(real.forgotten)], [false, ["old"]]);
    stage.is(
      "its progress",
      told.length > 0 && told.at(-1)?.split("/")[0] === told.at(-1)?.split("/")[1],
      true,
    );
    stage.is("the server", real.server, "kept");
    yield* Effect.sleep(DAY);
    const exited = { olderThanMs: 30 * DAY, exitedMs: 2 * DAY };
    stage.is("exited a day ago", names((yield* sessions.gc(exited)).deleted), []);
    const due = yield* sessions.gc({ ...exited, exitedMs: DAY, dryRun: true });
    stage.is("exited long enough, dry", names(due.deleted), ["ended", "exits"]);
    stage.is("it is still there", (yield* sessions.get("exits")).state, "exited");
    const gone = yield* sessions.gc({ ...exited, exitedMs: DAY });
    stage.is("exited long enough", names(gone.deleted), ["ended", "exits"]);
    yield* sessions.delete("lives", { graceMs: 0 });
    const dryAll = yield* sessions.gc({ olderThanMs: 0, dryRun: true });
    const all = yield* sessions.gc({ olderThanMs: 0 });
    const lines = (r: typeof all) => [names(r.forgotten), r.server, names(r.deleted)];
    const every = ["ended", "exits", "late", "lives", "young"];
    stage.is("all", lines(all), [every, "stopped", []]);
    stage.is("all, as it was told", lines(dryAll), lines(all));
    stage.is("what is left", [rows(), stage.store.claims.size], [[], 0]);
  }),
);

const unasked = play("what a gc leaves to a reconcile", (stage) =>
  Effect.gen(function* () {
    const { sessions } = yield* stage.program("one");
    yield* sessions.create(spec);
    const { incarnation } = yield* sessions.create({ ...spec, session: "b" });
    stage.store.records.delete(incarnation);
    stage.store.claims.delete(SessionName.make("b"));
    for (const dryRun of [true, false]) {
      const { repaired } = yield* sessions.gc({ dryRun });
      stage.is(`what no row knows, dry: ${dryRun}`, repaired, []);
    }
    const items = yield* sessions.reconcileAll;
    stage.is("a reconcile", items.map(({ session }) => session).sort(), ["a", "b"]);
  }),
);

/** The lease of the session, as this writer asks for it. */
const lease = (who: string) => ({
  ...{ session: SessionName.make("a"), attempted: "take the lease", component: "sessions" },
  ...{ lease: LeaseId.make(who), actor: ActorId.make(who), capacity: null, surface: "explored" },
});

const rebuilt = play("a server and its sessions that no row knows any more", (stage) =>
  Effect.gen(function* () {
    const { sessions } = yield* stage.program("one");
    const none = yield* sessions.serverStatus;
    stage.is("no server", none.server, null);
    stage.is("none to be stopped", yield* sessions.stopServer, "none");
    yield* sessions.create(spec);
    yield* sessions.delete("a", { graceMs: 0 });
    yield* sessions.create(spec);
    yield* stage.tmux.client(["new-session", "-d", "-s", "user", "--", "cat"]);
    const some = (yield* sessions.serverStatus).server;
    stage.is("a server", [some?.sessions, some?.foreign], [["a"], ["user"]]);
    stage.is("one with sessions", yield* sessions.stopServer, "kept");
    // Whoever is overtaken may still have something under way, behind a fence.
    yield* stage.tmux.inject({
      fault: { _tag: "Hang", effect: "never" },
      matches: ({ attempted }) => attempted === "send",
      skip: 1,
    });
    yield* Effect.exit(sessions.send("a", "x"));
    const fenced = yield* stage.tmux.client(["show-options", "-sv", "@troupe-fence-a"]);
    stage.store.records.clear();
    stage.store.claims.clear();
    stage.store.servers.splice(0);
    stage.is("lost", yield* tagOf(sessions.get("a")), "LookupFailed");
    stage.is("made in its place", yield* tagOf(sessions.create(spec)), "AlreadyExists");
    const [planned] = yield* sessions.reconcilePlan;
    stage.is("a plan", planned?.outcome._tag, "Right");
    stage.is("writes nothing", stage.store.records.size, 0);
    const { items, kept } = yield* sessions.rebuild;
    stage.is("found again", [items.map(({ session }) => session), kept], [["a"], null]);
    const a = yield* sessions.get("a");
    stage.is("as it was", [a.state, a.spec.command, a.cause], ["running", spec.command, "adopted"]);
    const fence = Number(fenced.stdout);
    stage.is(
      "an epoch that its fence lets pass",
      [fence > 0, a.claim.epoch >= fence],
      [true, true],
    );
    stage.is("a stranger's", yield* tagOf(sessions.delete("user")), "NotFound");
    const adopted = yield* sessions.adopt("user");
    stage.is("taken up when asked", [adopted.state, adopted.spec.log], ["running", false]);
    stage.is("twice", yield* tagOf(sessions.adopt("user")), "AlreadyExists");
    yield* sessions.delete("user", { graceMs: 0 });
    yield* sessions.delete("a", { graceMs: 0 });
    stage.is("an empty one", yield* sessions.stopServer, "stopped");
  }),
);

const leased = play("what a session does for who has its lease", (stage) =>
  Effect.gen(function* () {
    const { sessions } = yield* stage.program("one");
    yield* sessions.create(spec);
    const ask = (who: string, over?: "any" | "settled") =>
      sessions.claimLease({ ...lease(who), over });
    const one = yield* ask("one");
    stage.is("the same again", (yield* ask("one")).epoch, one.epoch);
    stage.is("another", yield* tagOf(ask("two")), "LeaseHeld");
    const two = yield* ask("two", "settled");
    stage.is("of who runs nothing", two.epoch > one.epoch, true);
    stage.is("under the old one", yield* tagOf(sessions.under(one).send("x")), "LeaseLost");
    stage.is("ended under it", yield* tagOf(sessions.under(one).delete()), "LeaseLost");
    stage.is("it is there", (yield* sessions.get("a")).state, "running");
    const sent = yield* sessions.under(two).send("x", { terminal: "main" });
    stage.is(
      "under the new one",
      [sent.status, sent.terminal, sent.bytes],
      ["delivered", "main", 1],
    );
    yield* sessions.addTerminal(spec);
    const asked = { terminal: "t2" };
    const where = [
      yield* sessions.send("a", "x", asked),
      yield* sessions.under(two).send("x", asked),
    ];
    stage.is(
      "for the terminal that is named",
      where.map(({ terminal }) => terminal),
      ["t2", "t2"],
    );
    yield* sessions.under(two).delete({ graceMs: 0 });
    stage.is("ended", [(yield* sessions.get("a")).state, stage.store.leases.size], ["deleted", 0]);
    stage.is("of what has ended", yield* tagOf(ask("three", "any")), "NotFound");
  }),
);

/** The worlds. */
export const sessionPlays: ReadonlyArray<NamedWorld> = [
  ...[ended, collected, unasked],
  ...[rebuilt, leased],
];
