/**
 * ObservedSessions: each operation is a span with the session's name, counted by how it ended; and
 * nothing of what was given, sent or printed is in what an operator is told.
 */
import { describe, expect, it } from "@effect/vitest";
import { type Sessions, Telemetry } from "@troupe/core";
import { FakeTmux, Fault } from "@troupe/testing";
import type { TmuxRequest } from "@troupe/tmux";
import { Effect, Fiber, Metric, Redacted, Stream, TestClock } from "effect";
import { fakeHome, pass, sleep } from "./FakeHome.js";
import { Observing } from "./Observing.js";

const counted = (operation: string, outcome: string): Effect.Effect<number> =>
  Telemetry.operations.pipe(
    Metric.tagged("operation", operation),
    Metric.tagged("outcome", outcome),
    Metric.value,
    Effect.map(({ count }) => count),
  );

/** How much the count grew by the effect. */
const growth = <A, E, R>(operation: string, outcome: string, effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const before = yield* counted(operation, outcome);
    yield* effect;
    return (yield* counted(operation, outcome)) - before;
  });

/** Every call of the service about the session `a`, by the name of its span. */
const calls = (
  sessions: Sessions["Type"],
): Readonly<Record<string, Effect.Effect<unknown, unknown>>> => ({
  "Sessions.create": sessions.create({ session: "a", ...sleep }),
  "Sessions.addTerminal": sessions.addTerminal({ session: "a" }),
  "Sessions.setEnv": sessions.setEnv("a", {}),
  "Sessions.send": sessions.send("a", "text"),
  "Sessions.get": sessions.get("a"),
  "Sessions.capture": sessions.capture("a"),
  "Sessions.wait": sessions.wait("a", { exit: true }, { timeoutMs: 0 }),
  "Sessions.snapshots": sessions.snapshots("a"),
  "Sessions.clients": sessions.clients("a"),
  "Sessions.attachCommand": sessions.attachCommand("a"),
  "Sessions.output": Stream.runDrain(sessions.output("a", { follow: false })),
  "Sessions.events": Stream.runDrain(sessions.events({ session: "a", follow: false })),
  "Sessions.reconcile": sessions.reconcile("a"),
  "Sessions.restore": sessions.restore("a"),
  "Sessions.adopt": sessions.adopt("a"),
  "Sessions.deleteTerminal": sessions.deleteTerminal("a", "main"),
  "Sessions.delete": sessions.delete("a"),
});

