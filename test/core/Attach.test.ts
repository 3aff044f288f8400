/**
 * Attach: what is to be run, by where the caller is, and that nothing is made or marked by asking.
 */
import { describe, expect, it } from "@effect/vitest";
import { Effect } from "effect";
import { type FakeHome, fakeHome, pass, sleep } from "./FakeHome.js";

/** What `TMUX` says inside the server of the home, or of another one. */
const inside = (home: FakeHome, format = "#{socket_path},#{pid},0") =>
  Effect.map(home.tmux.client(["display-message", "-p", format]), ({ stdout }) => stdout.trim());

const create = (home: FakeHome, session: string) =>
  pass(home.sessions.create({ session, ...sleep }));

/** The list that the client runs when server and mark are right. */
const actOf = ({ argv }: { readonly argv: ReadonlyArray<string> }) => argv.at(-2);

describe("outside tmux", () => {
  it.scoped("a client is to be run that checks server, id and mark before it attaches", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      const { incarnation, server } = yield* create(home, "a");
      const command = yield* home.sessions.attachCommand("a");
      expect([command.how, actOf(command)]).toEqual(["attach", "attach-session -E -t $0"]);
      expect(command.argv.slice(0, 2)).toEqual(["tmux", "-N"]);
      const condition = command.argv.find((word) => word.startsWith("#{&&:"));
      expect(condition).toContain(`,${server?.pid}/${server?.startTime}}`);
      expect(condition).toContain(`,$0/${incarnation}}`);
    }),
  );

  it.scoped("it may be one that sends no keys, and --nest changes nothing", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* create(home, "a");
      const options = { readOnly: true, nest: true, from: { tmux: "" } };
      const command = yield* home.sessions.attachCommand("a", options);
      expect(actOf(command)).toBe("attach-session -E -r -t $0");
    }),
  );

  it.scoped("a session whose program has ended is shown, with how it ended", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* pass(home.sessions.create({ session: "a", cwd: "/", command: ["true"] }));
      const { exit, record } = yield* home.sessions.attachCommand("a");
      expect([record.state, exit]).toEqual(["exited", { code: 0, signal: null }]);
    }),
  );
});

describe("inside another server", () => {
  it.scoped("it is Nested unless that is asked for, and has a prefix while it lasts", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* create(home, "a");
      const from = { tmux: "/tmp/other,7,0", pane: "%0" };
      const refused = yield* Effect.flip(home.sessions.attachCommand("a", { from }));
      expect(refused).toMatchObject({ _tag: "Nested", socket: "/tmp/other" });
      const nested = yield* home.sessions.attachCommand("a", { from, nest: true });
      expect(nested.argv.slice(0, 6)).toEqual(["env", "-u", "TMUX", "-u", "TMUX_PANE", "tmux"]);
      expect(actOf(nested)).toMatch(/^attach-session -E -t \$0 ; .* prefix "C-a"$/);
      const other = yield* home.sessions.attachCommand("a", { from, nest: true, prefix: "M-x" });
      expect(actOf(other)).toContain('prefix "M-x"');
    }),
  );

  it.scoped("a server of another pid at our path, or of our pid at another, is another", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* create(home, "a");
      for (const format of ["#{socket_path},1,0", "/tmp/other,#{pid},0", "what,is,this"]) {
        const from = { tmux: yield* inside(home, format) };
        const refused = yield* Effect.flip(home.sessions.attachCommand("a", { from }));
        expect([format, refused._tag]).toEqual([format, "Nested"]);
      }
    }),
  );
});

describe("inside the same server", () => {
  it.scoped("the client that was used last is switched, and read-only is not turned off", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* create(home, "a");
      yield* create(home, "b");
      const from = { tmux: yield* inside(home), pane: "%0" };
      const nobody = yield* Effect.flip(home.sessions.attachCommand("b", { from }));
      expect(nobody).toMatchObject({ _tag: "TmuxRefused" });
      yield* home.tmux.attach("a", "/dev/pts/9");
      const command = yield* home.sessions.attachCommand("b", { from, readOnly: true });
      expect(command.how).toBe("switch");
      expect(actOf(command)).toMatch(/^switch-client -E -r -c "[^"]+" -t \$1$/);
    }),
  );

  it.scoped("a session is not attached to itself, by pane, mark or terminal", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      const { incarnation, terminals } = yield* create(home, "a");
      const tmux = yield* inside(home);
      for (const [from, why] of [
        [{ tmux, pane: "%0" }, "pane"],
        [{ tmux: "/tmp/other,7,0", incarnation }, "environment"],
        [{ processSession: terminals[0]?.panePid ?? 0 }, "terminal"],
      ] as const) {
        const refused = yield* Effect.flip(home.sessions.attachCommand("a", { from, nest: true }));
        expect(refused).toMatchObject({ _tag: "SelfAttach", why });
      }
    }),
  );
});

describe("attach never", () => {
  it.scoped("makes a session, or shows one that is not ours or not there", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      const never = yield* Effect.flip(home.sessions.attachCommand("a"));
      expect(never).toMatchObject({ _tag: "NotFound", state: null });
      expect(yield* home.inTmux).toEqual([]);
      yield* create(home, "a");
      yield* create(home, "ab");
      yield* pass(home.sessions.delete("a"));
      const deleted = yield* Effect.flip(home.sessions.attachCommand("a"));
      expect(deleted).toMatchObject({ _tag: "NotFound", state: "deleted" });
      yield* home.tmux.client(["kill-session", "-t", "=ab"]);
      const before = yield* home.rows;
      const gone = yield* Effect.flip(home.sessions.attachCommand("ab"));
      expect(gone).toMatchObject({ _tag: "NotFound", state: "lost" });
      expect(yield* home.rows).toEqual(before);
      yield* home.tmux.client(["new-session", "-d", "-s", "mine", "sleep 1000"]);
      const foreign = yield* Effect.flip(home.sessions.attachCommand("mine"));
      expect(foreign._tag).toBe("ForeignSession");
    }),
  );

  it.scoped(
    "gives the server a text that does anything but bind keys, or a prefix that is none",
    () =>
      Effect.gen(function* () {
        const home = yield* fakeHome();
        yield* create(home, "a");
        const keys = "bind-key x kill-session\nset-option -g status off";
        const refused = yield* Effect.flip(home.sessions.attachCommand("a", { keys }));
        expect(refused).toMatchObject({ detail: "line 2: set-option binds no key" });
        const none = yield* Effect.flip(home.sessions.attachCommand("a", { prefix: "Q-q" }));
        expect(none).toMatchObject({ _tag: "TmuxRefused", detail: "Q-q is no key" });
      }),
  );
});
