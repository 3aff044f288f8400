/**
 * The typed client over the fake tmux: the same lists that it sends to the real one, understood.
 */
import { describe, expect, it } from "@effect/vitest";
import { IncarnationId, SessionName, TerminalId, Tmux } from "@troupe/core";
import { FakeTmux } from "@troupe/testing";
import { TmuxClient } from "@troupe/tmux";
import { Effect, Layer, Redacted } from "effect";

const client = TmuxClient.layer().pipe(Layer.provideMerge(FakeTmux.layer()));

const session = SessionName.make("build");
const incarnation = IncarnationId.make("0123456789abcdef");
const terminal = TerminalId.make("t1");

const created = Effect.gen(function* () {
  const tmux = yield* Tmux;
  const { server } = yield* tmux.boot("boot");
  const made = yield* tmux.create({
    session,
    epoch: 3,
    server,
    mark: { incarnation, home: "home0001", generation: 1 },
    terminal,
    spec: {
      command: ["sh", "-c", "echo up; sleep 60"],
      cwd: "/",
      envNames: ["TOKEN"],
      inheritEnv: false,
      log: true,
      columns: 80,
      rows: 24,
    },
    recording: null,
    base: new Map([["PATH", "/bin"]]),
    environment: new Map([["TOKEN", Redacted.make("s3cret ; \"'$x")]]),
  });
  return { tmux, server, made };
});

describe("the typed client over the fake", () => {
  it.effect("creates, lists, captures and kills", () =>
    Effect.gen(function* () {
      const { made, server, tmux } = yield* created;
      if (made._tag !== "Created") return expect.fail(made._tag);
      const listing = yield* tmux.list("list");
      expect(listing).toMatchObject({ _tag: "Server", server, sessions: [made.session] });
      const [pane] = made.session.terminals;
      const how = { lines: 10, join: false, ansi: false };
      const shown = yield* tmux.capture({ server, paneId: pane?.paneId ?? "", session }, how);
      expect(shown).toEqual({ text: "up", truncated: false, first: 1 });
      const target = { session, epoch: 3, server, sessionId: made.session.sessionId, incarnation };
      expect(yield* tmux.kill(target)).toEqual({ _tag: "Gone" });
      expect(yield* tmux.list("list")).toMatchObject({ sessions: [] });
    }).pipe(Effect.provide(client)),
  );

  it.effect("does nothing under an epoch that the fence has passed", () =>
    Effect.gen(function* () {
      const { made, server, tmux } = yield* created;
      if (made._tag !== "Created") return expect.fail(made._tag);
      yield* tmux.fence({ session, epoch: 4 }, "fence");
      const target = { session, epoch: 3, server, sessionId: made.session.sessionId, incarnation };
      expect(yield* tmux.kill(target)).toEqual({ _tag: "Stale" });
      expect(yield* tmux.list("list")).toMatchObject({ sessions: [{ name: "build" }] });
    }).pipe(Effect.provide(client)),
  );

  it.effect("gives the program its environment and hides it from tmux", () =>
    Effect.gen(function* () {
      const fake = yield* FakeTmux;
      yield* created;
      const processes = yield* fake.processes;
      const tokens = processes.map(({ environment }) => environment.get("TOKEN"));
      expect(tokens).toContain("s3cret ; \"'$x");
      const shown = yield* fake.client(["show-environment", "-t", "=build", "TOKEN"]);
      expect(shown.stderr).toBe("unknown variable: TOKEN\n");
    }).pipe(Effect.provide(client)),
  );
});