describe("an operation", () => {
  it.scoped("has one span with its name and the session's", () =>
    Effect.gen(function* () {
      const { sessions } = yield* fakeHome();
      for (const [name, call] of Object.entries(calls(sessions))) {
        const observing = new Observing();
        yield* pass(observing.under(Effect.exit(call)));
        expect(
          observing
            .named(name)
            .map(({ attributes, parent }) => [attributes.get("session"), parent]),
          name,
        ).toEqual([["a", null]]);
      }
    }),
  );

  it.scoped("about no single session has a span without one", () =>
    Effect.gen(function* () {
      const { sessions } = yield* fakeHome();
      const { gc, list, reconcileAll, reconcilePlan, serverStatus, stopServer } = sessions;
      const observing = new Observing();
      const all = [gc(), list(), reconcileAll, reconcilePlan, serverStatus, stopServer];
      yield* pass(observing.under(Effect.all(all, { discard: true })));
      const names = "gc list reconcileAll reconcilePlan serverStatus stopServer".split(" ");
      for (const name of names) {
        const [span] = observing.named(`Sessions.${name}`);
        expect([name, span?.attributes.has("session")]).toEqual([name, false]);
      }
    }),
  );

  it.scoped("of a name that is none tells nobody what was given for one", () =>
    Effect.gen(function* () {
      const { sessions } = yield* fakeHome();
      const observing = new Observing();
      yield* observing.under(Effect.flip(sessions.get("no name")));
      expect(observing.named("Sessions.get")[0]?.attributes.has("session")).toBe(false);
    }),
  );

  it.scoped("is counted by how it ended", () =>
    Effect.gen(function* () {
      const { sessions, tmux } = yield* fakeHome();
      const create = Effect.exit(sessions.create({ session: "a", ...sleep }));
      const get = Effect.exit(sessions.get("b"));
      expect(yield* growth("Sessions.create", "ok", pass(create))).toBe(1);
      expect(yield* growth("Sessions.create", "AlreadyExists", pass(create))).toBe(1);
      expect(yield* growth("Sessions.get", "NotFound", get)).toBe(1);
      yield* tmux.inject({ fault: Fault.hang, times: 9 });
      const left = Effect.gen(function* () {
        const fiber = yield* Effect.fork(sessions.capture("a"));
        yield* TestClock.adjust("10 millis");
        yield* Fiber.interrupt(fiber);
      });
      expect(yield* growth("Sessions.capture", "interrupted", left)).toBe(1);
      const wrong = Effect.exit(sessions.capture("a", { lines: -1 }));
      expect(yield* growth("Sessions.capture", "defect", wrong)).toBe(1);
    }),
  );

  it.scoped("annotates what is logged in it", () =>
    Effect.gen(function* () {
      const { sessions, tmux } = yield* fakeHome();
      yield* pass(sessions.create({ session: "a", ...sleep }));
      const shows = ({ stdin }: TmuxRequest) => String(stdin).includes("capture-pane");
      for (const fault of [Fault.shortened, Fault.hang]) {
        yield* tmux.inject({ fault, matches: shows });
      }
      const observing = new Observing();
      yield* pass(observing.under(sessions.delete("a")));
      expect(observing.lines.join("\n")).toContain('{"operation":"Sessions.delete","session":"a"}');
    }),
  );
});

describe("a secret", () => {
  const secret = "canary-9d2f";

  /** It prints what it was given, echoes what it is sent, and ends when it is told so. */
  const leaky = FakeTmux.program((run) => {
    run.write(`token ${run.env.get("TOKEN")}\n`);
    if (run.argv[1] === "ends") run.exit(2);
    run.onInput((text) => run.write(text));
  });

  const scenes = (sessions: Sessions["Type"]): ReadonlyArray<Effect.Effect<unknown, unknown>> => {
    const env = { TOKEN: Redacted.make(secret) };
    const at = { cwd: "/", env };
    return [
      sessions.create({ session: "a", command: ["leaky", "ends"], ...at }),
      sessions.create({ session: "a", command: ["leaky"], ...at, env: { TOKEN: `${secret}\0` } }),
      sessions.create({ session: "a", command: ["leaky"], ...at }),
      sessions.setEnv("a", { OTHER: secret }),
      sessions.send("a", { text: secret, enter: true }),
      sessions.send("a", `${secret}\0`),
      sessions.send("a", { keys: [secret] }),
      sessions.wait("a", { text: secret }),
      sessions.capture("a"),
      sessions.addTerminal({ session: "a", command: ["leaky", "ends"], env }),
      sessions.delete("a"),
    ];
  };

  for (const fault of ["nothing", "hang", "refuse"] as const) {
    it.scoped(`is in no span, line or label where a call to tmux meets ${fault}`, () =>
      Effect.gen(function* () {
        const home = yield* fakeHome({ tmux: { programs: { leaky } } });
        const observing = new Observing();
        const failed: Array<string> = [];
        for (const [index, scene] of scenes(home.sessions).entries()) {
          if (fault !== "nothing" && index > 2) {
            const given = fault === "hang" ? Fault.effectWithoutReply : Fault.refuse("no");
            yield* home.tmux.inject({ fault: given, skip: 1 });
          }
          const exit = yield* pass(observing.under(Effect.exit(scene)));
          failed.push(exit._tag);
        }
        // All of it went through, and what fails is among it.
        expect(new Set(failed)).toEqual(new Set(["Success", "Failure"]));
        expect(observing.named("Sessions.send").length).toBeGreaterThan(0);
        expect(observing.text).not.toContain(secret);
      }),
    );
  }
});
