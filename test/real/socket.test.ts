/**
 * The path of the socket and the server behind it: what stands there and is no server of ours, and
 * that a server is still there when its last session has gone.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@effect/vitest";
import { ServerSocket } from "@troupe/core";
import { NodeServerSocket } from "@troupe/node";
import { Effect } from "effect";
import { quoted, socketsFit } from "../support/Place.js";
import { lives } from "../support/Processes.js";
import { beforeList, writeWrapper } from "../support/Wrapper.js";
import { realHome } from "./RealHome.js";

const sleep = { command: ["sleep", "600"], cwd: "/" };

/** Whether the process was started for the socket at this path. */
const servedBy = (pid: number) => (socket: string) =>
  Effect.flatMap(ServerSocket, ({ isServedBy }) => isServedBy(pid)).pipe(
    Effect.provide(NodeServerSocket.layer({ socket })),
  );

describe("on a real tmux", () => {
  it.scopedLive.runIf(socketsFit)(
    "a plain file at the path of the socket is not the end of the server, and is left alone",
    () =>
      Effect.gen(function* () {
        const home = yield* realHome;
        const sessions = yield* home.sessions();
        const { terminals } = yield* sessions.create({ session: "a", ...sleep });
        renameSync(home.socket, `${home.socket}.away`);
        writeFileSync(home.socket, "a note\n");
        const verbs: ReadonlyArray<Effect.Effect<unknown, { readonly _tag: string }>> = [
          sessions.delete("a"),
          sessions.reconcile("a"),
          sessions.create({ session: "b", ...sleep }),
        ];
        for (const verb of verbs) expect((yield* Effect.flip(verb))._tag).toBe("LookupFailed");
        expect(home.read("s")).toBe("a note\n");
        expect(lives(terminals[0]?.panePid ?? 0)).toBe(true);
        renameSync(`${home.socket}.away`, home.socket);
        expect((yield* sessions.delete("a")).alreadyGone).toBe(false);
      }),
  );

  it.scopedLive(
    "another server that took the path is not asked to answer for ours, and is left alone",
    () =>
      Effect.gen(function* () {
        const home = yield* realHome;
        const sessions = yield* home.sessions();
        const { terminals } = yield* sessions.create({ session: "a", ...sleep });
        renameSync(home.socket, `${home.socket}.away`);
        home.tmux("new-session", "-d", "-s", "a", "sleep 600");
        const { delete: remove, reconcile } = sessions;
        const split = { _tag: "LookupFailed", reason: "split-server" };
        expect(yield* Effect.flip(remove("a"))).toMatchObject(split);
        expect(yield* Effect.flip(reconcile("a"))).toMatchObject(split);
        expect(home.tmux("list-sessions", "-F", "#{session_name}")).toBe("a");
        home.tmux("kill-server");
        renameSync(`${home.socket}.away`, home.socket);
        expect((yield* sessions.delete("a")).alreadyGone).toBe(false);
        expect(lives(terminals[0]?.panePid ?? 0)).toBe(false);
      }),
  );

  it.scopedLive("the server outlives its last session, so that a create beside it is safe", () =>
    Effect.gen(function* () {
      const home = yield* realHome;
      const sessions = yield* home.sessions();
      const names = ["a", "b", "c"];
      yield* Effect.forEach(names, (session) => sessions.create({ session, ...sleep }), {
        concurrency: "unbounded",
      });
      const server = home.tmux("display-message", "-p", "#{pid} #{exit-empty}");
      yield* Effect.forEach(names, (session) => sessions.delete(session), {
        concurrency: "unbounded",
      });
      expect(home.tmux("list-sessions")).toBe("");
      expect(home.tmux("display-message", "-p", "#{pid} #{exit-empty}")).toBe(server);
      expect(server).toMatch(/ 0$/);
      yield* sessions.create({ session: "a", ...sleep });
    }),
  );

  it.scopedLive.runIf(socketsFit)(
    "a home that is named through a link is the same home, with the same server",
    () =>
      Effect.gen(function* () {
        const home = yield* realHome;
        const sessions = yield* home.sessions();
        yield* sessions.create({ session: "a", ...sleep });
        const link = join(home.directory, "link");
        symlinkSync(home.directory, link);
        const places = { home: join(link, "home"), socket: join(link, "s") };
        const others = yield* home.sessions(places);
        expect((yield* others.get("a")).seen.state).toBe("present");
        yield* others.create({ session: "b", ...sleep });
        const marks = home.tmux("list-sessions", "-F", "#{@troupe-home}").split("\n");
        expect([marks.length, new Set(marks).size]).toEqual([2, 1]);
        expect((yield* others.delete("a")).alreadyGone).toBe(false);
        expect((yield* sessions.get("a")).state).toBe("deleted");
      }),
  );

  it.scopedLive.runIf(socketsFit)(
    "a server is of a socket by the file that its path leads to, links and all",
    () =>
      Effect.gen(function* () {
        const home = yield* realHome;
        const link = join(home.directory, "link");
        symlinkSync(home.directory, link);
        home.tmux("new-session", "-d", "-s", "x", "sleep 600");
        const pid = Number(home.tmux("display-message", "-p", "#{pid}"));
        const inner = join(home.directory, "home", "s");
        const paths = [home.socket, join(link, "s"), join(link, "t"), inner];
        expect(yield* Effect.forEach(paths, servedBy(pid))).toEqual([true, true, false, false]);
        mkdirSync(join(home.directory, "home"));
        expect(yield* servedBy(pid)(inner)).toBe(false);
      }),
  );

  const mounting = spawnSync("unshare", ["-rm", "true"]).status === 0;
  it.scopedLive.runIf(mounting && socketsFit)(
    "what has another directory at the path, as in a container, is of none of our sockets",
    () =>
      Effect.gen(function* () {
        const home = yield* realHome;
        const told: Array<boolean> = [];
        for (const first of [":", 'mount -t tmpfs none "$2"']) {
          const script = `${first} && echo ready && sleep 600; :`;
          const words = ["-rm", "sh", "-c", script, "-S", home.socket, home.directory];
          const env = { ...process.env, HOME: home.directory };
          const child = spawn("unshare", words, { env, stdio: ["ignore", "pipe", "ignore"] });
          yield* Effect.promise(() => once(child.stdout, "data"));
          told.push(yield* servedBy(child.pid ?? 0)(home.socket));
        }
        expect(told).toEqual([true, false]);
      }),
  );

  it.scopedLive("a kill meets its own session, and none whose name begins the same way", () =>
    Effect.gen(function* () {
      const home = yield* realHome;
      const sessions = yield* home.sessions();
      yield* sessions.create({ session: "cao-a", ...sleep });
      yield* sessions.create({ session: "cao-ab", ...sleep });
      // The session goes between the look and the kill, when its name fits the other alone.
      const kill = `$REAL -S ${quoted(home.socket)} kill-session -t =cao-a`;
      const vanish = `${kill} && echo gone > "$STAGE/vanished"`;
      const script = beforeList("kill-session", vanish);
      const tmux = writeWrapper(home.directory, "vanishing", script);
      yield* (yield* home.sessions({ tmux, connection: false })).delete("cao-a");
      expect(home.read("vanished")).toBe("gone\n");
      expect(home.tmux("list-sessions", "-F", "#{session_name}")).toBe("cao-ab");
      expect((yield* sessions.get("cao-a")).state).toBe("deleted");
      expect((yield* sessions.get("cao-ab")).seen.state).toBe("present");
    }),
  );
});
