/**
 * Taking a lease over because somebody said so: who is waited for, who is not, and what the old
 * holder may do behind it.
 */
import { describe, expect, it } from "@effect/vitest";
import { Effect, Fiber, Option, TestClock } from "effect";
import { pass } from "./FakeHome.js";
import { heldTurn, runs, settle, type TurnHome, told, turnHome } from "./TurnHome.js";

const lost = ({ store }: TurnHome) =>
  store.events.flatMap(({ body }) =>
    body.type === "lease" ? [`${body.state} of ${body.holder} at ${body.epoch}`] : [],
  );

describe("a takeover", () => {
  it.scoped("of a name that nobody holds is a claim, and tells nothing", () =>
    Effect.gen(function* () {
      const home = yield* turnHome();
      const { handles, sessions } = yield* home.hosting("one");
      const handle = yield* handles.takeOver("a", { surface: "desk" });
      expect(home.leased()).toEqual(["a 1 desk"]);
      yield* pass(handle.runTurn((_, lease) => sessions.under(lease).send("mine")));
      expect([home.got, lost(home)]).toEqual([["mine"], []]);
      yield* handle.end("explicit_close");
      expect(home.leased()).toEqual([]);
    }),
  );

  it.scoped("is of a session that is there", () =>
    Effect.gen(function* () {
      const home = yield* turnHome();
      const { handles } = yield* home.hosting("one");
      expect(yield* told(handles.takeOver("never"))).toBe("NotFound");
      expect(yield* told(handles.takeOver("no name"))).toBe("InvalidName");
      yield* pass(home.sessions.delete("a"));
      expect(yield* told(handles.takeOver("a", { force: true }))).toBe("NotFound");
    }),
  );

  it.scoped(
    "of a holder who lives and runs nothing is done at once, and he runs nothing more",
    () =>
      Effect.gen(function* () {
        const home = yield* turnHome();
        const one = yield* home.hosting("one");
        const two = yield* home.hosting("two");
        const old = yield* one.handles.get("a");
        yield* old.runTurn(() => Effect.void);
        const next = yield* two.handles.takeOver("a");
        expect([home.leased(), lost(home)]).toEqual([["a 2 session"], ["taken of one at 1"]]);
        expect(yield* told(old.runTurn(() => Effect.void))).toBe("LeaseLost");
        expect(yield* told(pass(next.runTurn(() => Effect.void)))).toBe(undefined);
      }),
  );

  it.scoped("of a sibling in the same program that runs nothing tells him at once", () =>
    Effect.gen(function* () {
      const home = yield* turnHome();
      const { handles } = yield* home.hosting("one");
      const old = yield* handles.get("a");
      yield* old.runTurn(() => Effect.void);
      const next = yield* handles.takeOver("a");
      expect([yield* old.state, yield* next.state]).toEqual(["lost", "open"]);
      expect(home.leased()).toEqual(["a 2 session"]);
    }),
  );

  it.scoped("tells the turn that it cut off, and the next one, who has the name now", () =>
    Effect.gen(function* () {
      const home = yield* turnHome();
      const one = yield* home.hosting("one");
      const two = yield* home.hosting("two");
      const old = yield* one.handles.get("a");
      const held = yield* heldTurn(old);
      yield* pass(two.handles.takeOver("a", { force: true }));
      const now = { _tag: "LeaseLost", held: 1, current: 2, holder: "two" };
      expect(yield* Effect.flip(Fiber.join(held.fiber))).toMatchObject(now);
      expect(yield* Effect.flip(old.runTurn(() => Effect.void))).toMatchObject(now);
      expect(yield* Effect.flip(old.end("explicit_delete"))).toMatchObject(now);
    }),
  );

  it.scoped("of a holder who died is done at once, and tells nobody", () =>
    Effect.gen(function* () {
      const home = yield* turnHome();
      const one = yield* home.hosting("one");
      const two = yield* home.hosting("two");
      const old = yield* one.handles.get("a");
      yield* heldTurn(old);
      yield* home.store.declare("one", "dead");
      yield* two.handles.takeOver("a");
      expect([home.leased(), lost(home)]).toEqual([["a 2 session"], []]);
    }),
  );

  it.scoped("waits for the turn of a holder who lives, and not a look longer", () =>
    Effect.gen(function* () {
      const home = yield* turnHome();
      const one = yield* home.hosting("one");
      const two = yield* home.hosting("two");
      const held = yield* heldTurn(yield* one.handles.get("a"));
      const taking = yield* Effect.fork(two.handles.takeOver("a", { waitMs: 2_000 }));
      yield* TestClock.adjust("1900 millis");
      expect([yield* runs(taking), yield* runs(held.fiber)]).toEqual([true, true]);
      yield* held.open;
      yield* settle;
      yield* TestClock.adjust("100 millis");
      yield* settle;
      yield* Fiber.join(taking);
      expect([home.leased(), lost(home)]).toEqual([["a 2 session"], ["taken of one at 1"]]);
    }),
  );

  it.scoped(
    "of a turn that does not end is refused at its time, with who runs it, and no sooner",
    () =>
      Effect.gen(function* () {
        const home = yield* turnHome();
        const one = yield* home.hosting("one");
        const two = yield* home.hosting("two");
        const held = yield* heldTurn(yield* one.handles.get("a", { surface: "agent" }));
        const at = yield* Effect.flip(two.handles.takeOver("a"));
        expect(at).toMatchObject({
          _tag: "LeaseHeld",
          holder: { owner: "one", holder: "alive", surface: "agent" },
        });
        const taking = yield* Effect.fork(told(two.handles.takeOver("a", { waitMs: 1_000 })));
        yield* TestClock.adjust("999 millis");
        expect(yield* runs(taking)).toBe(true);
        yield* TestClock.adjust("1 millis");
        expect(yield* told(Fiber.join(taking))).toBe("LeaseHeld");
        expect([home.leased(), lost(home), yield* runs(held.fiber)]).toEqual([
          ["a 1 agent"],
          [],
          true,
        ]);
      }),
  );

  it.scoped("waits for a child that runs the turn of a program that died", () =>
    Effect.gen(function* () {
      const home = yield* turnHome();
      const one = yield* home.hosting("one");
      const two = yield* home.hosting("two");
      const child = { pid: 99, startTime: 5, bootId: "boot" };
      const handle = yield* one.handles.get("a");
      yield* Effect.forkScoped(
        handle.runTurn((turn) => Effect.zipRight(turn.child(child), Effect.never)),
      );
      yield* settle;
      yield* home.store.declare("one", "dead");
      expect(yield* told(two.handles.takeOver("a"))).toBe("LeaseHeld");
      yield* two.handles.takeOver("a", { force: true });
      expect([home.leased(), lost(home)]).toEqual([["a 2 session"], ["taken of one at 1"]]);
    }),
  );

  it.scoped("pauses between two tries, also where the look alone would let it", () =>
    Effect.gen(function* () {
      let tries = 0;
      const home = yield* turnHome({
        registry: (real) => ({
          ...real,
          leaseOf: (session) =>
            Effect.map(
              real.leaseOf(session),
              Option.map((view) => ({ ...view, turn: null })),
            ),
          claimLease: (request) =>
            Effect.suspend(() => {
              if (request.over !== undefined) tries += 1;
              return real.claimLease(request);
            }),
        }),
      });
      const one = yield* home.hosting("one");
      const two = yield* home.hosting("two");
      yield* heldTurn(yield* one.handles.get("a"));
      const taking = yield* Effect.fork(told(two.handles.takeOver("a", { waitMs: 1_000 })));
      yield* TestClock.adjust("1 second");
      expect([yield* Fiber.join(taking), tries]).toEqual(["LeaseHeld", 11]);
    }),
  );

  it.scoped("that is interrupted while it waits has changed nothing", () =>
    Effect.gen(function* () {
      const home = yield* turnHome();
      const one = yield* home.hosting("one");
      const two = yield* home.hosting("two");
      yield* heldTurn(yield* one.handles.get("a"));
      const taking = yield* Effect.fork(two.handles.takeOver("a", { waitMs: 2_000 }));
      yield* TestClock.adjust("1 second");
      yield* Fiber.interrupt(taking);
      expect(home.leased()).toEqual(["a 1 session"]);
    }),
  );
});

