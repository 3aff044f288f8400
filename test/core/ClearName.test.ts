/**
 * ClearName: the look at a name before anything is made: what cannot be found out is not free, and
 * what an earlier life of the name left is ended first.
 *
 * Method of the second half: an incarnation is cut off, or vanishes from tmux while a process of it
 * lives; then the name is created again, and processes, rows, events and the environment of the
 * new program are compared.
 */
import { describe, expect, it } from "@effect/vitest";
import { FakeTmux, Fault } from "@troupe/testing";
import type { TmuxRequest } from "@troupe/tmux";
import { Effect, Redacted } from "effect";
import { type FakeHome, fakeHome, pass, sleep } from "./FakeHome.js";

const firstLook = (request: TmuxRequest): boolean =>
  request.attempted === "create" && request.stdin === null && !request.startsServer;

const creation = (request: TmuxRequest): boolean => String(request.stdin).includes("new-session");

/** What the log tells, as `generation state` and `generation terminal state`. */
const told = (home: FakeHome) =>
  home.store.events.flatMap(({ body, generation }) => {
    if (body.type === "session") return [`${generation} ${body.state}`];
    return body.type === "terminal" ? [`${generation} terminal ${body.state}`] : [];
  });

/** A session that tmux lost, of which a process that left its pane lives on. */
const ghost = Effect.gen(function* () {
  const home = yield* fakeHome();
  const { incarnation } = yield* pass(home.sessions.create({ session: "a", ...sleep }));
  const environment = { TROUPE_INCARNATION: incarnation };
  const daemon = yield* home.tmux.spawn({ parent: 1, program: "daemon", environment });
  yield* home.tmux.client(["kill-session", "-t", "=a"]);
  return { ...home, daemon };
});

const lives = (home: FakeHome, pid: number) =>
  Effect.map(home.tmux.processes, (all) =>
    all.some((process) => process.pid === pid && process.state === "running"),
  );

describe("a name is not taken for free", () => {
  for (const [what, fault] of [
    ["is refused with a text that nobody knows", Fault.refuse("what?\n")],
    ["says nothing and ends well", Fault.silent],
    ["is cut short", Fault.shortened],
    ["is garbled", Fault.garbled],
    ["is not answered", Fault.hang],
  ] as const) {
    it.scoped(`when the look at it ${what}: no row, no session, and no server is started`, () =>
      Effect.gen(function* () {
        const home = yield* fakeHome();
        yield* pass(home.sessions.create({ session: "theirs", ...sleep }));
        const before = JSON.stringify([...home.store.records.values(), ...home.store.events]);
        const asked = (yield* home.tmux.requests).length;
        yield* home.tmux.inject({ fault, matches: firstLook });
        const error = yield* Effect.flip(pass(home.sessions.create({ session: "a", ...sleep })));
        expect(error._tag).toBe("LookupFailed");
        const after = JSON.stringify([...home.store.records.values(), ...home.store.events]);
        expect([after, yield* home.inTmux]).toEqual([before, ["theirs"]]);
        expect((yield* home.tmux.requests).length - asked).toBe(1);
      }),
    );
  }
});

describe("a name whose session vanished", () => {
  it.scoped("is still held, until somebody deletes it or asks to replace it", () =>
    Effect.gen(function* () {
      const home = yield* ghost;
      const error = yield* Effect.flip(pass(home.sessions.create({ session: "a", ...sleep })));
      expect(error).toMatchObject({ _tag: "AlreadyExists", state: "running" });
      expect(yield* lives(home, home.daemon)).toBe(true);
    }),
  );

  it.scoped(
    "is replaced whole: its processes end, its rows end, and only then is the new one made",
    () =>
      Effect.gen(function* () {
        const home = yield* ghost;
        yield* pass(home.sessions.create({ session: "a", ...sleep, replace: true }));
        expect(yield* lives(home, home.daemon)).toBe(false);
        expect(yield* home.rows).toEqual(["a/1 deleted", "a/2 running"]);
        expect((yield* home.sessions.get("a")).terminals.map((t) => t.state)).toEqual(["running"]);
        expect(told(home)).toEqual([
          ...["1 creating", "1 terminal running", "1 running"],
          ...["1 deleting", "1 terminal gone", "1 deleted"],
          ...["2 creating", "2 terminal running", "2 running"],
        ]);
      }),
  );
});

describe("a name whose create was cut off with its program", () => {
  it.scoped("is undone by the next create, which inherits none of its values", () =>
    Effect.gen(function* () {
      const got: Array<string | undefined> = [];
      const agent = FakeTmux.program((run) => void got.push(run.env.get("TOKEN")));
      const home = yield* fakeHome({ tmux: { programs: { agent } } });
      const other = yield* home.program("other");
      const gate = yield* home.tmux.hold({ where: "after", matches: creation });
      const spec = { session: "a", command: ["agent"], cwd: "/" };
      const env = { TOKEN: Redacted.make("canary-value") };
      yield* Effect.fork(home.sessions.create({ ...spec, env }));
      yield* gate.reached;
      yield* home.store.declare("program", "dead");
      yield* pass(other.create(spec));
      expect(got).toEqual(["canary-value", undefined]);
      expect(yield* home.rows).toEqual(["a/1 failed", "a/2 running"]);
      const running = (yield* home.tmux.processes).filter((p) => p.program === "agent");
      expect(running.map((p) => p.state)).toEqual(["running"]);
      yield* gate.release;
    }),
  );
});
