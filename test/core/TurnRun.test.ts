/**
 * One turn, from the door to its last write: in order, under its lease, over when nothing of it can
 * write any more.
 */
import { describe, expect, it } from "@effect/vitest";
import { Effect, Exit, Fiber, TestClock } from "effect";
import { heldTurn, runs, settle, told, turnHome } from "./TurnHome.js";

describe("a turn", () => {
  it.scoped("has the lease, which is claimed for the first one and shown to be current", () =>
    Effect.gen(function* () {
      const home = yield* turnHome({}, "a", "b");
      const { handles, leases } = yield* home.hosting("one");
      const handle = yield* handles.get("a");
      yield* Effect.repeatN(Effect.scoped(handle.attend), 30);
      expect(home.leased()).toEqual([]);
      const epochs = yield* Effect.forEach([1, 2], () =>
        handle.runTurn((turn, lease) =>
          Effect.gen(function* () {
            const [view] = yield* leases.all;
            expect(view).toMatchObject({ turn: turn.id, activity: "running" });
            return lease.epoch;
          }),
        ),
      );
      expect(epochs).toEqual([1, 1]);
      expect(home.leased()).toEqual(["a 1 session"]);
      expect((yield* leases.all)[0]).toMatchObject({ turn: null, activity: "idle" });
    }),
  );

  it.scoped("of another program is refused, whoever asks for it, and writes nothing", () =>
    Effect.gen(function* () {
      const home = yield* turnHome();
      const one = yield* home.hosting("one");
      const two = yield* home.hosting("two");
      const held = yield* heldTurn(yield* one.handles.get("a", { surface: "web" }));
      const theirs = yield* two.handles.get("a");
      const send = theirs.runTurn((_, lease) => two.sessions.under(lease).send("x"));
      for (const surface of ["user", "queue", "timer", "wake-up"]) {
        const other = yield* two.handles.get("a", { surface, anew: true });
        const refused = yield* Effect.flip(other.runTurn(() => two.sessions.send("a", "x")));
        expect(refused).toMatchObject({ _tag: "LeaseHeld", holder: { surface: "web" } });
      }
      expect(yield* told(send)).toBe("LeaseHeld");
      yield* held.open;
      expect([home.got, home.leased()]).toEqual([[], ["a 1 web"]]);
    }),
  );

  it.scoped("keeps the lease of an interactive writer, and gives back that of one by turns", () =>
    Effect.gen(function* () {
      const home = yield* turnHome();
      const one = yield* (yield* home.hosting("one")).handles.get("a", { kind: "turn" });
      const two = yield* (yield* home.hosting("two")).handles.get("a", { kind: "turn" });
      for (const handle of [one, two, one, two]) yield* handle.runTurn(() => Effect.void);
      expect(home.leased()).toEqual([]);
      const three = yield* (yield* home.hosting("three")).handles.get("a");
      yield* three.runTurn(() => Effect.void);
      expect(yield* told(one.runTurn(() => Effect.void))).toBe("LeaseHeld");
      expect(home.leased()).toEqual(["a 5 session"]);
    }),
  );

  it.scoped("waits for the one before it, and the next is let in although it fails or dies", () =>
    Effect.gen(function* () {
      const home = yield* turnHome();
      const { handles, turns } = yield* home.hosting("one");
      const handle = yield* handles.get("a");
      const log: Array<string> = [];
      const first = yield* heldTurn(handle);
      const second = yield* Effect.fork(
        handle.runTurn(() =>
          Effect.zipRight(
            Effect.sync(() => log.push("2")),
            Effect.fail("no"),
          ),
        ),
      );
      const third = yield* Effect.fork(handle.runTurn(() => Effect.dieMessage("a bug")));
      const throws = yield* Effect.fork(
        handle.runTurn((): Effect.Effect<void> => {
          throw new Error("before it began");
        }),
      );
      yield* settle;
      expect(log).toEqual([]);
      yield* first.open;
      const exits = yield* Effect.forEach([second, third, throws], Fiber.await);
      expect(exits.map(Exit.isFailure)).toEqual([true, true, true]);
      expect(yield* handle.runTurn(() => Effect.succeed("in"))).toBe("in");
      expect((yield* turns.activity).running).toBe(0);
    }),
  );

  it.scoped("is counted until its last finalizer has run", () =>
    Effect.gen(function* () {
      const home = yield* turnHome();
      const { handles, turns } = yield* home.hosting("one");
      const handle = yield* handles.get("a");
      const body = Effect.ensuring(Effect.void, Effect.sleep("3 seconds"));
      yield* Effect.fork(handle.runTurn(() => body));
      yield* TestClock.adjust("2900 millis");
      expect((yield* turns.activity).running).toBe(1);
      yield* TestClock.adjust("100 millis");
      expect((yield* turns.activity).running).toBe(0);
    }),
  );

  it.scoped("ends with its caller, who hears of it when it has", () =>
    Effect.gen(function* () {
      const home = yield* turnHome();
      const { handles, turns } = yield* home.hosting("one");
      const held = yield* heldTurn(yield* handles.get("a"));
      const exit = yield* Fiber.interrupt(held.fiber);
      expect([Exit.isInterrupted(exit), (yield* turns.activity).running]).toEqual([true, 0]);
    }),
  );
});

