/**
 * What troupe did not make: sessions of a user, of another home, of a name that is a prefix, and
 * the user's own configuration. None of it is touched, read or taken for ours.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@effect/vitest";
import { Effect } from "effect";
import { realHome } from "./RealHome.js";

const sleep = { command: ["sleep", "600"], cwd: "/" };

describe("on a real tmux", () => {
  it.scopedLive(
    "a name that is a prefix or a pattern of another is NotFound, and that one lives",
    () =>
      Effect.gen(function* () {
        const home = yield* realHome;
        const sessions = yield* home.sessions();
        yield* sessions.create({ session: "foo-bar", ...sleep });
        const verbs: ReadonlyArray<
          (session: string) => Effect.Effect<unknown, { readonly _tag: string }>
        > = [sessions.delete, sessions.reconcile, sessions.get, sessions.capture];
        for (const verb of verbs) {
          expect((yield* Effect.flip(verb("foo")))._tag).toBe("NotFound");
        }
        expect((yield* Effect.flip(sessions.delete("f*")))._tag).toBe("InvalidName");
        expect(home.tmux("list-sessions", "-F", "#{session_name}")).toBe("foo-bar");
      }),
  );

  it.scopedLive(
    "a session that a user made is ForeignSession to a create and nothing to the rest",
    () =>
      Effect.gen(function* () {
        const home = yield* realHome;
        const sessions = yield* home.sessions();
        yield* sessions.create({ session: "ours", ...sleep });
        home.tmux("new-session", "-d", "-s", "theirs", "sleep 600");
        const error = yield* Effect.flip(sessions.create({ session: "theirs", ...sleep }));
        const id = home.tmux("display-message", "-p", "-t", "=theirs:", "#{session_id}");
        expect(error).toMatchObject({ _tag: "ForeignSession", sessionId: id });
        expect((yield* Effect.flip(sessions.delete("theirs")))._tag).toBe("NotFound");
        expect((yield* sessions.list()).sessions.map((s) => s.session)).toEqual(["ours"]);
        expect((yield* sessions.reconcileAll).map((item) => item.session)).toEqual(["ours"]);
        expect(yield* sessions.stopServer).toBe("kept");
        expect(home.tmux("list-panes", "-t", "=theirs:", "-F", "#{pane_dead}")).toBe("0");
      }),
  );

  it.scopedLive("a session of another home on the same server is a stranger", () =>
    Effect.gen(function* () {
      const home = yield* realHome;
      const ours = yield* home.sessions();
      const elsewhere = { home: join(home.directory, "other") };
      const others = yield* home.sessions(elsewhere);
      yield* others.create({ session: "a", ...sleep });
      const error = yield* Effect.flip(ours.create({ session: "a", ...sleep }));
      expect(error._tag).toBe("ForeignSession");
      expect(yield* ours.reconcileAll).toEqual([]);
      expect((yield* others.get("a")).seen.state).toBe("present");
    }),
  );

  it.scopedLive("a session that took the name of ours is not ours: the row is lost, it lives", () =>
    Effect.gen(function* () {
      const home = yield* realHome;
      const sessions = yield* home.sessions();
      yield* sessions.create({ session: "a", ...sleep });
      home.tmux("kill-session", "-t", "=a");
      home.tmux("new-session", "-d", "-s", "a", "sleep 600");
      const result = yield* sessions.reconcile("a");
      expect(result).toMatchObject({ before: "running", after: "lost", why: "replaced" });
      expect((yield* sessions.delete("a")).alreadyGone).toBe(true);
      expect(home.tmux("list-panes", "-t", "=a:", "-F", "#{pane_dead}")).toBe("0");
    }),
  );

  it.scopedLive("a rename by a user does not hide ours", () =>
    Effect.gen(function* () {
      const home = yield* realHome;
      const sessions = yield* home.sessions();
      yield* sessions.create({ session: "a", ...sleep });
      home.tmux("rename-session", "-t", "=a", "b");
      expect((yield* sessions.get("a")).seen.state).toBe("present");
      expect((yield* sessions.delete("a")).alreadyGone).toBe(false);
      expect(home.tmux("list-sessions")).toBe("");
    }),
  );

  it.scopedLive(
    "the user's tmux.conf is not read, and what the server inherits is an allow-list",
    () =>
      Effect.gen(function* () {
        const home = yield* realHome;
        const conf = "set-hook -g after-new-session 'kill-server'\nset -g base-index 7\n";
        writeFileSync(join(home.directory, ".tmux.conf"), conf);
        const before = { ...process.env };
        Object.assign(process.env, {
          HOME: home.directory,
          CANARY: "canary-of-the-first-starter",
          TMUX: "/nowhere,1,0",
          TMUX_PANE: "%0",
        });
        const sessions = yield* home.sessions().pipe(
          Effect.ensuring(
            Effect.sync(() => {
              process.env = before;
            }),
          ),
        );
        yield* sessions.create({
          session: "a",
          cwd: home.directory,
          command: ["sh", "-c", "env > out; exec sleep 600"],
        });
        expect(home.tmux("list-windows", "-t", "=a:", "-F", "#{window_index}")).toBe("0");
        expect(home.tmux("show-environment", "-g")).not.toContain("CANARY");
        expect(home.tmux("show-environment", "-t", "=a:")).not.toContain("CANARY");
        expect(home.read("out")).not.toContain("CANARY");
      }),
  );
});
