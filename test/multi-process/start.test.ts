/**
 * Host programs that start on a home where others died: what they finish, once, and what they leave
 * to those who live.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { Sessions } from "@troupe/core";
import { Troupe } from "@troupe/node";
import Database from "better-sqlite3";
import { Effect, Layer, Logger } from "effect";
import { describe, expect, it } from "vitest";
import { onStage, type Stage } from "../support/Stage.js";
import { waitFor } from "../support/Waiting.js";

/** A tmux that kills its caller before a list with this command. */
const killerAt = (stage: Stage, command: string): string =>
  stage.wrapper(
    `killer-${command}`,
    `case "$*" in *source-file*) ;; *) exec $REAL "$@" ;; esac
LIST="$STAGE/list.$$"
cat > "$LIST"
if grep -qF -e '${command}' $LIST; then kill -9 $PPID; exit; fi
exec $REAL "$@" < "$LIST"`,
  );

/** The rows of the registry, read past the library. */
const rows = (stage: Stage, query: string): ReadonlyArray<unknown> => {
  const database = new Database(join(stage.home, "registry.db"), { readonly: true });
  try {
    return database.prepare(query).pluck().all();
  } finally {
    database.close();
  }
};

const statesOf = (stage: Stage) =>
  rows(stage, "SELECT session || ' ' || state FROM incarnations ORDER BY session");

/** How the two that were cut off ended, as the log tells it. */
const endsOf = (stage: Stage) =>
  rows(
    stage,
    `SELECT session || ' ' || (body ->> 'state') FROM events WHERE body ->> 'type' = 'session'
      AND body ->> 'state' IN ('failed', 'deleted') ORDER BY session`,
  );

const LEFT = ["a creating", "b deleting", "c running"];

/** A home where a create of `a` and a delete of `b` were cut off by SIGKILL, and `c` runs. */
const leave = async (stage: Stage): Promise<void> => {
  for (const name of ["b", "c"]) {
    expect((await stage.run("create", name, "--", "sleep", "600")).code).toBe(0);
  }
  const create = ["create", "a", "--", "sleep", "600"];
  const creating = await stage.run("--tmux", killerAt(stage, "new-session"), ...create);
  const deleting = await stage.run("--tmux", killerAt(stage, "kill-session"), "delete", "b");
  expect([creating.signal, deleting.signal]).toEqual(["SIGKILL", "SIGKILL"]);
  expect(statesOf(stage)).toEqual(LEFT);
};

const hostChild = fileURLToPath(new URL("./hostChild.mjs", import.meta.url));

/** A host program of its own process: the states it told of when its layer was made. */
const startHost = (stage: Stage) => {
  const child: ChildProcess = spawn(process.execPath, [hostChild, stage.home, stage.socket], {
    env: { PATH: process.env.PATH, HOME: stage.directory },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const told = new Promise<ReadonlyArray<string>>((resolve) => {
    if (child.stdout === null) return;
    createInterface({ input: child.stdout }).once("line", (line) => resolve(JSON.parse(line)));
  });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const end = () => {
    child.stdin?.end();
    return exited;
  };
  return { told, end };
};

/** A program of this process, whose tmux is not there: what it lists, and how often it warned. */
const startWithoutTmux = async (stage: Stage) => {
  let warnings = 0;
  const logger = Logger.make(({ logLevel }) => {
    if (logLevel.label === "WARN") warnings += 1;
  });
  const logged = Logger.replace(Logger.defaultLogger, logger);
  const options = { home: stage.home, socket: stage.socket, tmux: "/nowhere/tmux" };
  const { sessions } = await Effect.flatMap(Sessions, (service) => service.list()).pipe(
    Effect.provide(Layer.provideMerge(Troupe.layer(options), logged)),
    Effect.runPromise,
  );
  return { sessions, warnings };
};

describe("host programs that start", () => {
  it(
    "finish together, once, what programs that died left, and nothing of who lives",
    onStage(async (stage) => {
      await leave(stage);
      // A command has left it as it was; and so does a program that cannot, and says so.
      const { sessions, warnings } = await startWithoutTmux(stage);
      expect(sessions.map(({ session, state }) => `${session} ${state}`)).toEqual(LEFT);
      expect([warnings, statesOf(stage)]).toEqual([2, LEFT]);

      const living = stage.start(["create", "d", "--start-window", "2s", "--", "sleep", "600"]);
      await waitFor("the row", () => statesOf(stage).includes("d creating"));
      living.signal("SIGSTOP");
      const hosts = [startHost(stage), startHost(stage)];
      try {
        for (const { told } of hosts) expect(await told).toContain("d creating");
      } finally {
        for (const { end } of hosts) await end();
      }
      living.signal("SIGCONT");
      expect((await living.ended).code).toBe(0);
      expect(statesOf(stage)).toEqual(["a failed", "b deleted", "c running", "d running"]);
      expect([stage.sessionsInTmux, endsOf(stage)]).toEqual([
        ["c", "d"],
        ["a failed", "b deleted"],
      ]);
    }),
  );
});
