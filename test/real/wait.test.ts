/**
 * Waiting on a real tmux: what is printed is noticed, a flood costs little, a pattern that would
 * never end is cut off, and a server that hangs does not hold up a deadline.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@effect/vitest";
import { Duration, Effect, Fiber } from "effect";
import { waitFor } from "../support/Waiting.js";
import { realHome } from "./RealHome.js";

const sh = (script: string) => ({ command: ["sh", "-c", script], cwd: "/", startWindowMs: 0 });

const untilGo = 'while [ ! -e "$HOME/go" ]; do sleep 0.02; done';

describe("on a real tmux a wait", () => {
  it.scopedLive("is told of a prompt that no line ends, and of one that scrolled away", () =>
    Effect.gen(function* () {
      const home = yield* realHome;
      const sessions = yield* home.sessions();
      const script = `printf 'begin\\n'; ${untilGo}; echo marked; seq 3000; printf '$ '; exec cat`;
      yield* sessions.create({ session: "a", ...sh(script) });
      yield* sessions.wait("a", { text: "begin" });
      const waits = yield* Effect.fork(
        Effect.all(
          [
            sessions.wait("a", { regex: "^\\$ $" }),
            sessions.wait("a", { text: "$ " }),
            sessions.wait("a", { text: "marked" }),
          ],
          { concurrency: "unbounded" },
        ),
      );
      writeFileSync(join(home.directory, "go"), "");
      const [regex, text, marked] = yield* Fiber.join(waits);
      expect([regex.line, text.line, marked.line]).toEqual(["$", "$", "marked"]);
      expect(regex.number).toBe(3_003);
    }),
  );

  it.scopedLive("of a flood ends with it, and with how its program did", () =>
    Effect.gen(function* () {
      const home = yield* realHome;
      const sessions = yield* home.sessions();
      // A program that ends right behind its output may take some of it along: tmux drops that.
      yield* sessions.create({ session: "a", ...sh(`seq 60000; ${untilGo}; kill -9 $$`) });
      const exiting = yield* Effect.fork(sessions.wait("a", { exit: true }));
      expect((yield* sessions.wait("a", { text: "60000" })).line).toBe("60000");
      writeFileSync(join(home.directory, "go"), "");
      // A server that missed the end of a program learns how it ended with that of another.
      const status = () => home.tmux("display-message", "-p", "-t", "=a:", "#{pane_dead_signal}");
      const known = () => home.tmux("run-shell", "-b", "true") === "" && status() === "9";
      yield* Effect.promise(() => waitFor("the signal in tmux", known));
      expect((yield* Fiber.join(exiting)).exit).toMatchObject({ code: null, signal: 9 });
      const never = yield* Effect.flip(sessions.wait("a", { text: "never" }));
      expect(never).toMatchObject({ _tag: "WaitTimeout", reason: "ended", exit: { signal: 9 } });
    }),
  );

  it.scopedLive("by a pattern that would take for ever fails, and holds nobody up", () =>
    Effect.gen(function* () {
      const home = yield* realHome;
      const sessions = yield* home.sessions();
      yield* sessions.create({ session: "a", ...sh(`echo ${"a".repeat(60)}b; exec sleep 600`) });
      yield* sessions.wait("a", { text: "aab" });
      const failure = yield* Effect.flip(sessions.wait("a", { regex: "^(a+)+$" }));
      expect(failure).toMatchObject({ _tag: "InvalidCondition", attempted: "wait" });
      expect(failure.message).toContain("takes too long");
    }),
  );

  it.scopedLive(
    "on a server that hangs is over at its deadline, as one that could not be had",
    () =>
      Effect.gen(function* () {
        const home = yield* realHome;
        const sessions = yield* home.sessions();
        yield* sessions.create({ session: "a", ...sh("exec sleep 600") });
        const server = Number(home.tmux("display-message", "-p", "#{pid}"));
        yield* Effect.acquireRelease(
          Effect.sync(() => process.kill(server, "SIGSTOP")),
          () => Effect.sync(() => process.kill(server, "SIGCONT")),
        );
        const waited = sessions.wait("a", { text: "x" }, { timeoutMs: 700 });
        const [duration, failure] = yield* Effect.timed(Effect.flip(waited));
        expect(failure).toMatchObject({ _tag: "LookupFailed", reason: "timeout" });
        // A call to tmux alone would take three seconds.
        expect(Duration.toMillis(duration)).toBeLessThan(2_500);
      }),
  );
});
