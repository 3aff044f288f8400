/**
 * The end of a writer whose last client left: when, by what it is put off, and that it is one.
 *
 * Method: a fake machine on the test's clock, which is asked at the millisecond before and behind.
 */
import { describe, expect, it } from "@effect/vitest";
import { Effect, Exit, Fiber, Scope } from "effect";
import { attachHome, come, later, stateOf } from "./AttachHome.js";
import { logInto } from "./LoggedLines.js";
import { settle } from "./TurnHome.js";

const minutes = 60;
const hours = 3600;

/** A writer whose client left just now. */
const left = (options: Parameters<typeof attachHome>[0] = {}) =>
  Effect.gen(function* () {
    const home = yield* attachHome(options);
    const client = yield* come(home.handle, "c");
    yield* client.leave;
    return home;
  });

describe("grace", () => {
  it.scoped("is 20 s and not a millisecond less, and the session lives", () =>
    Effect.gen(function* () {
      const home = yield* left();
      yield* home.handle.runTurn(() => Effect.void);
      yield* later(19.999);
      expect([yield* stateOf(home.handle), home.leased()]).toEqual(["Detached 1", ["a 1 session"]]);
      yield* later(0.001);
      expect([yield* stateOf(home.handle), home.leased()]).toEqual(["Gone orphan_reap", []]);
      expect([yield* home.rows, yield* home.inTmux]).toEqual([["a/1 running"], ["a"]]);
      expect(home.announced.map(({ reason }) => reason)).toEqual(["orphan_reap"]);
    }),
  );

  it.scoped("of 0 never ends", () =>
    Effect.gen(function* () {
      const settings = { orphanGraceMs: 0, idleReleaseMs: 0 };
      const { handle } = yield* left({ settings });
      yield* later(30 * 24 * hours);
      expect(yield* stateOf(handle)).toBe("Detached 1");
    }),
  );

  it.scoped("is time awake: 5 s, ten minutes of sleep, and 15 s more", () =>
    Effect.gen(function* () {
      const home = yield* left();
      yield* later(5);
      yield* home.suspend("10 minutes");
      yield* settle;
      expect(yield* stateOf(home.handle)).toBe("Detached 1");
      yield* later(14.999);
      expect(yield* stateOf(home.handle)).toBe("Detached 1");
      yield* later(0.001);
      expect(yield* stateOf(home.handle)).toBe("Gone orphan_reap");
    }),
  );

  it.scoped("is over for who comes back a moment before its end, also behind a sleep", () =>
    Effect.gen(function* () {
      const home = yield* left();
      yield* later(19);
      yield* home.suspend("1 hour");
      yield* later(0.999);
      yield* come(home.handle, "c");
      yield* later(1 * hours);
      expect(yield* stateOf(home.handle)).toBe("Attached 1 c");
    }),
  );

  it.scoped("begins for a writer that is made for who may come back", () =>
    Effect.gen(function* () {
      const home = yield* attachHome();
      const restored = yield* home.one.handles.get("a", { anew: true, expectsClient: true });
      yield* later(20);
      expect([yield* stateOf(restored), yield* stateOf(home.handle)]).toEqual([
        "Gone orphan_reap",
        "Unattended 0",
      ]);
    }),
  );
});

describe("what is late", () => {
  it.scoped("is nothing to the next detachment, which has a grace of its own", () =>
    Effect.gen(function* () {
      const home = yield* left();
      yield* later(19);
      const again = yield* come(home.handle, "c");
      yield* again.leave;
      yield* later(19.999);
      expect(yield* stateOf(home.handle)).toBe("Detached 2");
      yield* later(0.001);
      expect(yield* stateOf(home.handle)).toBe("Gone orphan_reap");
    }),
  );

  it.scoped("never piles up: a thousand flaps are one grace and no announcement", () =>
    Effect.gen(function* () {
      const home = yield* left();
      for (let flap = 0; flap < 1000; flap++) {
        const again = yield* come(home.handle, "c");
        yield* again.leave;
      }
      yield* settle;
      expect(home.announced).toEqual([]);
      yield* later(20);
      expect(yield* stateOf(home.handle)).toBe("Gone orphan_reap");
      expect(home.announced).toHaveLength(1);
    }),
  );
});

