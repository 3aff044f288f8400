/**
 * A process that does not die in time: named, kept in the row, and gone with a later delete.
 *
 * Method: a tracer outside of the session holds one process of it at its exit, so that SIGKILL,
 * however often, does not end it until the tracer lets go.
 */
import { describe, expect, it } from "@effect/vitest";
import { Effect } from "effect";
import { exitRow } from "../../examples/cli/src/ExitCode.js";
import { commandLineOf, lives, stateOf } from "../support/Processes.js";
import { holdAtExit, traceable, untraceable } from "../support/Tracer.js";
import { waitFor } from "../support/Waiting.js";
import { realHome } from "./RealHome.js";

const reason = untraceable === null ? "" : ` (left out, because ${untraceable})`;

/** The pane's program, and the child that will not die. */
const command = [
  "sh",
  "-c",
  '"$@" & echo $! > child; trap "" HUP TERM; while :; do sleep 1; done',
  "sh",
  ...traceable("sleep", "86406"),
];

describe("on a real tmux", () => {
  it.scopedLive.runIf(untraceable === null)(
    `a process that SIGKILL does not end is named with exit 6 until it is gone${reason}`,
    () =>
      Effect.gen(function* () {
        const home = yield* realHome;
        const sessions = yield* home.sessions({ settings: { processBoundMs: 300 } });
        yield* sessions.create({ session: "b", cwd: "/", command: ["sleep", "600"] });
        const view = yield* sessions.create({ session: "a", cwd: home.directory, command });
        const program = view.terminals[0]?.panePid ?? 0;
        const child = yield* Effect.promise(() =>
          waitFor("the child", () => {
            const written = Number(home.find("child"));
            return commandLineOf(written) === "sleep 86406" ? written : null;
          }),
        );
        const letGo = yield* holdAtExit(child);
        for (const _ of ["first", "again"]) {
          const error = yield* Effect.flip(sessions.delete("a"));
          expect(error).toMatchObject({ _tag: "ProcessesSurvived", session: "a", pids: [child] });
          expect(exitRow(error).exit).toBe(6);
          expect(stateOf(child)).toBe("t");
          expect(lives(program)).toBe(false);
          const row = yield* sessions.get("a");
          expect([row.state, row.seen.state]).toEqual(["deleting", "absent"]);
          expect(row.processes.map(({ pid }) => pid)).toContain(child);
        }
        const held = yield* Effect.flip(sessions.create({ session: "a", cwd: "/", command }));
        expect(held).toMatchObject({ _tag: "AlreadyExists", state: "deleting" });
        yield* letGo;
        yield* sessions.delete("a");
        expect((yield* sessions.get("a")).state).toBe("deleted");
        expect((yield* sessions.get("b")).seen.state).toBe("present");
        expect(home.tmux("list-sessions", "-F", "#{session_name}")).toBe("b");
      }),
  );
});