describe("a turn that waits for itself", () => {
  it.scoped("is a bug that is told, and the writer goes on", () =>
    Effect.gen(function* () {
      const home = yield* turnHome();
      const { handles } = yield* home.hosting("one");
      const handle = yield* handles.get("a");
      const nested = handle.runTurn(() => handle.runTurn(() => Effect.void));
      const exit = yield* Effect.exit(nested);
      expect(String(exit)).toContain("a turn of a waits for a turn behind itself");
      // What it begins beside itself waits for nobody that waits for it.
      let next: Fiber.RuntimeFiber<string, unknown> | null = null;
      yield* handle.runTurn(() =>
        Effect.map(Effect.forkScoped(handle.runTurn(() => Effect.succeed("behind"))), (fiber) => {
          next = fiber;
        }),
      );
      expect(next === null ? null : yield* Fiber.join(next)).toBe("behind");
    }),
  );
});

describe("an interrupted turn", () => {
  for (const [cause, expected] of [
    ["user_stop", "TurnInterrupted"],
    ["client_gone", "TurnInterrupted"],
    ["closing", "Closing"],
    ["lease_lost", "LeaseLost"],
    ["lease_takeover", "LeaseLost"],
  ] as const) {
    it.scoped(`by ${cause} is ${expected}, and what waited behind it is told and never runs`, () =>
      Effect.gen(function* () {
        const home = yield* turnHome();
        const { handles } = yield* home.hosting("one");
        const handle = yield* handles.get("a");
        const held = yield* heldTurn(handle);
        let ran = 0;
        const body = () =>
          Effect.sync(() => {
            ran += 1;
          });
        const waiting = yield* Effect.forEach([1, 2, 3], () =>
          Effect.fork(told(handle.runTurn(body))),
        );
        yield* settle;
        expect(yield* handle.interrupt(cause)).toBe(true);
        expect((yield* Effect.flip(Fiber.join(held.fiber))) as object).toMatchObject({
          _tag: expected,
        });
        const answers = yield* Effect.forEach(waiting, Fiber.join);
        expect([answers, ran]).toEqual([Array(3).fill("TurnInterrupted"), 0]);
        expect(yield* handle.interrupt(cause)).toBe(false);
      }),
    );
  }

  it.scoped(
    "that settles refuses the next with the time by which it is over, or is waited for",
    () =>
      Effect.gen(function* () {
        const home = yield* turnHome();
        const { handles } = yield* home.hosting("one");
        const handle = yield* handles.get("a");
        const held = yield* heldTurn(handle, { stubborn: true });
        const settlesBy = (yield* TestClock.currentTimeMillis) + 5000;
        yield* handle.interrupt("client_gone");
        const refused = yield* Effect.flip(handle.runTurn(() => Effect.void));
        expect(refused).toMatchObject({ _tag: "InterruptSettling", settlesBy });
        const options = { waitForSettle: true };
        const waits = yield* Effect.fork(handle.runTurn(() => Effect.succeed("in"), options));
        yield* settle;
        expect(yield* runs(waits)).toBe(true);
        yield* held.open;
        expect(yield* Fiber.join(waits)).toBe("in");
      }),
  );

  it.scoped("that did not settle in time is a turn that runs on: the next one waits for it", () =>
    Effect.gen(function* () {
      const home = yield* turnHome();
      const { handles } = yield* home.hosting("one");
      const handle = yield* handles.get("a");
      const held = yield* heldTurn(handle, { stubborn: true });
      yield* handle.interrupt("user_stop");
      yield* TestClock.adjust("4999 millis");
      expect(yield* told(handle.runTurn(() => Effect.void))).toBe("InterruptSettling");
      yield* TestClock.adjust("1 millis");
      const next = yield* Effect.fork(handle.runTurn(() => Effect.succeed("in")));
      yield* settle;
      expect(yield* runs(next)).toBe(true);
      yield* held.open;
      expect(yield* Fiber.join(next)).toBe("in");
    }),
  );

  it.scoped("that is asked to stop before its first step takes none", () =>
    Effect.gen(function* () {
      const home = yield* turnHome();
      const { handles } = yield* home.hosting("one");
      const handle = yield* handles.get("a");
      let answered = 0;
      // Whatever the program does between two of its steps comes there.
      for (let yields = 0; yields < 80; yields++) {
        let began = false;
        const body = Effect.zipRight(
          Effect.sync(() => {
            began = true;
          }),
          Effect.never,
        );
        const slow = Effect.withMaxOpsBeforeYield(20)(told(handle.runTurn(() => body)));
        const turn = yield* Effect.fork(slow);
        yield* Effect.repeatN(Effect.yieldNow(), yields);
        const hadBegun = began;
        if (yield* handle.interrupt("user_stop")) {
          answered += 1;
          expect(yield* Fiber.join(turn)).toBe("TurnInterrupted");
          expect(began).toBe(hadBegun);
        }
        yield* Fiber.interrupt(turn);
      }
      expect(answered).toBeGreaterThan(0);
    }),
  );

  it.scoped("is not met by an interrupt for the one before it", () =>
    Effect.gen(function* () {
      const home = yield* turnHome();
      const { handles } = yield* home.hosting("one");
      const handle = yield* handles.get("a");
      const late = yield* handle.runTurn((turn) => Effect.succeed(turn));
      const held = yield* heldTurn(handle);
      expect(yield* late.interrupt("user_stop")).toBe(false);
      yield* late.touch;
      yield* late.child(null);
      yield* settle;
      expect(yield* runs(held.fiber)).toBe(true);
      yield* held.open;
      yield* Fiber.join(held.fiber);
    }),
  );
});
