/**
 * Input on a real tmux: what a program reads is what was sent, to the byte, whole and once.
 *
 * Programs write what they read to a file of the test, in a terminal without echo or line editing.
 * A user's copy mode, focus and split panes do not matter, and no text is ever in an argv.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@effect/vitest";
import { Effect } from "effect";
import { keyOf } from "../../packages/core/src/Keys.js";
import { commandLinesWith } from "../support/Processes.js";
import { waitFor } from "../support/Waiting.js";
import { writeWrapper } from "../support/Wrapper.js";
import { type RealHome, realHome } from "./RealHome.js";

/** Reads everything into `out` of its HOME, once `ready` is there. */
const reader = (first = "") =>
  [
    "sh",
    "-c",
    `stty raw -echo; printf '${first}'; : >"$HOME/ready"; exec cat >"$HOME/out"`,
  ] as const;

const until = <A>(what: string, look: () => A) => Effect.promise(() => waitFor(what, look));

const isThere = (home: RealHome, name: string): boolean => {
  try {
    return readFileSync(join(home.directory, name)).length >= 0;
  } catch {
    return false;
  }
};

const reading = Effect.fnUntraced(function* (first = "", options = {}) {
  const home = yield* realHome;
  const sessions = yield* home.sessions(options);
  yield* sessions.create({ session: "a", command: reader(first), cwd: "/", log: false });
  yield* until("the reader", () => isThere(home, "ready"));
  const out = () => readFileSync(join(home.directory, "out"));
  const read = (bytes: number) =>
    Effect.map(
      until(`${bytes} bytes`, () => out().length >= bytes),
      () => out(),
    );
  return { home, sessions, read };
});

/** Bytes that repeat nowhere near, none of them a NUL. */
const noise = (size: number): Uint8Array => {
  let state = 1;
  return Uint8Array.from({ length: size }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return 1 + ((state >>> 16) % 255);
  });
};

describe("on a real tmux input", () => {
  it.scopedLive("of every byte but NUL arrives as it is", () =>
    Effect.gen(function* () {
      const { read, sessions } = yield* reading();
      const all = Uint8Array.from({ length: 255 }, (_, index) => index + 1);
      expect((yield* sessions.send("a", all)).status).toBe("delivered");
      expect(Uint8Array.from(yield* read(255))).toEqual(all);
    }),
  );

  it.scopedLive("of four megabytes arrives as it is, and nothing of it is left in tmux", () =>
    Effect.gen(function* () {
      const { home, read, sessions } = yield* reading();
      const bytes = noise(4 * 1024 * 1024);
      const sent = yield* sessions.send("a", bytes);
      expect(sent).toMatchObject({ bytes: bytes.length, keys: 0, status: "delivered" });
      expect(Buffer.compare(yield* read(bytes.length), Buffer.from(bytes))).toBe(0);
      expect(home.tmux("list-buffers")).toBe("");
    }),
  );

  it.scopedLive("of several senders in two programs is whole blocks", () =>
    Effect.gen(function* () {
      const { home, read, sessions } = yield* reading();
      const other = yield* home.sessions();
      const blocks = ["x", "y", "z"].map((letter) => letter.repeat(10_000));
      yield* Effect.forEach(
        blocks,
        (text, at) => (at === 0 ? other : sessions).send("a", { text, enter: true }),
        { concurrency: "unbounded" },
      );
      const text = (yield* read(30_003)).toString("latin1");
      expect(text.split("\r").sort()).toEqual(["", ...blocks]);
    }),
  );

  it.scopedLive("leaves copy mode, and a tree above it, first, and arrives once", () =>
    Effect.gen(function* () {
      const { home, read, sessions } = yield* reading();
      home.tmux("copy-mode", "-t", "=a:");
      home.tmux("choose-tree", "-t", "=a:");
      yield* sessions.send("a", { text: "hello", enter: true });
      home.tmux("copy-mode", "-t", "=a:");
      yield* sessions.send("a", { keys: ["q"] });
      expect((yield* read(7)).toString()).toBe("hello\rq");
      expect(home.tmux("display-message", "-p", "-t", "=a:", "#{pane_in_mode}")).toBe("0");
    }),
  );

  it.scopedLive(
    "is a bracketed paste where the program asked for it, also with its end in it",
    () =>
      Effect.gen(function* () {
        const { read, sessions } = yield* reading("\\033[?2004h");
        yield* sessions.send("a", { text: "one\ntwo \u001b[201~", enter: true });
        const whole = "\u001b[200~one\ntwo \u001b[201~\u001b[201~\r";
        expect((yield* read(whole.length)).toString()).toBe(whole);
      }),
  );

  it.scopedLive("goes to the pane that was made for the terminal, whatever a user looks at", () =>
    Effect.gen(function* () {
      const { home, read, sessions } = yield* reading();
      home.tmux("split-window", "-t", "=a:", "exec cat >/dev/null");
      home.tmux("new-window", "-t", "=a:", "exec cat >/dev/null");
      home.tmux("rename-session", "-t", "=a", "b");
      expect((yield* sessions.send("a", "mine")).status).toBe("delivered");
      expect((yield* read(4)).toString()).toBe("mine");
    }),
  );

  it.scopedLive("is every key of the table, none dropped and none typed by its name", () =>
    Effect.gen(function* () {
      const { home, sessions } = yield* reading();
      const plain = Array.from({ length: 94 }, (_, index) => String.fromCharCode(index + 33));
      const named = "Enter Escape Space Tab BTab BSpace Up Left Home End IC DC PPage PgDn F1 F12";
      const fronts = ["", "C-", "M-", "S-", "C-M-", "C-S-", "M-S-", "C-M-S-"];
      const words = fronts.flatMap((front) =>
        [...plain, ...named.split(" ")].map((key) => front + key),
      );
      const keys = words.filter((word) => keyOf(word) !== null && !/\|$/.test(word));
      yield* sessions.send("a", { keys: keys.flatMap((key) => [key, "|"]) });
      const text = yield* until("the last key", () => {
        const seen = home.find("out");
        return seen.split("|").length > keys.length ? seen : null;
      });
      const sent = text.split("|").slice(0, -1);
      expect(sent.length).toBe(keys.length);
      expect(keys.filter((_, at) => sent[at] === "")).toEqual([]);
      expect(keys.filter((key, at) => key.length > 1 && sent[at] === key)).toEqual([]);
    }),
  );

  it.scopedLive("presses Enter late enough for a program that drops it behind a paste", () =>
    Effect.gen(function* () {
      const home = yield* realHome;
      // Longer than by itself: a busy machine may run the program that late.
      const sessions = yield* home.sessions({ settings: { inputSettleMs: 2_000 } });
      const script = `
        const { writeFileSync } = require("node:fs");
        let last = 0, text = "";
        process.stdin.setRawMode(true);
        process.stdin.on("data", (data) => {
          const now = performance.now();
          if (String(data) !== "\\r") { last = now; text += data; return; }
          writeFileSync(process.env.HOME + "/got", now - last < 200 ? "dropped" : text);
        });
        writeFileSync(process.env.HOME + "/ready", "");`;
      yield* sessions.create({ session: "a", command: [process.execPath, "-e", script], cwd: "/" });
      yield* until("the program", () => isThere(home, "ready"));
      yield* sessions.send("a", { text: "a prompt", enter: true });
      expect(yield* until("Enter", () => home.find("got") || null)).toBe("a prompt");
    }),
  );
});

