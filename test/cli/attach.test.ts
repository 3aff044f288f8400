/**
 * What `attach` promises on a real terminal: the four places that it is called from, how it ends,
 * and that the terminal is as it was.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { quoted } from "../support/Place.js";
import { lives } from "../support/Processes.js";
import { onStage, type Stage, toldBy, troupe } from "../support/Stage.js";
import { Terminal } from "../support/Terminal.js";
import { waitFor } from "../support/Waiting.js";

const environmentOf = (stage: Stage) => ({
  TROUPE: troupe,
  TROUPE_HOME: stage.home,
  TROUPE_SOCKET: stage.socket,
  HOME: stage.directory,
});

/** Runs the line on a terminal that goes away with the play. */
const onTerminal = async (
  stage: Stage,
  line: string,
  play: (terminal: Terminal) => Promise<void>,
  environment: Readonly<Record<string, string>> = {},
): Promise<void> => {
  const terminal = new Terminal(line, { ...environmentOf(stage), ...environment });
  try {
    await play(terminal);
  } finally {
    terminal.close();
  }
};

/** The line between two looks at the settings of the terminal; its code is in the file `code`. */
const watched = (stage: Stage, line: string): string =>
  `cd ${quoted(stage.directory)}; stty -a >before; ${line}; echo $? >code; stty -a >after`;

const file = (stage: Stage, name: string): string =>
  readFileSync(join(stage.directory, name), "utf8");

/** The terminal is as it was: its settings, and its own screen. */
const expectAsItWas = (stage: Stage, { drawn }: Terminal): void => {
  expect(file(stage, "after")).toBe(file(stage, "before"));
  expect(drawn.lastIndexOf("\x1b[?1049l")).toBeGreaterThan(drawn.lastIndexOf("\x1b[?1049h"));
};

const clients = (stage: Stage, format = "#{client_pid}"): ReadonlyArray<string> =>
  stage
    .tmux("list-clients", "-F", format)
    .out.split("\n")
    .filter((line) => line !== "");

/** Names as they stand at the left of tmux's status line. */
const shows = (name: string): RegExp => new RegExp(`\\[${name}\\] `);

type Exit = { readonly code: number | null } | null;

