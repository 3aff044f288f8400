/**
 * A create whose server ends between its look and its list: nothing was made, so it looks again,
 * once, and never where something may have been made.
 */
import { describe, expect, it } from "@effect/vitest";
import { Fault } from "@troupe/testing";
import type { TmuxRequest, TmuxTransport } from "@troupe/tmux";
import { Effect, Fiber, TestClock } from "effect";
import { type FakeHome, fakeHome, pass, sleep } from "./FakeHome.js";

const isCreation = ({ stdin }: TmuxRequest): boolean => String(stdin).includes("new-session");

/** A home in which this happens right before each of the first `times` creations. */
const ending = Effect.fnUntraced(function* (
  what: (home: FakeHome) => Effect.Effect<unknown, unknown>,
  times: number,
) {
  let met = 0;
  const home: FakeHome = yield* fakeHome({
    transport: (tmux: TmuxTransport["Type"]) => ({
      ...tmux,
      run: (request) => {
        const meets = isCreation(request) && met++ < times;
        return Effect.zipRight(meets ? Effect.orDie(what(home)) : Effect.void, tmux.run(request));
      },
    }),
  });
  return { home, met: () => met };
});

const stops = (home: FakeHome) => home.tmux.client(["kill-server"]);
const restarts = (home: FakeHome) =>
  Effect.zipRight(
    home.tmux.client(["kill-server"]),
    home.tmux.client(["new-session", "-d", "-s", "mine", "--", "sleep", "1000"]),
  );

const create = (home: FakeHome, options: object = {}) =>
  home.sessions.create({ session: "a", ...sleep, ...options });

describe("a create whose server ended behind its look", () => {
  for (const [how, what, inTmux] of [
    ["and none answers", stops, ["a"]],
    ["and another answers", restarts, ["a", "mine"]],
  ] as const) {
    it.scoped(`${how} looks again, and makes the session`, () =>
      Effect.gen(function* () {
        const { home } = yield* ending(what, 1);
        const made = yield* pass(create(home, { requestId: "once" }));
        expect(made).toMatchObject({ generation: 2, state: "running", seen: { state: "present" } });
        expect(yield* home.rows).toEqual(["a/1 failed", "a/2 running"]);
        expect((yield* home.inTmux).toSorted()).toEqual(inTmux);
        expect([...home.store.claims.values()]).toMatchObject([{ owner: null }]);
        expect(yield* pass(create(home, { requestId: "once" }))).toMatchObject({ generation: 2 });
      }),
    );
  }

  it.scoped("twice fails, and leaves nothing", () =>
    Effect.gen(function* () {
      const { home, met } = yield* ending(stops, 9);
      const error = yield* Effect.flip(pass(create(home)));
      expect(error).toMatchObject({ _tag: "LookupFailed", reason: "server-exited" });
      expect([met(), yield* home.rows]).toEqual([2, ["a/1 failed", "a/2 failed"]]);
      expect([...home.store.claims.values()]).toMatchObject([{ owner: null }]);
    }),
  );

  it.scoped("is not made again for a caller that left meanwhile", () =>
    Effect.gen(function* () {
      const { home, met } = yield* ending(
        (home) => Effect.zipRight(stops(home), Effect.sleep("1 second")),
        1,
      );
      const call = yield* Effect.fork(create(home));
      yield* TestClock.adjust("500 millis");
      yield* Effect.fork(Fiber.interrupt(call));
      yield* TestClock.adjust("1 minute");
      yield* Fiber.await(call);
      expect([met(), yield* home.rows, yield* home.inTmux]).toEqual([1, ["a/1 failed"], []]);
    }),
  );

  it.scoped("while it may have made something is not made again", () =>
    Effect.gen(function* () {
      for (const fault of [Fault.crashBefore, Fault.crashAfter]) {
        const home = yield* fakeHome();
        yield* home.tmux.inject({ fault, matches: isCreation });
        expect(yield* Effect.flip(pass(create(home)))).toMatchObject({ _tag: "LookupFailed" });
        expect(yield* home.rows).toEqual(["a/1 failed"]);
      }
    }),
  );
});

it.scoped("a restore whose server ended behind its look leaves the session lost", () =>
  Effect.gen(function* () {
    let ends = false;
    const { home } = yield* ending((home) => (ends ? stops(home) : Effect.void), 9);
    yield* pass(create(home));
    yield* home.tmux.client(["kill-session", "-t", "=a"]);
    ends = true;
    const error = yield* Effect.flip(pass(home.sessions.restore("a")));
    expect(error).toMatchObject({ _tag: "LookupFailed", reason: "server-exited" });
    expect(yield* home.rows).toEqual(["a/1 deleted", "a/2 lost"]);
  }),
);
