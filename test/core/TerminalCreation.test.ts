/**
 * TerminalCreation: what is asked for is checked before anything is done, and what is not given is
 * the session's: its directory, and the values that this program holds.
 *
 * Through `Sessions` on the fake: what the program of the new terminal finds, and what was refused
 * without a call to tmux that makes anything.
 */
import { describe, expect, it } from "@effect/vitest";
import { Fault } from "@troupe/testing";
import type { TmuxRequest } from "@troupe/tmux";
import { Effect, Redacted } from "effect";
import { type FakeHome, fakeHome, pass, sleep } from "./FakeHome.js";

const addition = (request: TmuxRequest): boolean => String(request.stdin).includes("new-window");

const withSession = Effect.fnUntraced(function* (options: Parameters<typeof fakeHome>[0] = {}) {
  const home = yield* fakeHome(options);
  yield* pass(home.sessions.create({ session: "a", ...sleep }));
  return home;
});

const add = (home: FakeHome, options: object = {}) =>
  home.sessions.addTerminal({ session: "a", ...sleep, ...options });

const windows = (home: FakeHome) =>
  Effect.map(
    Effect.orDie(home.tmux.client(["list-windows", "-t", "=a", "-F", "#{window_name}"])),
    ({ stdout }) => stdout.trim().split("\n"),
  );

describe("a terminal that is refused before anything is done", () => {
  for (const [what, options, tag] of [
    ["of a name that nobody had", { session: "b" }, "NotFound"],
    ["of a bad name", { session: "a b" }, "InvalidName"],
    ["with a program that is missing", { command: ["/no/such"] }, "StartFailed"],
    ["with a variable of a bad name", { env: { "A=B": "x" } }, "InvalidEnv"],
  ] as const) {
    it.scoped(`${what} is ${tag}, and tmux makes nothing`, () =>
      Effect.gen(function* () {
        const home = yield* withSession({ host: { missingPrograms: ["/no/such"] } });
        expect((yield* Effect.flip(pass(add(home, options))))._tag).toBe(tag);
        expect((yield* home.tmux.requests).filter(addition)).toEqual([]);
        expect(yield* windows(home)).toEqual(["main"]);
      }),
    );
  }

  it.scoped("because its session ended, was lost or is ending is NotFound", () =>
    Effect.gen(function* () {
      const home = yield* withSession();
      yield* home.tmux.client(["kill-session", "-t", "=a"]);
      expect((yield* Effect.flip(pass(add(home))))._tag).toBe("NotFound");
      yield* pass(home.sessions.delete("a"));
      expect((yield* Effect.flip(pass(add(home))))._tag).toBe("NotFound");
      const other = yield* withSession();
      const kill = (request: TmuxRequest) => String(request.stdin).includes("kill-session");
      yield* other.tmux.inject({ fault: Fault.hang, matches: kill, times: 99 });
      yield* Effect.flip(pass(other.sessions.delete("a")));
      expect((yield* Effect.flip(pass(add(other))))._tag).toBe("NotFound");
    }),
  );
});

describe("the values that a session was made with", () => {
  const env = { TOKEN: Redacted.make("canary-1"), OTHER: Redacted.make("canary-2") };
  const made = Effect.gen(function* () {
    const home = yield* fakeHome();
    yield* pass(home.sessions.create({ session: "a", ...sleep, env }));
    return home;
  });
  const valuesOf = (home: FakeHome) =>
    Effect.map(home.tmux.processes, (all) => {
      const newest = all.filter((p) => p.program === "sleep").at(-1);
      return ["TOKEN", "OTHER"].map((name) => newest?.environment.get(name));
    });

  it.scoped("are given to a further terminal by the program that made it", () =>
    Effect.gen(function* () {
      const home = yield* made;
      yield* pass(add(home, { env: { OTHER: "mine" } }));
      expect(yield* valuesOf(home)).toEqual(["canary-1", "mine"]);
    }),
  );

  it.scoped("are named by one that started anew, until they are supplied or waived", () =>
    Effect.gen(function* () {
      const home = yield* made;
      const sessions = yield* home.program("another");
      const call = (options: object = {}) =>
        pass(sessions.addTerminal({ session: "a", ...sleep, ...options }));
      expect(yield* Effect.flip(call())).toMatchObject({
        _tag: "InvalidEnv",
        variables: ["OTHER", "TOKEN"],
      });
      expect(yield* Effect.flip(call({ env: { OTHER: "x" } }))).toMatchObject({
        variables: ["TOKEN"],
      });
      yield* call({ withoutEnv: true });
      expect(yield* valuesOf(home)).toEqual([undefined, undefined]);
      yield* sessions.setEnv("a", { TOKEN: "again", OTHER: "too" });
      yield* call();
      expect(yield* valuesOf(home)).toEqual(["again", "too"]);
    }),
  );

  it.scoped("are supplied again by the same request, sent by a program that started anew", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      const request = { session: "a", ...sleep, env, requestId: "r1" };
      yield* pass(home.sessions.create(request));
      const sessions = yield* home.program("another");
      yield* pass(sessions.create(request));
      yield* pass(sessions.addTerminal({ session: "a", ...sleep }));
      expect(yield* valuesOf(home)).toEqual(["canary-1", "canary-2"]);
    }),
  );

  it.scoped("end with the session: the next one of the name has none of them", () =>
    Effect.gen(function* () {
      const home = yield* made;
      yield* pass(home.sessions.delete("a"));
      expect((yield* Effect.flip(home.sessions.setEnv("a", { TOKEN: "x" })))._tag).toBe("NotFound");
      yield* pass(home.sessions.create({ session: "a", ...sleep }));
      yield* pass(add(home));
      expect(yield* valuesOf(home)).toEqual([undefined, undefined]);
    }),
  );

  it.scoped("are in no argv, row or event, and the session's environment in tmux has none", () =>
    Effect.gen(function* () {
      const home = yield* made;
      yield* pass(add(home));
      const argv = (yield* home.tmux.requests).map((request) => request.argv);
      const { events, records } = home.store;
      expect(JSON.stringify([argv, events, [...records.values()]])).not.toContain("canary");
      const shown = yield* home.tmux.client(["show-environment", "-t", "=a"]);
      expect(shown.stdout).not.toMatch(/canary|TROUPE_TERMINAL/);
    }),
  );
});
