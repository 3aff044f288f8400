/**
 * A tmux server that hangs at the worst moment: a change has been intended, and its list is on the
 * way.
 *
 * Method: the server is stopped by SIGSTOP between the intent and the list. Then either its client
 * dies at the deadline, as always, or the list is held back and handed in much later, as if the
 * client had outlived us. Each list that the fence refuses is handed in once more without the
 * fence, where it must do what it was refused.
 */
import { join } from "node:path";
import { describe, expect, it } from "@effect/vitest";
import type { Sessions } from "@troupe/core";
import { Duration, Effect, Fiber } from "effect";
import { exitRow } from "../../examples/cli/src/ExitCode.js";
import { lives } from "../support/Processes.js";
import { rowsOf } from "../support/Rows.js";
import { hungServer } from "./HungServer.js";
import { type RealHome, realHome } from "./RealHome.js";

const sleep = { command: ["sleep", "600"], cwd: "/" };
const deadlineMs = 700;
const killBoundMs = 2_500;
// What is held up is the client of one list.
const hurried = { deadlineMs, connection: false, settings: { killBoundMs } };

/** The last look begins at the bound, is two calls at most, and the rest is a slow machine. */
const boundMs = killBoundMs + 2 * deadlineMs + 4_000;

const panePid = (view: {
  readonly terminals: ReadonlyArray<{ readonly panePid: number | null }>;
}) => view.terminals[0]?.panePid ?? 0;

/** The session is as it was made: its row, tmux and its program say so. */
const expectRunning = Effect.fnUntraced(function* (
  sessions: Sessions["Type"],
  made: Effect.Effect.Success<ReturnType<Sessions["Type"]["create"]>>,
) {
  const now = yield* sessions.get(made.session);
  expect([now.state, now.seen.state]).toEqual(["running", "present"]);
  expect(now.generation).toBe(made.generation);
  expect(panePid(now)).toBe(panePid(made));
  expect(lives(panePid(made))).toBe(true);
});

/** Hands the list in without the fence: what tmux answers. */
const unfenced = (home: RealHome, list: string) => {
  home.tmux("set-option", "-su", "@troupe-fence-a");
  return home.tmux("source-file", list);
};

