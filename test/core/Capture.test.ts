/**
 * Capture: what a terminal shows, of the pane that was made for it, and whether there is more.
 */
import { describe, expect, it } from "@effect/vitest";
import { Effect } from "effect";
import { fakeHome, pass, sleep } from "./FakeHome.js";

const printing = (count: number) => {
  const lines = Array.from({ length: count }, (_, i) => `echo ${i}`).join("; ");
  return { cwd: "/", command: ["sh", "-c", `${lines}; exec sleep 1000`] };
};

describe("a capture", () => {
  it.scoped("has history and screen, the newest lines, of the pane that we made", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* pass(home.sessions.create({ session: "a", ...printing(9) }));
      const shown = yield* home.sessions.capture("a", { lines: 3 });
      const own = { generation: 1, terminal: "main", keptAt: null };
      expect(shown).toEqual({ text: "6\n7\n8", truncated: true, first: 7, ...own });
    }),
  );

  it.scoped("of all is whole, and longer than a screen", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* pass(home.sessions.create({ session: "a", ...printing(70), rows: 10 }));
      const { text, truncated } = yield* home.sessions.capture("a", { lines: null });
      expect([text.split("\n").length, truncated]).toEqual([70, false]);
    }),
  );

  it.scoped("of a full history is never said to be whole", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* pass(home.sessions.create({ session: "first", ...sleep }));
      yield* home.tmux.client(["set-option", "-g", "history-limit", "20"]);
      yield* pass(home.sessions.create({ session: "a", ...printing(70), rows: 10 }));
      const { text, truncated } = yield* home.sessions.capture("a", { lines: null });
      expect(text.split("\n").at(-1)).toBe("69");
      expect(truncated).toBe(true);
    }),
  );

  it.scoped("joins what was wrapped when it is asked to", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      const command = ["sh", "-c", `echo ${"x".repeat(25)}; exec sleep 1000`];
      yield* pass(home.sessions.create({ session: "a", cwd: "/", command, columns: 20 }));
      const lengths = (join: boolean) =>
        Effect.map(home.sessions.capture("a", { join }), ({ text }) =>
          text.split("\n").map(({ length }) => length),
        );
      expect(yield* lengths(false)).toEqual([20, 5]);
      expect(yield* lengths(true)).toEqual([25]);
    }),
  );

  it.scoped("is of the terminal that is named, and one that is not there is NotFound", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* pass(home.sessions.create({ session: "a", ...printing(1) }));
      yield* pass(home.sessions.addTerminal({ session: "a", ...printing(2) }));
      expect((yield* home.sessions.capture("a", { terminal: "t2" })).text).toBe("0\n1");
      expect((yield* home.sessions.capture("a")).text).toBe("0");
      const missing = yield* Effect.flip(home.sessions.capture("a", { terminal: "t3" }));
      expect(missing).toMatchObject({ _tag: "NotFound", terminal: "t3" });
      yield* home.tmux.client(["kill-window", "-t", "=a:t2"]);
      const gone = yield* Effect.flip(home.sessions.capture("a", { terminal: "t2" }));
      expect(gone).toMatchObject({ _tag: "NotFound", terminal: "t2", state: null });
    }),
  );

  it.scoped("of what has ended is what it showed then, and says so, until gc", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* pass(home.sessions.create({ session: "a", ...printing(1) }));
      yield* pass(home.sessions.addTerminal({ session: "a", ...printing(9) }));
      yield* pass(home.sessions.deleteTerminal("a", "t2"));
      const keptAt = expect.any(Number);
      expect(yield* home.sessions.capture("a", { terminal: "t2", lines: 3 })).toEqual({
        ...{ text: "6\n7\n8", truncated: true, first: 7 },
        ...{ generation: 1, terminal: "t2", keptAt },
      });
      yield* pass(home.sessions.delete("a"));
      const whole = { text: "0", truncated: false, first: 1, terminal: "main", keptAt };
      expect(yield* home.sessions.capture("a")).toMatchObject(whole);
      expect(yield* home.sessions.capture("a", { lines: 0 })).toMatchObject({
        text: "",
        first: null,
      });
      yield* pass(home.sessions.gc({ olderThanMs: 0 }));
      expect((yield* Effect.flip(home.sessions.capture("a")))._tag).toBe("NotFound");
    }),
  );

  it.scoped("of a newer one of the name is never the snapshot of an older one", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* pass(home.sessions.create({ session: "a", ...printing(1) }));
      yield* pass(home.sessions.delete("a"));
      yield* pass(home.sessions.create({ session: "a", ...printing(2) }));
      yield* home.tmux.client(["kill-server"]);
      const lost = yield* Effect.flip(home.sessions.capture("a"));
      expect(lost).toMatchObject({ _tag: "NotFound", state: "lost" });
    }),
  );

  it.scoped(
    "of a generation whose number was used before a registry was lost is not that one",
    () =>
      Effect.gen(function* () {
        const home = yield* fakeHome();
        yield* pass(home.sessions.create({ session: "a", ...printing(1) }));
        yield* pass(home.sessions.delete("a"));
        const { claims, records } = home.store;
        for (const table of [claims, records]) table.clear();
        yield* pass(home.sessions.create({ session: "a", ...sleep }));
        yield* home.tmux.client(["kill-session", "-t", "=a"]);
        yield* pass(home.sessions.reconcile("a"));
        expect(yield* home.rows).toEqual(["a/1 lost"]);
        const failure = yield* Effect.flip(home.sessions.capture("a"));
        expect(failure).toMatchObject({ _tag: "NotFound" });
      }),
  );
});
