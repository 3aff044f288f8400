/**
 * The last terminal is the last also where a delete, or the making, of those beside it was cut off:
 * its end is that of the session, which is `deleted` then and not `lost`.
 */
import { describe, expect, it } from "@effect/vitest";
import { Fault } from "@troupe/testing";
import type { TmuxRequest } from "@troupe/tmux";
import { Effect } from "effect";
import { fakeHome, pass, sleep } from "./FakeHome.js";

const kill = ({ attempted }: Pick<TmuxRequest, "attempted">): boolean =>
  attempted.startsWith("kill");

/** Two terminals, of which t2 was to be ended, and no kill came through. */
const setting = Effect.gen(function* () {
  const home = yield* fakeHome();
  yield* pass(home.sessions.create({ session: "a", ...sleep }));
  yield* pass(home.sessions.addTerminal({ session: "a", ...sleep }));
  const inVain = (terminal: string) =>
    Effect.gen(function* () {
      yield* home.tmux.inject({ fault: Fault.silent, matches: kill, times: 1_000 });
      const failure = yield* Effect.flip(pass(home.sessions.deleteTerminal("a", terminal)));
      yield* home.tmux.clearFaults;
      return failure._tag;
    });
  const living = Effect.map(home.tmux.processes, (all) =>
    all.filter((p) => p.state === "running").map(({ program }) => program),
  );
  expect(yield* inVain("t2")).toBe("KillUnconfirmed");
  return { home, inVain, living };
});

describe("the last terminal beside one whose delete was cut off", () => {
  it.scoped("is deleted with the session", () =>
    Effect.gen(function* () {
      const { home, living } = yield* setting;
      const done = yield* pass(home.sessions.deleteTerminal("a", "main"));
      expect(done).toMatchObject({ terminal: "main", sessionDeleted: true });
      expect(yield* home.rows).toEqual(["a/1 deleted"]);
      expect(yield* living).not.toContain("sleep");
    }),
  );

  it.scoped("in vain, too, is finished by a reconcile as the session's delete", () =>
    Effect.gen(function* () {
      const { home, inVain, living } = yield* setting;
      expect(yield* inVain("main")).toBe("KillUnconfirmed");
      expect(yield* pass(home.sessions.reconcile("a"))).toMatchObject({ after: "deleted" });
      expect(yield* home.rows).toEqual(["a/1 deleted"]);
      expect(yield* living).not.toContain("sleep");
    }),
  );

  it.scoped("stays while a user has a window in the session", () =>
    Effect.gen(function* () {
      const { home, living } = yield* setting;
      yield* home.tmux.client(["new-window", "-d", "-t", "=a:", "--", "cat"]);
      const failure = yield* Effect.flip(pass(home.sessions.deleteTerminal("a", "main")));
      expect(failure).toMatchObject({ _tag: "Busy", reason: "windows" });
      yield* pass(home.sessions.reconcile("a"));
      expect((yield* home.record("a")).terminals.map(({ state }) => state)).toEqual([
        "running",
        "gone",
      ]);
      expect(yield* living).toContain("cat");
    }),
  );
});