describe("a server that hangs behind the intent of a delete", () => {
  it.scopedLive(
    "makes it exit 6 by its deadline while another server's names go on, and then it succeeds",
    () =>
      Effect.gen(function* () {
        const [hung, other] = [yield* realHome, yield* realHome];
        const server = yield* hungServer(hung, "kill-session", "waits");
        const sessions = yield* hung.sessions({ tmux: server.tmux, ...hurried });
        const others = yield* other.sessions();
        yield* sessions.create({ session: "a", ...sleep });
        const neighbour = yield* sessions.create({ session: "b", ...sleep });
        const turn = Effect.gen(function* () {
          yield* others.create({ session: "c", ...sleep, startWindowMs: 0 });
          yield* others.delete("c");
        });
        const [alone] = yield* Effect.timed(turn);
        yield* server.arm;
        const deleting = yield* Effect.fork(Effect.timed(Effect.flip(sessions.delete("a"))));
        yield* server.stopped;
        expect((yield* sessions.get("a")).state).toBe("deleting");
        const beside = yield* Effect.fork(Effect.flip(sessions.delete("b")));
        let turns = 0;
        while (deleting.unsafePoll() === null) {
          yield* turn;
          if (deleting.unsafePoll() === null) turns += 1;
        }
        const [took, error] = yield* Fiber.join(deleting);
        expect([error._tag, exitRow(error).exit]).toEqual(["KillUnconfirmed", 6]);
        expect(Duration.toMillis(took)).toBeLessThan(boundMs);
        expect(turns).toBeGreaterThan(0);
        const [all, one] = [Duration.format(took), Duration.format(alone)];
        console.log(`${turns} turns beside a delete that hung for ${all}; one alone took ${one}`);
        const { reason } = { reason: null, ...(yield* Fiber.join(beside)) };
        expect(reason).toBe("timeout");
        const rows = rowsOf(join(hung.directory, "home"));
        expect((yield* Effect.flip(sessions.delete("a")))._tag).toBe("LookupFailed");
        expect(rowsOf(join(hung.directory, "home"))).toBe(rows);
        yield* server.resume;
        expect(yield* sessions.delete("a")).toMatchObject({ session: "a", generation: 1 });
        const made = yield* sessions.create({ session: "a", ...sleep });
        expect(made.generation).toBe(2);
        expect(yield* sessions.reconcileAll).toMatchObject([
          { outcome: { right: { changed: false } } },
          { outcome: { right: { changed: false } } },
        ]);
        yield* expectRunning(sessions, made);
        yield* expectRunning(sessions, neighbour);
      }),
  );

  it.scopedLive("and lets the list of its dead client in late: the next session lives on", () =>
    Effect.gen(function* () {
      const home = yield* realHome;
      const server = yield* hungServer(home, "kill-session", "held");
      const sessions = yield* home.sessions({ tmux: server.tmux, ...hurried });
      const before = yield* sessions.create({ session: "a", ...sleep });
      yield* server.arm;
      const error = yield* Effect.flip(sessions.delete("a"));
      expect(error._tag).toBe("KillUnconfirmed");
      yield* server.resume;
      yield* sessions.delete("a");
      expect(lives(panePid(before))).toBe(false);
      const made = yield* sessions.create({ session: "a", ...sleep });
      const answer = yield* server.letGo;
      expect(answer).toMatch(/^T1 .*\nREFUSED 0\nL /);
      // Without the fence it is refused for another reason: this is not the session it was for.
      expect(unfenced(home, server.heldList)).toMatch(/^T1 .*\nREFUSED 1\nL /);
      yield* expectRunning(sessions, made);
    }),
  );

  it.scopedLive(
    "is overtaken with force by another program, and the list that was held up does nothing",
    () =>
      Effect.gen(function* () {
        const home = yield* realHome;
        const server = yield* hungServer(home, "kill-session", "held");
        const slow = yield* home.sessions({
          tmux: server.tmux,
          deadlineMs: 30_000,
          connection: false,
        });
        const settings = { claimWaitMs: 100 };
        const quick = yield* home.sessions({ settings });
        yield* slow.create({ session: "a", ...sleep });
        yield* server.arm;
        const deleting = yield* Effect.fork(Effect.flip(slow.delete("a")));
        yield* server.stopped;
        yield* server.resume;
        expect(yield* Effect.flip(quick.delete("a"))).toMatchObject({
          _tag: "Busy",
          reason: "claimed",
        });
        yield* quick.delete("a", { force: true });
        const made = yield* quick.create({ session: "a", ...sleep });
        expect(yield* server.letGo).toMatch(/^T1 .*\nREFUSED 0\nL /);
        expect(yield* Fiber.join(deleting)).toMatchObject({ _tag: "Busy", reason: "overtaken" });
        yield* expectRunning(quick, made);
      }),
  );
});

describe("a server that hangs behind the intent of a create", () => {
  it.scopedLive("gets the list late, when the name is free again, and makes nothing of it", () =>
    Effect.gen(function* () {
      const home = yield* realHome;
      const server = yield* hungServer(home, "new-session", "held");
      const sessions = yield* home.sessions({ tmux: server.tmux, ...hurried });
      yield* sessions.create({ session: "b", ...sleep });
      yield* server.arm;
      const error = yield* Effect.flip(sessions.create({ session: "a", ...sleep }));
      expect(error).toMatchObject({ _tag: "KillUnconfirmed" });
      expect((yield* sessions.get("a")).state).toBe("creating");
      yield* server.resume;
      const reconciled = yield* sessions.reconcile("a");
      expect(reconciled).toMatchObject({ before: "creating", after: "failed" });
      const next = yield* sessions.create({ session: "a", ...sleep });
      expect(next.generation).toBe(2);
      yield* sessions.delete("a");
      expect(yield* server.letGo).toBe("REFUSED 0");
      const names = ["list-sessions", "-F", "#{session_name}"];
      expect(home.tmux(...names)).toBe("b");
      expect(unfenced(home, server.heldList)).toContain("CREATED");
      expect(home.tmux(...names)).toBe("a\nb");
    }),
  );
});
