/**
 * HigherFence: a fence that stands above the epoch of a message, with nobody who overtook it: of a
 * registry that was lost, or of another home on the server.
 */
import { describe, expect, it } from "@effect/vitest";
import type { Sessions } from "@troupe/core";
import { Fault } from "@troupe/testing";
import type { TmuxRequest, TmuxTransport } from "@troupe/tmux";
import { Effect, Fiber, TestClock } from "effect";
import { type FakeHome, fakeHome, pass, sleep } from "./FakeHome.js";

type Calls = Sessions["Type"];

const create = (sessions: Calls) => sessions.create({ session: "a", ...sleep });
const add = (sessions: Calls) => sessions.addTerminal({ session: "a", ...sleep });
const kill = (request: TmuxRequest): boolean => String(request.stdin).includes("kill-session");

/** The fence of `a` stands so high, whoever raised it. */
const raised = ({ tmux }: FakeHome, height: number) =>
  tmux.client(["set-option", "-s", "@troupe-fence-a", String(height)]);

const userMakes = ({ tmux }: FakeHome) =>
  tmux.client(["new-session", "-d", "-s", "a", "--", "sleep", "1000"]);

interface Verb {
  readonly name: string;
  readonly arrange: (home: FakeHome) => Effect.Effect<unknown, unknown>;
  readonly run: (sessions: Calls) => Effect.Effect<unknown, unknown>;
  /** Who comes and overtakes it; a reconcile, unless there is no row for it. */
  readonly overtaking?: (sessions: Calls) => Effect.Effect<unknown, unknown>;
}

const made = ({ sessions }: FakeHome) => create(sessions);

const withSecond = (home: FakeHome) => Effect.zipRight(made(home), add(home.sessions));

const verbs: ReadonlyArray<Verb> = [
  { name: "a create", arrange: () => Effect.void, run: create },
  {
    name: "an adopt",
    arrange: userMakes,
    run: (s) => s.adopt("a"),
    overtaking: (s) => s.adopt("a"),
  },
  { name: "a further terminal", arrange: made, run: add },
  { name: "the end of a terminal", arrange: withSecond, run: (s) => s.deleteTerminal("a", "t2") },
  { name: "a delete", arrange: made, run: (s) => s.delete("a") },
  { name: "a send of text", arrange: made, run: (s) => s.send("a", "text") },
  { name: "a send of keys", arrange: made, run: (s) => s.send("a", { keys: ["Enter"] }) },
  {
    name: "a send of both",
    arrange: made,
    run: (s) => s.send("a", { text: "text", enter: true }),
  },
];

/** A server with nothing in it of the name. */
const onServer = (transport?: (real: TmuxTransport["Type"]) => TmuxTransport["Type"]) =>
  Effect.gen(function* () {
    const home = yield* fakeHome(transport === undefined ? {} : { transport });
    yield* pass(home.sessions.create({ session: "other", ...sleep }));
    return home;
  });

/** A list that does nothing below the fence. */
const changes = ({ argv = [], stdin }: TmuxRequest) =>
  `${argv.join(" ")} ${String(stdin)}`.includes("#{e|<=:#{@troupe-fence-a},");

const looksAtFence = ({ attempted }: TmuxRequest) => attempted === "look at the fence";

describe("a name whose registry was lost", () => {
  it.scoped("can be used at once, although its fence stands", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      for (const _ of [1, 2, 3]) {
        yield* pass(create(home.sessions));
        yield* home.tmux.inject({ fault: Fault.silent, matches: kill });
        yield* pass(home.sessions.delete("a"));
      }
      const { claims, events, records, requests, servers } = home.store;
      for (const map of [claims, records, requests]) map.clear();
      servers.splice(0);
      events.splice(0);
      expect((yield* pass(create(home.sessions))).generation).toBe(1);
      expect(yield* home.inTmux).toEqual(["a"]);
    }),
  );
});

