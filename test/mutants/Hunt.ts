/**
 * Hunt: an edit of one's own, given as a diff, held against every world until one of them fails.
 *
 * It says which world noticed, with its shortest counterexample, or that none did. The edit is made
 * in a copy; two processes share the worlds, and what one of them found ends the other.
 */
import { execFileSync, spawn } from "node:child_process";
import { dirname, resolve } from "node:path";
import type { Failure } from "@troupe/testing";
import { top, withCopy } from "./Copy.js";
import { badEdit, printed, ROOM } from "./Verdict.js";
import { withBundle } from "./WorldBundle.js";

const PARTS = 2;

/** All that there are take a third of it. */
const DEADLINE_MS = 3_600_000;

/** The world that failed, and how long it took to. */
interface Found {
  readonly world: string;
  readonly failure: Failure;
  readonly schedules: number;
  readonly ms: number;
}

/** What one process found in its share; rejects when it was ended, or said nothing. */
const share = (bundle: string, part: number, ended: AbortSignal): Promise<Found | null> =>
  new Promise((fulfil, reject) => {
    const child = spawn(process.execPath, [ROOM, bundle, String(part), String(PARTS)], {
      stdio: ["ignore", "pipe", "inherit"],
      signal: ended,
      killSignal: "SIGKILL",
      timeout: DEADLINE_MS,
    });
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
    });
    child.on("error", reject);
    child.on("close", (code) => {
      const last = text.trim().split("\n").pop() ?? "";
      if (code === 0 && last !== "") fulfil(JSON.parse(last));
      else reject(new Error(`exit code ${code}\n${text.slice(-500)}`));
    });
  });

/** What the first process found that found anything; `null` when all of them found nothing. */
const firstFound = async (bundle: string): Promise<Found | null> => {
  const ended = new AbortController();
  try {
    return await new Promise<Found | null>((fulfil, reject) => {
      let left = PARTS;
      for (let part = 0; part < PARTS; part += 1) {
        share(bundle, part, ended.signal).then((found) => {
          left -= 1;
          if (found !== null || left === 0) fulfil(found);
        }, reject);
      }
    });
  } finally {
    ended.abort();
  }
};

/** Makes the edit that is in the file and tells what notices it; whether anything did. */
export const hunted = (file: string): Promise<boolean> =>
  withCopy(top, async (copy) => {
    // No repository around the copy has a word in this.
    const env = { ...process.env, GIT_CEILING_DIRECTORIES: dirname(copy) };
    execFileSync("git", ["apply", resolve(file)], { cwd: copy, env, stdio: "inherit" });
    const since = performance.now();
    const found = await withBundle(copy, "test/mutants/HuntMain.ts", firstFound);
    const seconds = ((performance.now() - since) / 1000).toFixed(1);
    if (found === null) {
      console.log(`SURVIVED every world, in ${seconds} s`);
      return false;
    }
    const { failure, ms, schedules, world } = found;
    if (badEdit.test(failure.message)) {
      console.log(`a bad edit: ${failure.message}`);
      return false;
    }
    console.log(`killed in ${seconds} s, ${(ms / 1000).toFixed(1)} of them in the last world`);
    console.log(`  by "${world}":\n${printed(failure, schedules).replace(/^/gm, "    ")}`);
    return true;
  });
