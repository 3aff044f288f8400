/**
 * A server that a user set up against us: his options and hooks, on our own server.
 *
 * Method: everything is set on the server that troupe started, so that each later session is made
 * under it; then one session lives its whole life, looked at while the user looks elsewhere.
 */
import { describe, expect, it } from "@effect/vitest";
import { Effect } from "effect";
import { waitFor } from "../support/Waiting.js";
import { realHome } from "./RealHome.js";

const hostile: ReadonlyArray<ReadonlyArray<string>> = [
  ["set-option", "-g", "base-index", "1"],
  ["set-window-option", "-g", "pane-base-index", "1"],
  ["set-option", "-g", "renumber-windows", "on"],
  ["set-option", "-g", "destroy-unattached", "on"],
  ["set-option", "-g", "detach-on-destroy", "off"],
  ["set-option", "-g", "default-command", "exit 9"],
  ["set-option", "-g", "mouse", "on"],
  ["set-window-option", "-g", "remain-on-exit", "off"],
  ["set-window-option", "-g", "automatic-rename", "on"],
  ["set-window-option", "-g", "synchronize-panes", "on"],
  ["set-window-option", "-g", "mode-keys", "vi"],
  ["set-hook", "-g", "after-new-session", "display-message -p hooked"],
  ["set-hook", "-g", "after-new-window", "display-message -p hooked"],
  ["set-hook", "-g", "pane-died", "set-option -g @died 1"],
];

const until = <A>(what: string, look: () => A | null) =>
  Effect.promise(() => waitFor(what, () => look() ?? null));

describe("on a real tmux, under a user's own options and hooks", () => {
  it.scopedLive("a session lives its whole life, and its terminals stay what they are", () =>
    Effect.gen(function* () {
      const home = yield* realHome;
      const sessions = yield* home.sessions();
      yield* sessions.create({ session: "first", cwd: "/", command: ["sleep", "600"] });
      for (const words of hostile) home.tmux(...words);
      const script = "echo ready; read line; echo got $line > out; sleep 0.2; exit 7";
      const command = ["sh", "-c", script];
      yield* sessions.create({ session: "a", cwd: home.directory, command });
      yield* sessions.addTerminal({ session: "a", command: ["cat"] });
      // A client that comes and goes: an unattached session would be destroyed behind it.
      expect(home.control("a", "list-windows")).toContain("%exit");
      home.tmux("split-window", "-t", "=a:", "exec sleep 600");
      home.tmux("new-window", "-t", "=a:", "exec sleep 600");
      const view = yield* sessions.get("a");
      expect(view.seen).toMatchObject({ state: "present" });
      expect(view.terminals.map(({ state, terminal }) => [terminal, state])).toEqual([
        ["main", "running"],
        ["t2", "running"],
      ]);
      expect((yield* sessions.capture("a")).text).toContain("ready");
      expect((yield* sessions.send("a", "mine\n")).status).toBe("delivered");
      yield* until("what was sent", () => home.find("out") || null);
      expect(home.read("out")).toBe("got mine\n");
      yield* sessions.wait("a", { exit: true });
      expect((yield* sessions.reconcile("a")).after).toBe("running");
      const after = yield* sessions.get("a");
      expect(after.terminals).toMatchObject([{ state: "exited", exit: { code: 7 } }, {}]);
      yield* sessions.deleteTerminal("a", "t2");
      expect(yield* sessions.delete("a")).toMatchObject({ alreadyGone: false });
      expect(home.tmux("list-sessions", "-F", "#{session_name}")).toBe("first");
    }),
  );
});