describe("below a fence that nobody of this home raised", () => {
  for (const { arrange, name, run } of verbs) {
    it.scoped(`${name} is done all the same, and once`, () =>
      Effect.gen(function* () {
        const home = yield* onServer();
        yield* pass(arrange(home));
        yield* raised(home, 41);
        yield* pass(run(home.sessions));
        const looks = (yield* home.tmux.requests).filter(looksAtFence).length;
        expect(looks).toBe(1);
        expect([...home.store.claims.values()].map(({ epoch }) => epoch)).toContain(41);
      }),
    );

    it.scoped(`${name} that finds it raised at the last moment is done all the same`, () =>
      Effect.gen(function* () {
        const home = yield* onServer();
        yield* pass(arrange(home));
        const gate = yield* home.tmux.hold({ where: "before", matches: changes });
        const fiber = yield* Effect.fork(pass(run(home.sessions)));
        yield* gate.reached;
        yield* raised(home, 41);
        yield* gate.release;
        yield* Fiber.join(fiber);
      }),
    );
  }

  it.scoped(
    "that is raised again behind the look at it, a create is Busy, and the next is not",
    () =>
      Effect.gen(function* () {
        const heights = [42, 43];
        const home: FakeHome = yield* onServer((real) => ({
          ...real,
          run: (request) =>
            looksAtFence(request)
              ? Effect.tap(real.run(request), () =>
                  Effect.orDie(raised(home, heights.shift() ?? 0)),
                )
              : real.run(request),
        }));
        yield* raised(home, 41);
        const error = yield* Effect.flip(pass(create(home.sessions)));
        expect(error).toMatchObject({ _tag: "Busy", reason: "overtaken", holder: null });
        expect([yield* home.inTmux, yield* home.rows]).toEqual([
          ["other"],
          ["other/1 running", "a/1 failed"],
        ]);
      }),
  );

  it.scoped("that is gone behind the refusal, a create is Busy", () =>
    Effect.gen(function* () {
      const home: FakeHome = yield* onServer((real) => ({
        ...real,
        run: (request) =>
          looksAtFence(request)
            ? Effect.zipRight(
                Effect.orDie(home.tmux.client(["set-option", "-su", "@troupe-fence-a"])),
                real.run(request),
              )
            : real.run(request),
      }));
      yield* raised(home, 41);
      const error = yield* Effect.flip(pass(create(home.sessions)));
      expect(error).toMatchObject({ _tag: "Busy", reason: "overtaken", holder: null });
      expect((yield* pass(create(home.sessions))).generation).toBe(2);
    }),
  );

  it.scoped("that cannot be looked at, a create is LookupFailed, and leaves nothing", () =>
    Effect.gen(function* () {
      const home = yield* onServer();
      yield* raised(home, 41);
      yield* home.tmux.inject({ fault: Fault.refuse("what?\n"), matches: looksAtFence });
      expect((yield* Effect.flip(pass(create(home.sessions))))._tag).toBe("LookupFailed");
      expect(yield* home.rows).toEqual(["other/1 running", "a/1 failed"]);
      expect((yield* pass(create(home.sessions))).generation).toBe(2);
    }),
  );
});

describe("a message that was overtaken", () => {
  const reconcile = (sessions: Calls) => sessions.reconcile("a");
  for (const { arrange, name, overtaking = reconcile, run } of verbs) {
    it.scoped(`as ${name} is Busy, and does nothing`, () =>
      Effect.gen(function* () {
        const home = yield* onServer();
        yield* pass(arrange(home));
        const next = yield* home.program("next");
        const gate = yield* home.tmux.hold({ where: "before", matches: changes });
        const fiber = yield* Effect.fork(Effect.flip(run(home.sessions)));
        yield* gate.reached;
        yield* home.store.declare("program", "dead");
        const coming = yield* Effect.fork(Effect.exit(overtaking(next)));
        yield* TestClock.adjust("1 second");
        yield* Fiber.join(coming);
        const rows = yield* home.rows;
        yield* gate.release;
        expect(yield* pass(Fiber.join(fiber))).toMatchObject({ _tag: "Busy", reason: "overtaken" });
        expect(yield* home.rows).toEqual(rows);
      }),
    );
  }
});
