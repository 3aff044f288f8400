/**
 * Forgotten: a message that is overtaken as it keeps a snapshot leaves none of what a gc forgot,
 * and takes away none of what is still known.
 */
import { describe, expect, it } from "@effect/vitest";
import type { Sessions } from "@troupe/core";
import { fullDisk } from "@troupe/testing";
import type { TmuxRequest } from "@troupe/tmux";
import { Effect, Fiber } from "effect";
import { fakeHome, pass, sleep } from "./FakeHome.js";
import { logInto } from "./LoggedLines.js";

const snapshot = ({ stdin }: TmuxRequest) => String(stdin).includes("capture-pane");

/** A call stands still as it captures, and another program deletes the session meanwhile. */
const overtaken = (call: (sessions: Sessions["Type"]) => Effect.Effect<unknown, unknown>) =>
  Effect.gen(function* () {
    const home = yield* fakeHome();
    yield* pass(home.sessions.create({ session: "a", ...sleep }));
    yield* pass(home.sessions.addTerminal({ session: "a", ...sleep }));
    const gate = yield* home.tmux.hold({ where: "after", matches: snapshot });
    const lines: Array<string> = [];
    const calling = yield* Effect.fork(logInto(lines, Effect.flip(call(home.sessions))));
    yield* gate.reached;
    const other = yield* home.program("other");
    yield* other.delete("a", { force: true, graceMs: 0 });
    const told = Effect.zipRight(gate.release, Fiber.join(calling));
    return { home, lines, other, told };
  });

const kept = ({ home }: Effect.Effect.Success<ReturnType<typeof overtaken>>) => [
  ...home.snapshots.kept.keys(),
];

describe("a snapshot that is kept by one who was overtaken", () => {
  for (const [what, call] of [
    ["a delete", (s: Sessions["Type"]) => s.delete("a")],
    ["a delete of a terminal", (s: Sessions["Type"]) => s.deleteTerminal("a", "t2")],
  ] as const) {
    it.scoped(`goes where the session was forgotten meanwhile, by ${what}`, () =>
      Effect.gen(function* () {
        const scene = yield* overtaken(call);
        yield* scene.other.gc({ olderThanMs: 0 });
        expect(kept(scene)).toEqual([]);
        expect(yield* scene.told).toMatchObject({ _tag: "Busy" });
        expect(kept(scene)).toEqual([]);
      }),
    );
  }

  it.scoped("stays where the session has a row, and goes with that", () =>
    Effect.gen(function* () {
      const scene = yield* overtaken((s) => s.delete("a"));
      expect(yield* scene.told).toMatchObject({ _tag: "Busy" });
      expect(kept(scene)).toEqual(["a/1-main", "a/1-t2"]);
      yield* scene.other.gc({ olderThanMs: 0 });
      expect(kept(scene)).toEqual([]);
    }),
  );

  for (const [what, keeps] of [
    ["goes where another session has its place by now, and has kept nothing there", false],
    ["leaves what another session has kept in its place", true],
  ] as const) {
    it.scoped(what, () =>
      Effect.gen(function* () {
        const scene = yield* overtaken((s) => s.deleteTerminal("a", "t2"));
        const { home, other } = scene;
        yield* other.gc({ olderThanMs: 0 });
        yield* other.create({ session: "a", ...sleep, startWindowMs: 0 });
        const { generation, incarnation } = yield* home.record("a");
        expect(generation).toBe(1);
        if (keeps) yield* other.delete("a", { graceMs: 0 });
        yield* scene.told;
        expect([...home.snapshots.kept.values()].map((one) => one.incarnation)).toEqual(
          keeps ? expect.arrayContaining([incarnation]) : [],
        );
      }),
    );
  }

  it.scoped(
    "is left to a later gc where files cannot be changed, and its call is told the same",
    () =>
      Effect.gen(function* () {
        const scene = yield* overtaken((s) => s.delete("a"));
        yield* scene.other.gc({ olderThanMs: 0 });
        scene.home.snapshots.trouble = fullDisk;
        expect(yield* scene.told).toMatchObject({ _tag: "Busy" });
        expect(scene.lines.join("\n")).toContain("a snapshot of a is left to gc");
      }),
  );
});

describe("a gc", () => {
  it.scoped("looks for snapshots once more behind the row", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* pass(home.sessions.create({ session: "a", ...sleep }));
      yield* pass(home.sessions.delete("a"));
      const [[key, shot] = ["", null]] = home.snapshots.kept;
      if (shot === null) return yield* Effect.dieMessage("nothing was kept");
      // Somebody keeps it between the files and the row.
      const { records } = home.store;
      const forget = records.delete.bind(records);
      records.delete = (incarnation) => {
        home.snapshots.kept.set(key, shot);
        return forget(incarnation);
      };
      const report = yield* pass(home.sessions.gc({ olderThanMs: 0 }));
      expect([report.failed, [...home.snapshots.kept.keys()]]).toEqual([[], []]);
    }),
  );
});
