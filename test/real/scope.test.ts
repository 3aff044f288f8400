/**
 * A tmux server in a scope of systemd of its own: what is started for it, and what fails without.
 *
 * A program stands in for `systemd-run`. It writes down its words and becomes what follows them, as
 * the real one does in a scope. What a scope is worth is shown in test/multi-process.
 */
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@effect/vitest";
import { scopeStarter } from "@troupe/node";
import { Effect } from "effect";
import { quoted } from "../support/Place.js";
import { realTmux } from "../support/Wrapper.js";
import { type RealHome, realHome } from "./RealHome.js";

const sleep = { command: ["sleep", "600"], cwd: "/" };
const byRoot = process.getuid?.() === 0;

/** A search path whose only `systemd-run` does this first; `$*` is what it was called with. */
const withSystemd = ({ directory }: RealHome, script: string): string => {
  const bin = join(directory, "bin");
  mkdirSync(bin);
  const program = join(bin, "systemd-run");
  const told = quoted(join(directory, "told"));
  const follow = 'while [ "$1" != -- ]; do shift; done; shift; exec "$@"';
  writeFileSync(program, `#!/bin/sh\nprintf '%s\\n' "$*" >> ${told}\n${script}\n${follow}\n`);
  chmodSync(program, 0o755);
  return `${bin}:/usr/bin:/bin`;
};

const REFUSED = "Failed to connect to bus: No medium found";

describe("a server with a scope of its own", () => {
  it.scopedLive("is started by systemd-run, once, and its clients are not", () =>
    Effect.gen(function* () {
      const home = yield* realHome;
      const sessions = yield* home.scoped(withSystemd(home, ""), { tmux: realTmux() });
      yield* sessions.create({ session: "a", ...sleep });
      yield* sessions.create({ session: "b", ...sleep });
      const [tried, started, ...more] = home.read("told").trimEnd().split("\n");
      const words = [
        ...(byRoot ? [] : ["--user"]),
        "--scope --quiet --collect",
        "--property=Delegate=yes",
        `--description=tmux server of troupe at ${home.socket} --`,
        ...(byRoot ? [] : ["/usr/bin/env -u XDG_RUNTIME_DIR"]),
      ].join(" ");
      expect(tried).toBe(`${words} true`);
      expect(started).toContain(`${words} ${realTmux()} -u -S ${home.socket} -f /dev/null`);
      expect(more).toEqual([]);
      expect(home.tmux("show-environment", "-g")).not.toContain("XDG_RUNTIME_DIR");
      expect(yield* sessions.delete("a")).toMatchObject({ alreadyGone: false });
      expect((yield* sessions.get("b")).seen.state).toBe("present");
    }),
  );

  it("is of the user's manager for whoever is not root, of which the server learns nothing", () => {
    const { argv } = scopeStarter("/bin/systemd-run", "/h/s", 1000, new Map([["BUS", "unix:"]]));
    expect(argv.slice(0, 5)).toEqual([
      ...["/bin/systemd-run", "--user", "--scope", "--quiet", "--collect"],
    ]);
    expect(argv.slice(-4)).toEqual(["--", "/usr/bin/env", "-u", "BUS"]);
    expect(scopeStarter("/bin/systemd-run", "/h/s", 0, new Map()).argv).not.toContain("--user");
  });

  it.scopedLive("is refused where there is no systemd-run, before anything is made", () =>
    Effect.gen(function* () {
      const home = yield* realHome;
      const error = yield* Effect.flip(home.scoped(home.directory));
      expect(error._tag).toBe("ServerScopeUnavailable");
      expect(error.message).toBe(
        "the tmux server cannot be given a scope of systemd of its own: systemd-run: it is not on PATH",
      );
      expect([existsSync(join(home.directory, "home")), home.answers()]).toEqual([false, false]);
    }),
  );

  it.scopedLive("is refused in the manager's words where there is none", () =>
    Effect.gen(function* () {
      const home = yield* realHome;
      const path = withSystemd(home, `echo '${REFUSED}' >&2; exit 1`);
      const error = yield* Effect.flip(home.scoped(path));
      expect([error._tag, error.detail]).toEqual(["ServerScopeUnavailable", REFUSED]);
      expect(existsSync(join(home.directory, "home"))).toBe(false);
    }),
  );

  it.scopedLive("is not started outside of it when the manager goes later", () =>
    Effect.gen(function* () {
      const home = yield* realHome;
      const script = `case "$*" in *" true") ;; *) echo '${REFUSED}' >&2; exit 1 ;; esac`;
      const sessions = yield* home.scoped(withSystemd(home, script), { tmux: realTmux() });
      const error = yield* Effect.flip(sessions.create({ session: "a", ...sleep }));
      expect([error._tag, error.message]).toEqual([
        "LookupFailed",
        expect.stringContaining(REFUSED),
      ]);
      expect([home.answers(), (yield* sessions.list()).sessions]).toEqual([false, []]);
    }),
  );
});
