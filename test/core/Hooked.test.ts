/**
 * Hooked: making a session in a server with hooks, while others make theirs.
 *
 * Method: the fake, with a hook that renames every new session; a transport makes a stranger's
 * session behind each answer that tells the next id, as often as the test says.
 */
import { describe, expect, it } from "@effect/vitest";
import { Tmux } from "@troupe/core";
import { FakeTmux } from "@troupe/testing";
import { TmuxClient, TmuxTransport } from "@troupe/tmux";
import { Effect, Layer } from "effect";
import { requestOf } from "../../packages/testing/src/TmuxContract.js";

/** A server with such a hook, and how many lists it was sent for one create. */
const creating = (strangers: number) =>
  Effect.gen(function* () {
    const transport = yield* TmuxTransport;
    const user = (...argv: ReadonlyArray<string>) => {
      const how = { stdin: null, startsServer: false, path: null, deadlineMs: 3_000 };
      return transport.run({ ...how, argv, session: null, attempted: "use tmux" });
    };
    let lists = 0;
    let left = strangers;
    const contended: TmuxTransport["Type"] = {
      ...transport,
      run: (request) =>
        Effect.tap(transport.run(request), () => {
          lists++;
          return left-- > 0 ? user("new-session", "-d", "-s", `s${left}`, "sleep 9") : Effect.void;
        }),
    };
    const { boot } = yield* Tmux;
    const { server } = yield* boot("test");
    yield* user("new-session", "-d", "-s", "beside", "sleep 9");
    const set = yield* user(
      "set-hook",
      "-g",
      "after-new-session",
      'rename-session "r#{next_session_id}"',
    );
    expect(set).toMatchObject({ exitCode: 0, stderr: "" });
    const { create } = TmuxClient.make({ deadlineMs: 3_000 }, contended);
    const outcome = yield* Effect.either(create(requestOf(server, ["sleep", "600"])));
    const marks = ["list-sessions", "-F", "#{session_name} #{@troupe-inc}"];
    return { lists, outcome, sessions: (yield* user(...marks)).stdout };
  }).pipe(Effect.provide(Layer.provideMerge(TmuxClient.layer(), FakeTmux.layer())));

describe("a session in a server with hooks", () => {
  it.effect("is made by the second list, and by the next where others come in between", () =>
    Effect.gen(function* () {
      const alone = yield* creating(0);
      expect([alone.outcome._tag, alone.lists]).toEqual(["Right", 2]);
      expect(alone.sessions).toMatch(/^r\$\d+ contract-0001$/m);
      const contended = yield* creating(1);
      expect([contended.outcome._tag, contended.lists]).toEqual(["Right", 3]);
      expect(contended.sessions.match(/contract-0001/g)).toHaveLength(1);
    }),
  );

  it.effect("is given up when others always come first, and then nothing was made", () =>
    Effect.gen(function* () {
      const { lists, outcome, sessions } = yield* creating(100);
      expect(outcome).toMatchObject({ _tag: "Left", left: { _tag: "LookupFailed" } });
      expect(lists).toBe(9);
      expect(sessions).not.toContain("contract");
    }),
  );
});
