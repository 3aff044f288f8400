/**
 * The tmux clients of a session: those of this one, whoever they are; none is a fact and not a
 * guess.
 */
import { describe, expect, it } from "@effect/vitest";
import { Effect } from "effect";
import { fakeHome, pass, sleep } from "./FakeHome.js";
import { told } from "./TurnHome.js";

const home = Effect.gen(function* () {
  const made = yield* fakeHome();
  for (const session of ["a", "b"]) yield* pass(made.sessions.create({ session, ...sleep }));
  return made;
});

const names = (clients: ReadonlyArray<{ readonly name: string }>) =>
  clients.map(({ name }) => name).sort();

describe("the clients of a session", () => {
  it.scoped("are those that show it, and no other session's", () =>
    Effect.gen(function* () {
      const { sessions, tmux } = yield* home;
      yield* tmux.attach("a", "/dev/pts/1");
      yield* tmux.attach("a", "/dev/pts/2");
      yield* tmux.attach("b", "/dev/pts/3");
      expect(names(yield* sessions.clients("a"))).toEqual(["/dev/pts/1", "/dev/pts/2"]);
      yield* tmux.detach("/dev/pts/1");
      expect(names(yield* sessions.clients("a"))).toEqual(["/dev/pts/2"]);
    }),
  );

  it.scoped("are none of one that vanished, or whose server died", () =>
    Effect.gen(function* () {
      const { sessions, tmux } = yield* home;
      yield* tmux.client(["kill-session", "-t", "=a"]);
      expect(yield* sessions.clients("a")).toEqual([]);
      yield* tmux.crash;
      expect(yield* sessions.clients("b")).toEqual([]);
    }),
  );

  it.scoped("cannot be found out where tmux does not answer, or its socket is gone", () =>
    Effect.gen(function* () {
      const { sessions, tmux } = yield* home;
      yield* tmux.denySocket(true);
      expect(yield* told(sessions.clients("a"))).toBe("LookupFailed");
      yield* tmux.denySocket(false);
      yield* tmux.unlinkSocket;
      expect(yield* told(sessions.clients("a"))).toBe("LookupFailed");
    }),
  );

  it.scoped("of a name that was never used, or has ended, are nobody's", () =>
    Effect.gen(function* () {
      const { sessions } = yield* home;
      yield* pass(sessions.delete("a"));
      for (const name of ["a", "never"]) {
        expect(yield* told(sessions.clients(name))).toBe("NotFound");
      }
    }),
  );
});
