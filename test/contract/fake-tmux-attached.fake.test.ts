/**
 * Clients that show a session of the fake tmux: how they leave, where they go, and what their
 * presence changes. Each was measured on tmux 3.3a with clients in control mode.
 */
import { describe, expect, it } from "@effect/vitest";
import { FakeTmux } from "@troupe/testing";
import { Effect } from "effect";
import { boot, printed, start, tmux } from "./fake-tmux-asking.js";

const fresh = Effect.provide(FakeTmux.layer());

const attached = "#{session_attached} #{session_attached_list}";
const clients = printed("list-clients", "-F", "#{client_name} #{client_session}");

const shown = Effect.gen(function* () {
  const fake = yield* FakeTmux;
  yield* boot;
  for (const name of ["a", "b", "c"]) yield* start(name, "sleep", "9");
  yield* fake.attach("a", "client-7");
  return fake;
});

describe("a client that shows a session", () => {
  it.effect("is there until the list has ended that tells it to leave", () =>
    Effect.gen(function* () {
      yield* shown;
      const look = ["display-message", "-p", "-t", "a:", attached];
      const list = [
        "detach-client",
        ";",
        ...look,
        ";",
        "set-option",
        "-g",
        "@x",
        "1",
        ";",
        ...look,
      ];
      expect(yield* printed(...list, ";", "detach-client", "-s", "a")).toBe(
        "1 client-7\n0 client-7\n",
      );
      expect(yield* clients).toBe("");
    }).pipe(fresh),
  );

  it.effect("is the one that came last, where none is named", () =>
    Effect.gen(function* () {
      const fake = yield* shown;
      yield* fake.attach("a", "client-8");
      yield* tmux("detach-client");
      expect(yield* clients).toBe("client-7 a\n");
      yield* fake.attach("b", "client-9");
      yield* tmux("detach-client", "-a", "-t", "client-7");
      expect(yield* clients).toBe("client-7 a\n");
    }).pipe(fresh),
  );

  it.effect("leaves with its session, or goes to the one that was used least lately", () =>
    Effect.gen(function* () {
      const fake = yield* shown;
      yield* tmux("set-option", "-g", "detach-on-destroy", "off");
      yield* tmux("kill-session", "-t", "a");
      const moved = "#{client_name} #{client_last_session} #{client_session}";
      expect(yield* printed("list-clients", "-F", moved)).toBe("client-7  b\n");
      yield* fake.attach("c", "client-8");
      yield* tmux("set-option", "-g", "detach-on-destroy", "no-detached");
      yield* tmux("kill-session", "-t", "b");
      expect(yield* clients).toBe("client-8 c\n");
      yield* tmux("set-option", "-g", "detach-on-destroy", "on");
      yield* start("d", "sleep", "9");
      yield* tmux("kill-session", "-t", "c");
      expect(yield* clients).toBe("");
    }).pipe(fresh),
  );

  it.effect("is listed as one in control mode", () =>
    Effect.gen(function* () {
      yield* shown;
      expect(yield* printed("list-clients")).toBe(
        "client-7: a [80x unknown] (attached,focused,control-mode,UTF-8)\n",
      );
    }).pipe(fresh),
  );

  const changeAndKill = ["link-window", "-s", "b:0", "-t", "b:5", ";", "kill-session", "-t", "b"];

  it.effect("crashes the server by a session whose window changed and that ended", () =>
    Effect.gen(function* () {
      yield* shown;
      expect(yield* tmux(...changeAndKill)).toEqual({
        exitCode: 1,
        stdout: "",
        stderr: "server exited unexpectedly\n",
      });
      expect((yield* tmux("list-sessions")).stderr).toMatch(/^no server running/);
    }).pipe(fresh),
  );

  it.effect("crashes nothing when it is not there, or when the list ended in between", () =>
    Effect.gen(function* () {
      const fake = yield* shown;
      yield* tmux(...changeAndKill.slice(0, 5));
      expect(yield* printed(...changeAndKill.slice(6))).toBe("");
      yield* fake.detach("client-7");
      yield* start("b", "sleep", "9");
      expect(yield* printed(...changeAndKill)).toBe("");
    }).pipe(fresh),
  );
});