describe("a tmux client of somebody", () => {
  it.scoped("puts it off for as long as it looks, and the grace begins behind it", () =>
    Effect.gen(function* () {
      const home = yield* attachHome();
      yield* home.tmux.attach("a", "/dev/pts/9");
      const client = yield* come(home.handle, "c");
      yield* client.leave;
      yield* later(20 * minutes);
      expect(yield* home.handle.attachment).toMatchObject({
        _tag: "Detached",
        deferred: "native-tmux-client",
      });
      yield* later(10);
      yield* home.tmux.detach("/dev/pts/9");
      yield* later(20);
      expect(yield* stateOf(home.handle)).toBe("Detached 1");
      yield* later(10);
      expect(yield* stateOf(home.handle)).toBe("Gone orphan_reap");
    }),
  );

  it.scoped("is seen beside work, and has the grace behind it when both go", () =>
    Effect.gen(function* () {
      const home = yield* attachHome();
      yield* home.tmux.attach("a", "/dev/pts/1");
      const work = yield* Scope.make();
      yield* Scope.extend(home.handle.busy, work);
      const client = yield* come(home.handle, "c");
      yield* client.leave;
      yield* later(59);
      yield* Scope.close(work, Exit.void);
      yield* home.tmux.detach("/dev/pts/1");
      yield* later(20.999);
      expect(yield* stateOf(home.handle)).toBe("Detached 1");
      yield* later(0.001);
      expect(yield* stateOf(home.handle)).toBe("Gone orphan_reap");
    }),
  );

  it.scoped("may be there while nobody can look: nothing is ended, and that is said once", () =>
    Effect.gen(function* () {
      const lines: Array<string> = [];
      yield* logInto(
        lines,
        Effect.gen(function* () {
          const home = yield* left();
          yield* home.tmux.denySocket(true);
          yield* later(10 * minutes);
          expect(yield* home.handle.attachment).toMatchObject({
            _tag: "Detached",
            deferred: "native-tmux-client-unknown",
          });
          yield* home.tmux.denySocket(false);
          yield* later(40);
          expect(yield* stateOf(home.handle)).toBe("Gone orphan_reap");
        }),
      );
      expect(lines).toEqual([expect.stringContaining("stays: native-tmux-client-unknown")]);
    }),
  );

  it.scoped("is none of a session that is proved to be gone", () =>
    Effect.gen(function* () {
      const home = yield* left();
      yield* home.tmux.client(["kill-session", "-t", "=a"]);
      yield* later(20);
      expect(yield* stateOf(home.handle)).toBe("Gone orphan_reap");
    }),
  );
});

describe("work in the background", () => {
  it.scoped("that ends at 47 s puts it off to the look at 60 s", () =>
    Effect.gen(function* () {
      const home = yield* attachHome();
      const work = yield* Effect.forkScoped(
        Effect.scoped(Effect.zipRight(home.handle.busy, Effect.sleep("47 seconds"))),
      );
      yield* settle;
      const client = yield* come(home.handle, "c");
      yield* client.leave;
      yield* later(59.999);
      yield* Fiber.join(work);
      expect(yield* stateOf(home.handle)).toBe("Detached 1");
      yield* later(0.001);
      expect(yield* stateOf(home.handle)).toBe("Gone orphan_reap");
    }),
  );

  it.scoped("of which nobody knows puts it off, and is warned of once for each change", () =>
    Effect.gen(function* () {
      const lines: Array<string> = [];
      yield* logInto(
        lines,
        Effect.gen(function* () {
          const home = yield* attachHome();
          const asked = [Effect.die("gone"), Effect.fail("no"), Effect.never, Effect.succeed(true)];
          let at = 0;
          const background = Effect.suspend(() => asked[at] ?? Effect.succeed(false));
          const handle = yield* home.one.handles.get("a", { anew: true, background });
          const client = yield* come(handle, "c");
          yield* client.leave;
          const states: Array<unknown> = [];
          for (at = 0; at < asked.length; at++) {
            yield* later(10 * minutes);
            const state = yield* handle.attachment;
            states.push(state._tag === "Detached" ? state.deferred : state._tag);
          }
          expect(states).toEqual([
            ...Array.from({ length: 3 }, () => "background-work-unknown"),
            "background-work",
          ]);
          yield* later(40);
          expect(yield* stateOf(handle)).toBe("Gone orphan_reap");
        }),
      );
      expect(lines).toEqual([expect.stringContaining("stays: background-work-unknown")]);
    }),
  );
});
