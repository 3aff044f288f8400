/**
 * CutOff: what another message finishes of what it cut off: all that was begun, and nothing else.
 */
import { describe, expect, it } from "@effect/vitest";
import type { Sessions } from "@troupe/core";
import type { TmuxRequest } from "@troupe/tmux";
import { Effect } from "effect";
import { pass, sleep } from "./FakeHome.js";
import { type TurnHome, told, turnHome } from "./TurnHome.js";

const creation = (request: TmuxRequest) => String(request.stdin).includes("new-session");
const window = (request: TmuxRequest) => String(request.stdin).includes("new-window");
const kill = (request: TmuxRequest) => request.attempted === "kill a terminal";

/** What another program does stands still at the list that matches. */
const standing = (
  home: TurnHome,
  matches: (request: TmuxRequest) => boolean,
  call: (sessions: Sessions["Type"]) => Effect.Effect<unknown, unknown>,
) =>
  Effect.gen(function* () {
    const sessions = yield* home.program("other");
    const gate = yield* home.tmux.hold({ where: "after", matches });
    yield* Effect.forkScoped(Effect.exit(call(sessions)));
    yield* gate.reached;
    return gate;
  });

const takenByForce = (home: TurnHome) =>
  Effect.flatMap(home.hosting("taker"), ({ handles }) =>
    told(pass(Effect.asVoid(handles.takeOver("a", { force: true })))),
  );

const terminals = (home: TurnHome) =>
  Effect.map(home.record("a"), (record) =>
    record.terminals.map(({ state, terminal }) => `${terminal} ${state}`),
  );

describe("what a lease that is taken by force cuts off", () => {
  it.scoped("is undone where it is a create, and there is nothing to hold", () =>
    Effect.gen(function* () {
      const home = yield* turnHome();
      yield* pass(home.sessions.delete("a"));
      yield* standing(home, creation, (s) => s.create({ session: "a", ...sleep }));
      expect(yield* home.rows).toEqual(["a/1 deleted", "a/2 creating"]);
      expect(yield* takenByForce(home)).toBe("NotFound");
      expect(yield* home.rows).toEqual(["a/1 deleted", "a/2 failed"]);
      expect(yield* home.inTmux).toEqual([]);
    }),
  );

  it.scoped("is taken back where it is a terminal, and the session is held", () =>
    Effect.gen(function* () {
      const home = yield* turnHome();
      yield* standing(home, window, (s) => s.addTerminal({ session: "a", ...sleep }));
      expect(yield* terminals(home)).toEqual(["main running", "t2 creating"]);
      expect(yield* takenByForce(home)).toBe(undefined);
      expect(yield* terminals(home)).toEqual(["main running", "t2 gone"]);
      expect([yield* home.rows, home.leased()]).toEqual([["a/1 running"], ["a 1 session"]]);
    }),
  );

  it.scoped("is done where it is the delete of a terminal", () =>
    Effect.gen(function* () {
      const home = yield* turnHome();
      yield* pass(home.sessions.addTerminal({ session: "a", ...sleep }));
      yield* standing(home, kill, (s) => s.deleteTerminal("a", "t2"));
      expect(yield* terminals(home)).toEqual(["main running", "t2 deleting"]);
      expect(yield* takenByForce(home)).toBe(undefined);
      expect(yield* terminals(home)).toEqual(["main running", "t2 gone"]);
    }),
  );

  it.scoped("is nothing where nothing was begun: its row is not even looked at anew", () =>
    Effect.gen(function* () {
      const home = yield* turnHome();
      yield* home.tmux.exitProgram("a", 0);
      const before = yield* home.record("a");
      expect(yield* takenByForce(home)).toBe(undefined);
      expect((yield* home.record("a")).updatedAt).toBe(before.updatedAt);
      expect(yield* home.rows).toEqual(["a/1 running"]);
    }),
  );
});
