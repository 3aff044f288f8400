/**
 * An adopt that failed and whose mark is taken off late: whoever takes the session up meanwhile, by
 * the mark that is still there, keeps it.
 */
import { describe, expect, it } from "@effect/vitest";
import { type Registry, RegistryUnavailable } from "@troupe/core";
import { Fault } from "@troupe/testing";
import type { TmuxRequest } from "@troupe/tmux";
import { Effect } from "effect";
import { fakeHome, pass, sleep } from "./FakeHome.js";

const full = new RegistryUnavailable({ session: "a", attempted: "commit", detail: "no room" });

describe("a mark that is taken off late", () => {
  it.scoped("is not taken off a session that a reconcile has taken up", () =>
    Effect.gen(function* () {
      let isFailing = false;
      const registry = (store: Registry["Type"]): Registry["Type"] => ({
        ...store,
        commit: (...asked) => Effect.suspend(() => (isFailing ? full : store.commit(...asked))),
      });
      const home = yield* fakeHome({ registry });
      yield* pass(home.sessions.create({ session: "ours", ...sleep }));
      yield* home.tmux.client(["new-session", "-d", "-s", "a", "--", "sleep", "1000"]);
      const matches = ({ stdin }: TmuxRequest): boolean => String(stdin).includes("set-option -u");
      yield* home.tmux.inject({ fault: Fault.lateEffect, matches });
      isFailing = true;
      expect((yield* Effect.flip(pass(home.sessions.adopt("a"))))._tag).toBe("RegistryUnavailable");
      isFailing = false;
      yield* pass(home.sessions.reconcileAll);
      expect(yield* home.rows).toContain("a/1 running");
      yield* home.tmux.release;
      yield* pass(home.sessions.reconcileAll);
      const shown = yield* home.tmux.client(["show-options", "-t", "=a:"]);
      expect(shown.stdout).toContain(`@troupe-inc ${(yield* home.record("a")).incarnation}`);
      expect(yield* home.rows).toContain("a/1 running");
    }),
  );
});
