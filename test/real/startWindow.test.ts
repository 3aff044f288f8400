/**
 * What a user does on a real tmux within the start window: what he moves there, or makes beside it,
 * is not taken for the terminal that is started, then or when that is deleted.
 */
import { describe, expect, it } from "@effect/vitest";
import { Effect, Fiber } from "effect";
import { lives } from "../support/Processes.js";
import { waitFor } from "../support/Waiting.js";
import { type RealHome, realHome } from "./RealHome.js";

const sleep = { command: ["sleep", "600"], cwd: "/" };

/** Long enough for what is done within it, which takes a few calls of tmux. */
const startWindowMs = 1500;

/** Sessions `a` and `b`; what is seen of `a`'s main, and of `b`'s. */
const setting = Effect.gen(function* () {
  const home = yield* realHome;
  const sessions = yield* home.sessions();
  const make = (session: string) =>
    Effect.map(sessions.create({ session, ...sleep }), ({ terminals }) => ({
      pane: terminals[0]?.paneId ?? "",
      pid: terminals[0]?.panePid ?? 0,
    }));
  return { home, sessions, a: yield* make("a"), b: yield* make("b") };
});

/** The pane of that mark in the session, as soon as there is one. */
const appeared = (home: RealHome, session: string, terminal: string) =>
  Effect.promise(() =>
    waitFor(`${terminal} of ${session}`, () =>
      home
        .tmux("list-panes", "-a", "-F", "#{session_name} #{@troupe-pane} #{pane_id}")
        .split("\n")
        .find((row) => row.startsWith(`${session} ${terminal} `))
        ?.split(" ")
        .pop(),
    ),
  );

describe("within the start window on a real tmux", () => {
  it.scopedLive("a pane that a user moves into the new window is not recorded with it", () =>
    Effect.gen(function* () {
      const { a, b, home, sessions } = yield* setting;
      const adding = yield* Effect.fork(
        sessions.addTerminal({ session: "a", ...sleep, startWindowMs }),
      );
      const pane = yield* appeared(home, "a", "t2");
      home.tmux("join-pane", "-d", "-s", a.pane, "-t", pane);
      home.tmux("new-window", "-d", "-t", "=b:", "exec sleep 600");
      home.tmux("join-pane", "-d", "-s", b.pane, "-t", pane);
      const added = yield* Fiber.join(adding);
      yield* sessions.deleteTerminal("a", "t2");
      expect([lives(a.pid), lives(b.pid)]).toEqual([true, true]);
      expect(lives(added.terminal.panePid ?? 0)).toBe(false);
    }),
  );

  it.scopedLive(
    "a window that a user makes beside the first terminal is not recorded with it",
    () =>
      Effect.gen(function* () {
        const { home, sessions } = yield* setting;
        const creating = yield* Effect.fork(
          sessions.create({ session: "c", ...sleep, startWindowMs }),
        );
        yield* appeared(home, "c", "main");
        const made = ["new-window", "-d", "-P", "-F", "#{pane_pid}", "-t", "=c:"];
        const user = Number(home.tmux(...made, "exec sleep 600"));
        yield* Fiber.join(creating);
        yield* sessions.addTerminal({ session: "c", ...sleep });
        yield* sessions.deleteTerminal("c", "main");
        expect(lives(user)).toBe(true);
      }),
  );

  for (const terminal of ["main", "t2"]) {
    it.scopedLive(`${terminal} that a user moves into his window does not take that along`, () =>
      Effect.gen(function* () {
        const { home, sessions } = yield* setting;
        const first = { session: "c", ...sleep };
        if (terminal !== "main") yield* sessions.create(first);
        const slow = { ...first, startWindowMs };
        const making = yield* Effect.fork(
          Effect.gen(function* () {
            if (terminal === "main") yield* sessions.create(slow);
            else yield* sessions.addTerminal(slow);
          }),
        );
        const pane = yield* appeared(home, "c", terminal);
        const made = ["new-window", "-d", "-P", "-F", "#{pane_pid} #{pane_id}", "-t", "=a:"];
        const [pid, his = ""] = home.tmux(...made, "exec sleep 600").split(" ");
        if (terminal === "main") home.tmux("new-window", "-d", "-t", "=c:", "exec sleep 600");
        home.tmux("join-pane", "-d", "-s", pane, "-t", his);
        yield* Fiber.join(making);
        if (terminal === "main") yield* sessions.addTerminal({ session: "c", ...sleep });
        yield* sessions.deleteTerminal("c", terminal);
        expect(lives(Number(pid))).toBe(true);
      }),
    );
  }
});
