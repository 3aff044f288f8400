/**
 * Snapshots on a real tmux and a real disk: whole files of one user, kept past the session.
 */
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@effect/vitest";
import { Effect } from "effect";
import { realHome } from "./RealHome.js";

const talking = { command: ["sh", "-c", "seq 5000; exec sleep 600"], cwd: "/" };
const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

describe("on a real tmux a delete", () => {
  it.scopedLive("keeps the end of the history in a file of its user alone", () =>
    Effect.gen(function* () {
      const home = yield* realHome;
      const sessions = yield* home.sessions();
      const umask = process.umask(0);
      yield* sessions.create({ session: "a", ...talking });
      const deleted = yield* sessions.delete("a");
      process.umask(umask);
      expect(deleted.snapshot).toBe("kept");
      const [kept] = yield* sessions.snapshots("a");
      const place = kept?.place ?? "";
      const snapshot = JSON.parse(readFileSync(place, "utf8"));
      expect(snapshot).toMatchObject({ session: "a", generation: 1, terminal: "main" });
      expect(snapshot.truncated).toBe(true);
      expect(snapshot.text.split("\n").at(-1)).toBe("5000");
      const directory = join(home.directory, "home", "snapshots");
      expect([modeOf(place), modeOf(join(directory, "a")), modeOf(directory)]).toEqual([
        "600",
        "700",
        "700",
      ]);
      expect(readdirSync(join(directory, "a"))).toEqual(["1-main.json"]);
    }),
  );

  it.scopedLive("is done although nothing can be kept, and leaves no half file", () =>
    Effect.gen(function* () {
      const home = yield* realHome;
      const sessions = yield* home.sessions();
      yield* sessions.create({ session: "a", ...talking });
      const place = join(home.directory, "home", "snapshots");
      writeFileSync(place, "in the way");
      expect((yield* sessions.delete("a")).snapshot).toBe("failed");
      expect((yield* sessions.get("a")).state).toBe("deleted");
      expect((yield* Effect.flip(sessions.snapshots("a")))._tag).toBe("LookupFailed");
    }),
  );

  it.scopedLive("keeps nothing where nothing may be written, and the list of none is empty", () =>
    Effect.gen(function* () {
      const home = yield* realHome;
      const sessions = yield* home.sessions();
      expect(yield* sessions.snapshots("a")).toEqual([]);
      yield* sessions.create({ session: "a", ...talking });
      const directory = join(home.directory, "home", "snapshots", "a");
      mkdirSync(directory, { recursive: true });
      mkdirSync(join(directory, "1-main.json"));
      expect((yield* sessions.delete("a")).snapshot).toBe("failed");
      expect(readdirSync(directory)).toEqual(["1-main.json"]);
      chmodSync(directory, 0o700);
    }),
  );

  it.scopedLive("of which the snapshot is no whole one is told as that, and never as nothing", () =>
    Effect.gen(function* () {
      const home = yield* realHome;
      const sessions = yield* home.sessions();
      yield* sessions.create({ session: "a", ...talking });
      yield* sessions.delete("a");
      expect((yield* sessions.capture("a", { lines: 1 })).text).toBe("5000");
      const [kept] = yield* sessions.snapshots("a");
      writeFileSync(kept?.place ?? "", '{"session":"a"');
      expect((yield* Effect.flip(sessions.capture("a")))._tag).toBe("LookupFailed");
    }),
  );
});