describe("outside tmux", () => {
  it("a session is shown until it is detached, and the terminal is as it was", () =>
    onStage(async (stage) => {
      await stage.json("create", "a", "--", "sh", "-c", "echo hello; exec sleep 600");
      await onTerminal(stage, watched(stage, '"$TROUPE" attach a'), async (terminal) => {
        await terminal.draws(/hello/);
        expect(clients(stage, "#{client_session} #{client_readonly}")).toEqual(["a 0"]);
        await stage.detach(terminal);
        await terminal.ended;
        expect(file(stage, "code")).toBe("0\n");
        expectAsItWas(stage, terminal);
      });
      const json = watched(stage, '"$TROUPE" attach a --read-only --json >told');
      await onTerminal(stage, json, async (terminal) => {
        await terminal.draws(/hello/);
        expect(clients(stage, "#{client_readonly}")).toEqual(["1"]);
        await stage.detach(terminal);
        await terminal.ended;
        expect(JSON.parse(file(stage, "told"))).toMatchObject({
          ok: true,
          command: "attach",
          result: { session: "a", how: "attach", outcome: "detached", exit: null },
        });
        expectAsItWas(stage, terminal);
      });
    })());

  it("a session that ends while it is shown ends the attach with 0, and is told", () =>
    onStage(async (stage) => {
      const bye = ["--", "sh", "-c", "echo bye; sleep 0.1; exit 0"];
      await stage.json("create", "a", "--start-window", "1s", ...bye);
      await waitFor("its end", async () => {
        // A server that missed the end of a program learns of it with that of another.
        stage.tmux("run-shell", "-b", "true");
        const { exit } = (await stage.json("inspect", "a")).told.result as { exit: Exit };
        return exit?.code === 0;
      });
      await onTerminal(stage, watched(stage, '"$TROUPE" attach a'), async (terminal) => {
        await terminal.draws(shows("a"));
        expect(terminal.drawn).toContain("has ended (code 0)");
        await stage.json("delete", "a");
        await terminal.ended;
        expect(file(stage, "code")).toBe("0\n");
        expect(terminal.drawn).toContain("session a ended while it was shown");
        expectAsItWas(stage, terminal);
      });
    })());

  it("a server that is killed leaves no terminal in pieces", () =>
    onStage(async (stage) => {
      await stage.json("create", "a", "--", "sleep", "600");
      await onTerminal(stage, watched(stage, '"$TROUPE" attach a'), async (terminal) => {
        await terminal.draws(shows("a"));
        process.kill(Number(stage.tmux("display-message", "-p", "#{pid}").out), "SIGKILL");
        await terminal.ended;
        expect(file(stage, "code")).toBe("0\n");
        expectAsItWas(stage, terminal);
      });
    })());

  it("SIGTERM ends the client, with 143, also when the server hangs", () =>
    onStage(async (stage) => {
      await stage.json("create", "a", "--", "sleep", "600");
      const server = Number(stage.tmux("display-message", "-p", "#{pid}").out);
      const line = watched(stage, '"$TROUPE" attach a & echo $! >pid; fg >/dev/null');
      for (const hangs of [false, true]) {
        await onTerminal(stage, `set -m; ${line}`, async (terminal) => {
          await terminal.draws(shows("a"));
          const [client = ""] = clients(stage);
          if (hangs) process.kill(server, "SIGSTOP");
          try {
            process.kill(Number(file(stage, "pid")), "SIGTERM");
            await terminal.ended;
          } finally {
            process.kill(server, "SIGCONT");
          }
          expect(file(stage, "code")).toBe("143\n");
          expect(lives(Number(client))).toBe(false);
          expectAsItWas(stage, terminal);
        });
      }
      expect(stage.sessionsInTmux).toEqual(["a"]);
    })());
});

describe("inside", () => {
  it("the same server the client is switched, and a session is not attached to itself", () =>
    onStage(async (stage) => {
      const script = `"$TROUPE" "$@" >told 2>&1; exec sleep 600`;
      const inA = (...words: ReadonlyArray<string>) => ["sh", "-c", script, "sh", ...words];
      const values = Object.entries(environmentOf(stage)).flatMap(([k, v]) => [
        "--env",
        `${k}=${v}`,
      ]);
      await stage.json("create", "b", "--", "sleep", "600");
      const self = [...values, "--", ...inA("--json", "attach", "a", "--print")];
      await stage.json("create", "a", ...self);
      await stage.read("told");
      const refused = await waitFor("the answer", () => /SELF_ATTACH/.exec(file(stage, "told")));
      expect(refused).toBeTruthy();
      writeFileSync(join(stage.directory, "told"), "");
      const go = `sh -c 'until [ -e go ]; do sleep 0.02; done; "$TROUPE" attach b --json >told; exec sleep 600'`;
      await stage.json("create", "c", ...values, "--", "sh", "-c", go);
      await onTerminal(stage, '"$TROUPE" attach c', async (terminal) => {
        await terminal.draws(shows("c"));
        writeFileSync(join(stage.directory, "go"), "");
        await terminal.draws(shows("b"));
        expect(clients(stage, "#{client_session}")).toEqual(["b"]);
        const told = await waitFor("the answer", () => file(stage, "told") || null);
        expect(JSON.parse(told).result).toMatchObject({ how: "switch", outcome: "switched" });
        await stage.detach(terminal);
        await terminal.ended;
      });
    })());

  it("another server it is NESTED, and with --nest has a prefix of its own while it lasts", () =>
    onStage(async (stage) => {
      await stage.json("create", "a", "--", "sleep", "600");
      const other = { TMUX: `${stage.directory}/other,1,0`, TMUX_PANE: "%0" };
      const { ended } = stage.start(["--json", "attach", "a", "--print"], { env: other });
      const { code } = await ended;
      const told = toldBy(await ended);
      expect([code, told.error.code]).toEqual([2, "NESTED"]);
      expect(told.error.details.socket).toBe(`${stage.directory}/other`);
      const prefix = () => stage.tmux("show-options", "-t", "=a:", "prefix").out;
      const nested = watched(stage, '"$TROUPE" attach a --nest');
      await onTerminal(
        stage,
        nested,
        async (terminal) => {
          await terminal.draws(shows("a"));
          expect(prefix()).toBe("prefix C-a\n");
          await stage.detach(terminal, "\x01");
          await terminal.ended;
          expect(file(stage, "code")).toBe("0\n");
          expectAsItWas(stage, terminal);
        },
        other,
      );
      await waitFor("the prefix to be put back", () => prefix() === "");
    })());
});

