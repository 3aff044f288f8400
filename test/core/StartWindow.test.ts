/**
 * StartWindow: only an end that was seen is a failure of the program; slow or silent is none, and
 * a look that cannot be read undoes what was made.
 */
import { describe, expect, it } from "@effect/vitest";
import { FakeTmux, Fault } from "@troupe/testing";
import type { TmuxRequest } from "@troupe/tmux";
import { Effect, Fiber, Option, TestClock } from "effect";
import { type FakeHome, fakeHome, pass, sleep } from "./FakeHome.js";

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

describe("a program that ends inside a long start window", () => {
  const program = (script: string) => ({ session: "a", cwd: "/", command: ["sh", "-c", script] });
  const looks = (home: FakeHome) =>
    Effect.map(home.tmux.requests, (all) => all.filter(look).length);

  for (const [script, how] of [
    ["sleep 1", { _tag: "Right", right: { state: "exited" } }],
    ["sleep 1; exit 3", { _tag: "Left", left: { _tag: "StartFailed", code: 3 } }],
  ] as const) {
    it.scoped(`ends it as soon as that is known: ${script}`, () =>
      Effect.gen(function* () {
        const home = yield* fakeHome();
        const call = home.sessions.create({ ...program(script), startWindowMs: 60_000 });
        const fiber = yield* Effect.fork(Effect.either(call));
        yield* TestClock.adjust("900 millis");
        expect([yield* looks(home), yield* Fiber.poll(fiber)]).toEqual([1, Option.none()]);
        yield* TestClock.adjust("200 millis");
        expect(yield* Fiber.join(fiber)).toMatchObject(how);
        expect(yield* looks(home)).toBe(2);
      }),
    );
  }

  it.scoped("is looked at now and then while tmux does not tell of the end, and no longer", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      const told = Fault.rewrite((r) => ({
        ...r,
        stdout: r.stdout.replace(/ d=1 .*/, " d= c= s="),
      }));
      yield* home.tmux.inject({ fault: told, matches: look, skip: 1, times: 1_000 });
      const call = home.sessions.create({ ...program("sleep 1"), startWindowMs: 20_000 });
      const fiber = yield* Effect.fork(Effect.either(call));
      yield* TestClock.adjust("19999 millis");
      expect(yield* Fiber.poll(fiber)).toEqual(Option.none());
      yield* TestClock.adjust("1 millis");
      expect(yield* Fiber.join(fiber)).toMatchObject({ right: { state: "running" } });
      expect(yield* looks(home)).toBeLessThanOrEqual(13);
    }),
  );
});

it.scoped("a program that lives costs one look at tmux, however long the start window", () =>
  Effect.gen(function* () {
    const home = yield* fakeHome();
    yield* pass(home.sessions.create({ session: "a", ...sleep, startWindowMs: 30_000 }));
    const all = yield* home.tmux.requests;
    expect(all.filter(look)).toHaveLength(2);
  }),
);
