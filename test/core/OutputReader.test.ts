/**
 * OutputReader: what a look means for a reader, as a table. That it reads, waits and ends is shown
 * through `Sessions` in Output.test.ts.
 */
import { describe, expect, it } from "@effect/vitest";
import type { Observation, SessionRecord, SessionState, TerminalState } from "@troupe/core";
import { endedAs, TerminalId } from "@troupe/core";
import { FakeTmux } from "@troupe/testing";
import { Effect, Stream } from "effect";
import { fakeHome, pass } from "./FakeHome.js";

const terminal = TerminalId.make("main");
const code3 = { code: 3, signal: null };
const ids = { windowId: "@0", paneId: "%0", panePid: 1 };

const recordIn = (state: SessionState, of: TerminalState | null): SessionRecord =>
  ({
    state,
    terminals: of === null ? [] : [{ terminal, command: null, ...ids, state: of, exit: null }],
  }) as unknown as SessionRecord;

const absent: Observation = { _tag: "Absent", why: "vanished" };

const present = (exit: typeof code3 | null | "no pane"): Observation =>
  ({
    _tag: "Present",
    session: { terminals: exit === "no pane" ? [] : [{ ...ids, terminal, exit }] },
  }) as unknown as Observation;

type Row = readonly [
  what: string,
  state: SessionState,
  of: TerminalState | null,
  seen: Observation,
  ended: string | null,
];

const table: ReadonlyArray<Row> = [
  ["a program that runs", "running", "running", present(null), null],
  ["a program that ended", "running", "running", present(code3), "exited"],
  ["an ended program whose row knows it", "exited", "exited", present(code3), "exited"],
  ["a creation that tmux does not have yet", "creating", null, absent, null],
  ["a creation that tmux has", "creating", null, present(null), null],
  ["a creation whose program ended", "creating", null, present(code3), "exited"],
  ["a creation that was undone", "failed", "gone", absent, "deleted"],
  ["a session that is gone for no reason of ours", "running", "running", absent, "lost"],
  ["one that a reconcile found gone", "lost", "gone", absent, "lost"],
  ["one that is being deleted and is still there", "deleting", "running", present(null), null],
  ["one whose delete ended its program", "deleting", "running", present(code3), null],
  ["one that is being deleted and is gone", "deleting", "running", absent, "deleted"],
  ["one that was deleted", "deleted", "gone", absent, "deleted"],
  ["a terminal that is not there yet", "running", "creating", present("no pane"), null],
  ["a terminal that vanished", "running", "running", present("no pane"), "lost"],
  ["a terminal that is being deleted", "running", "deleting", present("no pane"), "deleted"],
  ["a terminal whose delete ended its program", "running", "deleting", present(code3), null],
  ["a terminal that was deleted", "running", "gone", present("no pane"), "deleted"],
];

describe("a look at the terminal of a reader", () => {
  it.each(table)("at %s", (_, state, of, seen, ended) => {
    expect(endedAs(recordIn(state, of), terminal, seen)?.reason ?? null).toBe(ended);
  });

  it("tells how a program ended", () => {
    expect(endedAs(recordIn("running", "running"), terminal, present(code3))?.exit).toEqual(code3);
  });
});

describe("a reader that is behind", () => {
  it.scoped("reads more at once until it has come up, and every byte all the same", () =>
    Effect.gen(function* () {
      const KB = 1024;
      const printed = 1000 * KB;
      const asked: Array<number> = [];
      const home = yield* fakeHome({
        settings: { outputSegmentBytes: 2 * printed },
        tmux: { programs: { flood: FakeTmux.program((run) => run.write("x".repeat(printed))) } },
        output: (files) => ({
          ...files,
          read: (output, from, most) => {
            asked.push(most / KB);
            return files.read(output, from, most);
          },
        }),
      });
      yield* pass(home.sessions.create({ session: "a", command: ["flood"], cwd: "/" }));
      const elements = yield* Stream.runCollect(home.sessions.output("a", { follow: false }));
      const given = [...elements].flatMap((e) => (e.type === "data" ? [e.data.length / KB] : []));
      expect(given).toEqual([64, 128, 256, 512, 40]);
      expect(asked).toEqual([64, 128, 256, 512, 512, 256]);
    }),
  );
});