describe("attach never", () => {
  it("creates, and shows no session that is not there", () =>
    onStage(async (stage) => {
      expect((await stage.json("attach", "a", "--print")).told.error.code).toBe("NOT_FOUND");
      await stage.json("create", "ab", "--", "sleep", "600");
      expect((await stage.json("attach", "a", "--print")).told.error.code).toBe("NOT_FOUND");
      stage.tmux("new-session", "-d", "-s", "mine", "sleep 600");
      const foreign = await stage.json("attach", "mine", "--print");
      expect([foreign.code, foreign.told.error.code]).toEqual([4, "FOREIGN_SESSION"]);
      stage.tmux("kill-session", "-t", "=ab");
      const lost = await stage.json("attach", "ab", "--print");
      expect([lost.code, lost.told.error.details.state]).toEqual([3, "lost"]);
      const { told } = await stage.json("attach", "ab");
      expect([told.error.code, told.error.message]).toEqual([
        "USAGE",
        "standard input is not a terminal; --print needs none",
      ]);
    })());
});

describe("--print", () => {
  it("shows an argv that does it, and that does nothing behind the session's end", () =>
    onStage(async (stage) => {
      await stage.json("create", "a", "--", "sleep", "600");
      const line = (await stage.run("attach", "a", "--print")).stdout.trimEnd();
      expect(line).toContain("attach-session");
      await onTerminal(stage, watched(stage, line), async (terminal) => {
        await terminal.draws(shows("a"));
        await stage.detach(terminal);
        await terminal.ended;
        expect(file(stage, "code")).toBe("0\n");
      });
      await stage.json("create", "a", "--replace", "--", "sleep", "600");
      await onTerminal(stage, watched(stage, line), async (terminal) => {
        await terminal.ended;
        expect(file(stage, "code")).toBe("1\n");
        expect(terminal.drawn).not.toContain("\x1b[?1049h");
      });
    })());
});

describe("--keys", () => {
  it("binds the keys of a file, and names the first line that is no binding", () =>
    onStage(async (stage) => {
      await stage.json("create", "a", "--", "sleep", "600");
      const path = join(stage.directory, "keys");
      writeFileSync(path, "# mine\nbind-key -n F12 \\\n  detach-client\nunbind-key x\n");
      const line = `"$TROUPE" attach a --keys ${quoted(path)}`;
      await onTerminal(stage, watched(stage, line), async (terminal) => {
        await terminal.draws(shows("a"));
        terminal.type("\x1b[24~");
        await terminal.ended;
        expect(file(stage, "code")).toBe("0\n");
      });
      expect(stage.tmux("list-keys", "-T", "root", "F12").out).toContain("detach-client");
      writeFileSync(path, "bind-key y kill-session\nset-option -g prefix C-x\n");
      const { code, told } = await stage.json("attach", "a", "--print", "--keys", path);
      expect([code, told.error.code]).toEqual([2, "USAGE"]);
      expect(told.error.message).toContain("line 2: set-option binds no key");
    })());
});