describe("on a real tmux no text that is sent", () => {
  it.scopedLive("is in an argv, in the log of tmux, or in a buffer that stays", () =>
    Effect.gen(function* () {
      const home = yield* realHome;
      const logging = 'printf "%s\\n" "$*" >>"$STAGE/argv"; exec $REAL "$@"';
      const tmux = writeWrapper(home.directory, "logging", logging);
      const sessions = yield* home.sessions({ tmux });
      yield* sessions.create({ session: "a", command: reader(), cwd: "/", log: false });
      yield* until("the reader", () => isThere(home, "ready"));
      const canary = `canary${process.pid}`;
      yield* sessions.send("a", { text: canary.repeat(1000), keys: ["C-c"], enter: true });
      yield* until("the text", () => home.find("out").endsWith("\r"));
      expect(home.read("argv")).toContain("load-buffer");
      expect(home.read("argv")).not.toContain("canary");
      expect(commandLinesWith(canary)).toEqual([]);
      expect(home.tmux("list-buffers")).toBe("");
      expect(home.control("a", "show-messages")).not.toContain("canary");
    }),
  );
});

describe("on a real tmux input is refused", () => {
  it.scopedLive("by a terminal whose program has ended, whose session lives on", () =>
    Effect.gen(function* () {
      const home = yield* realHome;
      const sessions = yield* home.sessions();
      yield* sessions.create({ session: "a", command: ["sleep", "600"], cwd: "/" });
      yield* sessions.addTerminal({ session: "a", command: ["true"], startWindowMs: 2_000 });
      const error = yield* Effect.flip(sessions.send("a", "x", { terminal: "t2" }));
      expect(error).toMatchObject({ _tag: "TmuxRefused", session: "a" });
      expect((yield* sessions.get("a")).seen.state).toBe("present");
    }),
  );

  it.scopedLive("by a terminal whose input a user turned off, and none of it comes later", () =>
    Effect.gen(function* () {
      const { home, read, sessions } = yield* reading();
      home.tmux("select-pane", "-d", "-t", "=a:");
      for (const input of ["text", { enter: true }]) {
        const error = yield* Effect.flip(sessions.send("a", input));
        expect(error).toMatchObject({ _tag: "TmuxRefused" });
      }
      expect(home.tmux("list-buffers")).toBe("");
      home.tmux("select-pane", "-e", "-t", "=a:");
      yield* sessions.send("a", "on");
      expect((yield* read(2)).toString()).toBe("on");
    }),
  );
});
