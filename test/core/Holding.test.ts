/**
 * Holding: taking a claim over, giving it back, and what an overtaken holder can still do.
 */
import { describe, expect, it } from "@effect/vitest";
import { RegistryUnavailable, SessionName } from "@troupe/core";
import type { TmuxRequest } from "@troupe/tmux";
import { Clock, Effect, Fiber, TestClock } from "effect";
import { fakeHome, pass, sleep } from "./FakeHome.js";

const creation = (request: TmuxRequest) => String(request.stdin).includes("new-session");

/** Another program, held in the middle of its create of `a`. */
const contested = Effect.gen(function* () {
  const home = yield* fakeHome();
  const other = yield* home.program("other");
  const gate = yield* home.tmux.hold({ where: "before", matches: creation });
  const fiber = yield* Effect.fork(Effect.either(other.create({ session: "a", ...sleep })));
  yield* gate.reached;
  return { ...home, gate, fiber };
});

/** A claim of a program that lives and does nothing, as a stopped one. */
const heldByAnother = Effect.gen(function* () {
  const home = yield* fakeHome();
  yield* pass(home.sessions.create({ session: "a", ...sleep }));
  yield* home.program("other");
  const claim = { owner: "other", epoch: 7, fenceDue: false, generation: 0 };
  home.store.claims.set(SessionName.make("a"), claim);
  return home;
});

describe("a claim that another program holds", () => {
  it.scoped("is waited for to the bound, and then the name is Busy and its holder told", () =>
    Effect.gen(function* () {
      const home = yield* heldByAnother;
      const fiber = yield* Effect.fork(
        Effect.zip(Effect.flip(home.sessions.delete("a")), Clock.currentTimeMillis),
      );
      const began = yield* Clock.currentTimeMillis;
      yield* TestClock.adjust("2 seconds");
      expect(fiber.unsafePoll()).toBe(null);
      yield* TestClock.adjust("1 minute");
      const [error, at] = yield* Fiber.join(fiber);
      expect(error).toMatchObject({ _tag: "Busy", reason: "claimed", holder: "other" });
      expect(at - began).toBe(5000);
    }),
  );

  it.scoped("can be waited for by a caller that is interrupted at once", () =>
    Effect.gen(function* () {
      const home = yield* heldByAnother;
      const began = yield* Clock.currentTimeMillis;
      const fiber = yield* Effect.fork(home.sessions.delete("a"));
      yield* TestClock.adjust("1 second");
      yield* Fiber.interrupt(fiber);
      expect((yield* Clock.currentTimeMillis) - began).toBe(1000);
    }),
  );

  it.scoped("does not hold up another name", () =>
    Effect.gen(function* () {
      const home = yield* contested;
      yield* pass(home.sessions.create({ session: "b", ...sleep }));
      expect(yield* home.inTmux).toEqual(["b"]);
      yield* home.gate.release;
    }),
  );

  it.scoped("is taken over by force, and then tmux and the registry refuse its holder", () =>
    Effect.gen(function* () {
      const home = yield* contested;
      yield* pass(home.sessions.delete("a", { force: true }));
      yield* home.gate.release;
      yield* TestClock.adjust("1 minute");
      const outcome = yield* Fiber.join(home.fiber);
      expect(outcome).toMatchObject({ _tag: "Left", left: { reason: "overtaken" } });
      expect([yield* home.inTmux, yield* home.rows]).toEqual([[], ["a/1 failed"]]);
    }),
  );

  it.scoped("is taken over at once when its holder is dead, behind a raised fence", () =>
    Effect.gen(function* () {
      const home = yield* contested;
      yield* home.store.declare("other", "dead");
      yield* pass(home.sessions.create({ session: "a", ...sleep }));
      const made = yield* home.record("a");
      yield* home.gate.release;
      yield* TestClock.adjust("1 minute");
      expect(yield* home.inTmux).toEqual(["a"]);
      expect(yield* home.record("a")).toMatchObject({ incarnation: made.incarnation });
      const fence = yield* home.tmux.client(["show-options", "-sv", "@troupe-fence-a"]);
      expect(fence.stdout).toBe("2\n");
    }),
  );
});

describe("a claim that is ours", () => {
  it.scoped("is given back after success, failure and interruption", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      const owners = () => [...home.store.claims.values()].map((claim) => claim.owner);
      yield* pass(home.sessions.create({ session: "a", ...sleep }));
      expect(owners()).toEqual([null]);
      yield* Effect.flip(pass(home.sessions.create({ session: "a", ...sleep })));
      expect(owners()).toEqual([null]);
      const create = home.sessions.create({ session: "b", ...sleep, startWindowMs: 5000 });
      const fiber = yield* Effect.fork(create);
      yield* TestClock.adjust("1 second");
      expect(owners()).toEqual([null, "program"]);
      yield* Effect.fork(Fiber.interrupt(fiber));
      yield* TestClock.adjust("1 minute");
      expect(owners()).toEqual([null, null]);
    }),
  );

  it.scoped("is given back once, by the last write where there is one", () =>
    Effect.gen(function* () {
      let released = 0;
      const home = yield* fakeHome({
        registry: (store) => ({
          ...store,
          release: (...claim) =>
            Effect.suspend(() => {
              released += 1;
              return store.release(...claim);
            }),
        }),
      });
      yield* pass(home.sessions.create({ session: "a", ...sleep }));
      yield* pass(home.sessions.delete("a"));
      expect(released).toBe(0);
      yield* pass(home.sessions.delete("a"));
      expect(released).toBe(1);
    }),
  );

  it.scoped("is given back where the write failed that was to be its last", () =>
    Effect.gen(function* () {
      let fails = false;
      const where = { session: "a", attempted: "commit", detail: "explored" };
      const home = yield* fakeHome({
        registry: (registry) => ({
          ...registry,
          commit: (...words) =>
            fails && words[3].release
              ? new RegistryUnavailable({ ...where, reason: "unusable" })
              : registry.commit(...words),
        }),
      });
      const other = yield* home.program("other");
      yield* pass(home.sessions.create({ session: "a", ...sleep }));
      fails = true;
      const failed = yield* Effect.flip(pass(home.sessions.delete("a")));
      expect(failed).toMatchObject({ _tag: "RegistryUnavailable" });
      fails = false;
      expect(yield* pass(other.delete("a"))).toMatchObject({ session: "a" });
      expect(yield* home.rows).toEqual(["a/1 deleted"]);
    }),
  );
});
