/**
 * SuppliedAgain: what a session was made with is found again, given again or left out on purpose,
 * and never silently missing.
 */
import { describe, expect, it } from "@effect/vitest";
import { FakeHost } from "@troupe/testing";
import { Effect, Redacted } from "effect";
import { type FakeHome, fakeHome, pass, sleep } from "./FakeHome.js";

const env = { TOKEN: Redacted.make("canary-1") };

describe("the values of a session that is restored", () => {
  const made = Effect.gen(function* () {
    const home = yield* fakeHome();
    yield* pass(home.sessions.create({ session: "a", ...sleep, env }));
    yield* home.tmux.crash;
    return home;
  });
  const tokenOf = (home: FakeHome) =>
    Effect.map(home.tmux.processes, (all) =>
      all
        .filter(({ program, state }) => program === "sleep" && state === "running")
        .map(({ environment }) => environment.get("TOKEN")),
    );

  it.scoped("are those that this program holds, and are held for the new generation", () =>
    Effect.gen(function* () {
      const home = yield* made;
      yield* pass(home.sessions.restore("a"));
      expect(yield* tokenOf(home)).toEqual(["canary-1"]);
      yield* pass(home.sessions.addTerminal({ session: "a", ...sleep }));
      expect(yield* tokenOf(home)).toEqual(["canary-1", "canary-1"]);
    }),
  );

  it.scoped("are asked for by name by a program that started anew, and nothing is done", () =>
    Effect.gen(function* () {
      const home = yield* made;
      const anew = yield* home.program("anew");
      const error = yield* Effect.flip(pass(anew.restore("a")));
      expect(error).toMatchObject({ _tag: "InvalidEnv", variables: ["TOKEN"] });
      expect(yield* home.rows).toEqual(["a/1 lost"]);
      yield* pass(anew.restore("a", { env: { TOKEN: "mine", MORE: "x" } }));
      expect(yield* tokenOf(home)).toEqual(["mine"]);
      expect((yield* home.record("a")).spec.envNames).toEqual(["MORE", "TOKEN"]);
    }),
  );

  it.scoped("are named once each, also where some are given, and given ones win", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      const two = { ...env, OTHER: Redacted.make("canary-2") };
      yield* pass(home.sessions.create({ session: "a", ...sleep, env: two }));
      yield* home.tmux.crash;
      const anew = yield* home.program("anew");
      const error = yield* Effect.flip(pass(anew.restore("a", { env: { TOKEN: "mine" } })));
      expect(error).toMatchObject({ _tag: "InvalidEnv", variables: ["OTHER"] });
      expect(JSON.stringify(error)).not.toContain("mine");
      yield* pass(home.sessions.restore("a", { env: { TOKEN: "mine" } }));
      expect(yield* tokenOf(home)).toEqual(["mine"]);
    }),
  );

  it.scoped("are not the host's of the same names, although the session inherits those", () =>
    Effect.gen(function* () {
      const environment = { PATH: "/bin", TOKEN: "of the host", MORE: "inherited" };
      const home = yield* fakeHome({ hostLayer: FakeHost.layer({ environment }) });
      const own = { session: "a", ...sleep, inheritEnv: true };
      yield* pass(home.sessions.create({ ...own, env }));
      const anew = yield* home.program("anew");
      const added = yield* Effect.flip(pass(anew.addTerminal({ session: "a", ...sleep })));
      expect(added).toMatchObject({ _tag: "InvalidEnv", variables: ["TOKEN"] });
      yield* home.tmux.crash;
      const error = yield* Effect.flip(pass(anew.restore("a")));
      expect(error).toMatchObject({ _tag: "InvalidEnv", variables: ["TOKEN"] });
      yield* pass(anew.restore("a", { env: { TOKEN: "mine" } }));
      expect(yield* tokenOf(home)).toEqual(["mine"]);
    }),
  );

  it.scoped("stay held where the new generation had to be undone: the session is lost", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      const command = ["sh", "-c", "sleep 1; exit 4"];
      yield* pass(home.sessions.create({ session: "a", command, cwd: "/", env }));
      yield* home.tmux.exitProgram("a", 4);
      const undone = home.sessions.restore("a", { startWindowMs: 5_000 });
      expect((yield* Effect.flip(pass(undone)))._tag).toBe("StartFailed");
      expect(yield* pass(home.sessions.restore("a"))).toMatchObject({ state: "running" });
      yield* pass(home.sessions.addTerminal({ session: "a", ...sleep }));
      expect(yield* tokenOf(home)).toEqual(["canary-1"]);
    }),
  );

  it.scoped("are left out when that is said, and not asked for again", () =>
    Effect.gen(function* () {
      const home = yield* made;
      const anew = yield* home.program("anew");
      const view = yield* pass(anew.restore("a", { withoutEnv: true }));
      expect([yield* tokenOf(home), view.spec.envNames]).toEqual([[undefined], []]);
    }),
  );
});