describe("a takeover by force", () => {
  it.scoped("interrupts the turn of the holder as lost, and refuses what he asks for", () =>
    Effect.gen(function* () {
      const home = yield* turnHome();
      const one = yield* home.hosting("one");
      const two = yield* home.hosting("two");
      const old = yield* one.handles.get("a");
      const held = yield* heldTurn(old);
      const [stale] = yield* one.leases.all;
      const next = yield* two.handles.takeOver("a", { force: true });
      expect(yield* told(Fiber.join(held.fiber))).toBe("LeaseLost");
      yield* pass(next.runTurn((_, lease) => two.sessions.under(lease).send("new")));
      if (stale === undefined) return yield* Effect.dieMessage("no lease");
      expect(yield* told(pass(one.sessions.under(stale).send("old")))).toBe("LeaseLost");
      expect([home.got, lost(home)]).toEqual([["new"], ["taken of one at 1"]]);
    }),
  );

  it.scoped(
    "of a sibling in the same program does the same, and leaves him nothing to release",
    () =>
      Effect.gen(function* () {
        const home = yield* turnHome();
        const { handles } = yield* home.hosting("one");
        const old = yield* handles.get("a", { surface: "old" });
        const held = yield* heldTurn(old);
        const next = yield* handles.takeOver("a", { surface: "new", force: true });
        expect(yield* told(Fiber.join(held.fiber))).toBe("LeaseLost");
        expect([yield* old.state, yield* next.state]).toEqual(["lost", "open"]);
        yield* old.end("explicit_close");
        expect([home.leased(), yield* handles.get("a")]).toEqual([["a 2 new"], next]);
      }),
  );

  it.scoped("of a name that is given back is of nobody, and the old holder may begin anew", () =>
    Effect.gen(function* () {
      const home = yield* turnHome();
      const one = yield* home.hosting("one");
      const two = yield* home.hosting("two");
      yield* heldTurn(yield* one.handles.get("a"));
      const next = yield* two.handles.takeOver("a", { force: true });
      yield* next.end("explicit_close");
      expect(home.leased()).toEqual([]);
      yield* settle;
      const again = yield* one.handles.get("a");
      yield* again.runTurn(() => Effect.void);
      expect(home.leased()).toEqual(["a 3 session"]);
    }),
  );
});
