/**
 * StartWindow: only an end that was seen is a failure of the program; slow or silent is none, and
 * a look that cannot be read undoes what was made.
 */
import { describe, expect, it } from "@effect/vitest";
import { FakeTmux, Fault } from "@troupe/testing";
import type { TmuxRequest } from "@troupe/tmux";
import { Effect } from "effect";
import { fakeHome, pass, sleep } from "./FakeHome.js";

const creation = (request: TmuxRequest) => String(request.stdin).includes("new-session");
const look = (request: TmuxRequest): boolean =>
  request.attempted === "create" && request.stdin === null && !request.startsServer;

describe("a program that lives through the start window", () => {
  it.scoped("has started, however slow tmux is and although it never prints anything", () =>
    Effect.gen(function* () {
      const mute = FakeTmux.program((run) => run.raw());
      const home = yield* fakeHome({ tmux: { programs: { mute } } });
      yield* home.tmux.inject({ fault: Fault.slow(2_000, 900), matches: creation });
      const call = home.sessions.create({ session: "a", cwd: "/", command: ["mute"] });
      expect(yield* pass(call)).toMatchObject({ state: "running", seen: { state: "present" } });
      expect((yield* home.sessions.capture("a")).text).toBe("");
      expect(yield* pass(home.sessions.reconcile("a"))).toMatchObject({ changed: false });
    }),
  );
});

describe("the look at the end of the start window", () => {
  for (const [what, fault] of [
    ["has a short row", Fault.rewrite((r) => ({ ...r, stdout: r.stdout.replace(/ d=.*/, "") }))],
    ["is cut short", Fault.shortened],
    ["is not answered", Fault.hang],
  ] as const) {
    it.scoped(
      `that ${what} is LookupFailed, and the half-made session does not block the name`,
      () =>
        Effect.gen(function* () {
          const home = yield* fakeHome();
          yield* home.tmux.inject({ fault, matches: look, skip: 1 });
          const error = yield* Effect.flip(pass(home.sessions.create({ session: "a", ...sleep })));
          expect(error._tag).toBe("LookupFailed");
          expect([yield* home.inTmux, yield* home.rows]).toEqual([[], ["a/1 failed"]]);
          yield* pass(home.sessions.create({ session: "a", ...sleep }));
          expect(yield* home.rows).toEqual(["a/1 failed", "a/2 running"]);
        }),
    );
  }
});
