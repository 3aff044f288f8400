/**
 * The client that is started for one command list: what it is told of its caller, and that it ends
 * by its deadline whoever waits for it.
 */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@effect/vitest";
import { ProcessTransport } from "@troupe/tmux";
import { Effect, Fiber } from "effect";
import { commandLinesWith } from "../support/Processes.js";
import { waitFor } from "../support/Waiting.js";
import { writeWrapper } from "../support/Wrapper.js";
import { realHome } from "./RealHome.js";

const sleep = { command: ["sleep", "600"], cwd: "/" };

const withEnvironment = (change: NodeJS.ProcessEnv) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const before = { ...process.env };
      Object.assign(process.env, change);
      return before;
    }),
    (before) =>
      Effect.sync(() => {
        process.env = before;
      }),
  );

/** The server answers nobody until the scope closes. */
const stopped = (pid: number) =>
  Effect.acquireRelease(
    Effect.sync(() => process.kill(pid, "SIGSTOP")),
    () => Effect.sync(() => process.kill(pid, "SIGCONT")),
  );

describe("on a real tmux", () => {
  it.scopedLive("a client speaks the messages that are in our table, whatever its caller's", () =>
    Effect.gen(function* () {
      const home = yield* realHome;
      yield* withEnvironment({
        LANG: "de_DE.UTF-8",
        LC_ALL: "de_DE.UTF-8",
        LC_MESSAGES: "de_DE.UTF-8",
        LANGUAGE: "de",
      });
      const tmux = writeWrapper(home.directory, "telling", 'env > "$STAGE/told"; exec $REAL "$@"');
      const sessions = yield* home.sessions({ tmux });
      yield* sessions.create({ session: "a", ...sleep });
      const told = home.read("told").split("\n");
      expect(told.filter((line) => /^(LANG|LC_|LANGUAGE)/.test(line))).toEqual(["LANG=C.UTF-8"]);
    }),
  );

  it.scopedLive("of a client that was started somebody is told, before it answers", () =>
    Effect.gen(function* () {
      const { directory, socket } = yield* realHome;
      const script = 'until [ -e "$STAGE/told" ]; do sleep 0.01; done; echo heard';
      const told: Array<string> = [];
      const transport = yield* ProcessTransport.make({
        program: writeWrapper(directory, "waiting", script),
        socket,
        environment: new Map(),
        meanwhile: ({ attempted }) => {
          told.push(attempted);
          writeFileSync(join(directory, "told"), "");
        },
      });
      const asked = { session: null, attempted: "ask", argv: [], stdin: null, path: null };
      const reply = yield* transport.run({ ...asked, startsServer: false, deadlineMs: 5_000 });
      expect([reply.stdout, told]).toEqual(["heard\n", ["ask"]]);
    }),
  );

  it.scopedLive("a look whose client a signal ended is taken again, and nothing else is", () =>
    Effect.gen(function* () {
      const home = yield* realHome;
      const ending = (when: string) => `case "$*" in
  ${when}) [ -e "$STAGE/twice" ] && exec $REAL "$@"
  [ -e "$STAGE/once" ] && touch "$STAGE/twice"; touch "$STAGE/once"; kill -INT $$; exit 7;;
esac
exec $REAL "$@"`;
      yield* (yield* home.sessions()).create({ session: "a", ...sleep });
      const looks = writeWrapper(home.directory, "looks", ending("*list-panes*"));
      const seen = yield* (yield* home.sessions({ tmux: looks })).get("a");
      expect([seen.seen.state, home.find("twice")]).toEqual(["present", ""]);
      for (const mark of ["once", "twice"]) rmSync(join(home.directory, mark));
      const changes = writeWrapper(home.directory, "changes", ending("*source-file*"));
      const sessions = yield* home.sessions({ tmux: changes });
      const failed = yield* Effect.flip(sessions.create({ session: "b", ...sleep }));
      expect(failed).toMatchObject({ _tag: "LookupFailed", reason: "signalled" });
    }),
  );

  it.scopedLive("a client of a caller that is interrupted ends by its deadline all the same", () =>
    Effect.gen(function* () {
      const home = yield* realHome;
      const sessions = yield* home.sessions({ deadlineMs: 500 });
      yield* sessions.create({ session: "a", ...sleep });
      yield* stopped(Number(home.tmux("display-message", "-p", "#{pid}")));
      const clients = () => commandLinesWith(home.socket).filter((line) => line.includes(" -N "));
      const caller = yield* Effect.fork(sessions.delete("a"));
      yield* Effect.promise(() => waitFor("a client", () => clients().length > 0));
      yield* Fiber.interruptFork(caller);
      yield* Fiber.await(caller);
      expect(clients()).toEqual([]);
    }),
  );
});
