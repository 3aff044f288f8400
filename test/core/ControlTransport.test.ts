/**
 * ControlTransport: what goes over the connection and comes back, and what does not.
 */
import { describe, expect, it } from "@effect/vitest";
import { FakeTmux } from "@troupe/testing";
import { ControlTransport, type OpenControl, type TmuxRequest, TmuxTransport } from "@troupe/tmux";
import { Effect, TestClock } from "effect";
import { connected, look, onFake, request } from "./ControlFake.js";

describe("a connection", () => {
  it.effect("is not made before a server has answered", () =>
    Effect.gen(function* () {
      const fake = yield* FakeTmux;
      const processes = yield* TmuxTransport;
      let opened = 0;
      const open: OpenControl = (_, { ended }) => {
        opened += 1;
        ended();
        return { write: () => {}, isCurrent: () => true, end: () => {} };
      };
      const tmux = yield* ControlTransport.make({ processes, open });
      expect((yield* tmux.run(look("x"))).exitCode).toBe(1);
      expect(opened).toBe(0);
      yield* fake.client(["new-session", "-d", "-s", "a", "sleep 600"]);
      // One that cannot be made is not tried again at once, and the call is answered all the same.
      for (const _ of [1, 2, 3]) expect((yield* tmux.run(look("x"))).stdout).toBe("x\n");
      expect(opened).toBe(1);
      yield* TestClock.adjust("1 minute");
      yield* tmux.run(look("x"));
      expect(opened).toBe(2);
    }).pipe(onFake),
  );

  it.effect("answers what is asked at once, each with its own, and starts no process", () =>
    Effect.gen(function* () {
      const { counted, say } = yield* connected;
      counted.processes = 0;
      const texts = Array.from({ length: 200 }, (_, at) => `text ${at}`);
      const told = yield* Effect.forEach(texts, say, { concurrency: "unbounded" });
      expect(told).toEqual(texts);
      expect(counted.processes).toBe(0);
    }).pipe(onFake),
  );

  it.effect("gives output, errors and code as a process does", () =>
    Effect.gen(function* () {
      const { counted, real, tmux } = yield* connected;
      const lists: ReadonlyArray<Partial<TmuxRequest>> = [
        {
          argv: [
            "display-message",
            "-p",
            "a",
            ";",
            "has-session",
            "-t",
            "=no",
            ";",
            "start-server",
          ],
        },
        {
          stdin:
            'display-message -p "a" ; has-session -t =no ; kill-server\ndisplay-message -p b\n',
        },
        { stdin: 'has-session -t "=no"\nhas-session -t "=nein"\n' },
        { stdin: "set-option -s @a b\n" },
      ];
      for (const each of lists) {
        counted.processes = 0;
        const answer = yield* tmux.run(request(each));
        expect(counted.processes).toBe(0);
        expect(answer).toEqual(yield* real.run(request(each)));
      }
    }).pipe(onFake),
  );

  it.effect("leaves a list that tmux cannot read to a process, which says why", () =>
    Effect.gen(function* () {
      const { counted, real, tmux } = yield* connected;
      const wrong = request({ argv: ["display-message", "-p", "a", ";", "bogus"] });
      counted.processes = 0;
      expect(yield* tmux.run(wrong)).toEqual(yield* real.run(wrong));
      expect(counted.processes).toBe(1);
    }).pipe(onFake),
  );

  it.effect("does not carry what is not known to be framed", () =>
    Effect.gen(function* () {
      const { counted, fake, tmux } = yield* connected;
      yield* fake.client(["new-session", "-d", "-s", "a", "cat"]);
      yield* fake.type("a", "%end 1 1 1\n");
      counted.processes = 0;
      const { framed, ...capture } = request({ argv: ["capture-pane", "-p", "-t", "=a:"] });
      expect((yield* tmux.run(capture)).stdout).toContain("%end 1 1 1");
      expect([framed, counted.processes]).toEqual([true, 1]);
    }).pipe(onFake),
  );
});

describe("the keeper of a connection", () => {
  it.effect("has no process, and is gone when the program ends", () =>
    Effect.gen(function* () {
      const { fake, sessions } = yield* Effect.scoped(
        Effect.tap(connected, ({ fake, sessions }) =>
          Effect.gen(function* () {
            yield* TestClock.adjust(10);
            expect(yield* sessions).toEqual([expect.stringMatching(/^_keeper-[0-9a-f]{16}$/)]);
            const dead = ["list-panes", "-a", "-F", "#{pane_dead}"];
            expect((yield* fake.client(dead)).stdout).toBe("1\n");
          }),
        ),
      );
      expect(yield* sessions).toEqual([]);
      expect((yield* fake.client(["list-clients"])).stdout).toBe("");
    }).pipe(onFake),
  );
});
