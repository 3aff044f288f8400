/**
 * The settings of a layer are those that its methods go by, whoever calls them: a caller's own are
 * not read by any.
 */
import { describe, expect, it } from "@effect/vitest";
import { Settings, type SettingsShape } from "@troupe/core";
import { Effect, Stream } from "effect";
import { pass, sleep } from "./FakeHome.js";
import { told, turnHome } from "./TurnHome.js";

/** Settings that are somebody's who may not be asked. */
const unread = new Proxy({} as SettingsShape, {
  get: (_, name) => {
    throw new Error(`${String(name)} of the caller was read`);
  },
});

describe("a caller's settings", () => {
  it.scoped("are read by no method", () =>
    Effect.gen(function* () {
      const home = yield* turnHome();
      const { handles, leases, sessions } = yield* home.hosting("host");
      yield* home.tmux.client(["new-session", "-d", "-s", "s", "sleep", "100000"]);
      const calls = Effect.gen(function* () {
        yield* pass(sessions.create({ session: "b", ...sleep }));
        yield* pass(sessions.addTerminal({ session: "b", command: ["sleep", "9"] }));
        yield* sessions.setEnv("b", {});
        yield* pass(sessions.send("b", "text"));
        yield* pass(sessions.capture("b"));
        yield* pass(sessions.wait("b", { idleMs: 10 }, { timeoutMs: 1_000 }));
        yield* pass(Stream.runDrain(sessions.output("b", { follow: false })));
        yield* pass(Stream.runDrain(sessions.events({ follow: false })));
        yield* sessions.get("b");
        yield* sessions.list();
        yield* sessions.snapshots("b");
        yield* sessions.clients("b");
        yield* sessions.attachCommand("b");
        yield* sessions.serverStatus;
        yield* sessions.reconcilePlan;
        yield* pass(sessions.reconcile("b"));
        yield* pass(sessions.reconcileAll);
        yield* pass(sessions.rebuild);
        yield* pass(sessions.adopt("s"));
        const writer = yield* handles.takeOver("b");
        yield* pass(writer.runTurn((_, lease) => sessions.under(lease).send("of a turn")));
        yield* pass(writer.end("explicit_delete"));
        yield* leases.all;
        yield* pass(sessions.deleteTerminal("s", "main"));
        yield* pass(sessions.delete("s"));
        yield* pass(sessions.gc({}));
        yield* pass(sessions.stopServer);
      });
      yield* Effect.provideService(calls, Settings, unread);
    }),
  );

  it.scoped("do not bound what is sent, and the layer's do", () =>
    Effect.gen(function* () {
      const home = yield* turnHome({ settings: { inputBytes: 3 } });
      const { handles, sessions } = yield* home.hosting("host");
      const wide = { ...(yield* Settings), inputBytes: 100 };
      const sends = Effect.gen(function* () {
        const writer = yield* handles.takeOver("a");
        const under = writer.runTurn((_, lease) => sessions.under(lease).send("four"));
        return [yield* told(sessions.send("a", "four")), yield* told(pass(under))];
      });
      expect(yield* Effect.provideService(sends, Settings, wide)).toEqual([
        "TmuxRefused",
        "TmuxRefused",
      ]);
    }),
  );
});
