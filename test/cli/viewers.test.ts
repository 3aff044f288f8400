/**
 * Those who look at a session by `attach`: what is left of them when they end, however that is.
 */
import { readdirSync, readlinkSync } from "node:fs";
import { CLIENT_BOUND_MS } from "@troupe/core";
import { describe, expect, it } from "vitest";
import { quoted } from "../support/Place.js";
import { commandLineOf, parentOf } from "../support/Processes.js";
import { onStage, type Stage, troupe } from "../support/Stage.js";
import { Terminal } from "../support/Terminal.js";
import { waitFor } from "../support/Waiting.js";

const viewer = (stage: Stage, session: string, behind = ""): Terminal =>
  new Terminal(`${behind === "" ? "exec " : ""}${troupe} attach ${session}${behind}`, {
    HOME: stage.directory,
    TROUPE_HOME: stage.home,
    TROUPE_SOCKET: stage.socket,
  });

const clients = (stage: Stage): number =>
  stage
    .tmux("list-clients", "-F", "client")
    .out.split("\n")
    .filter((line) => line !== "").length;

/** What the tmux server has open, by what it is. */
const openIn = (stage: Stage): ReadonlyArray<string> => {
  const directory = `/proc/${stage.tmux("display-message", "-p", "#{pid}").out.trim()}/fd`;
  return readdirSync(directory)
    .flatMap((fd) => {
      try {
        return [readlinkSync(`${directory}/${fd}`).replace(/[0-9]+/g, "N")];
      } catch {
        // It was closed meanwhile.
        return [];
      }
    })
    .sort();
};

const create = async (stage: Stage) => {
  const made = await stage.json("create", "a", "--", "sh", "-c", "echo hello; exec sleep 600");
  expect(made.code).toBe(0);
};

describe("a viewer", () => {
  it("whose terminal goes away is no client any more, and the session lives", () =>
    onStage(async (stage) => {
      await create(stage);
      const [gone, stays] = [viewer(stage, "a"), viewer(stage, "a")];
      try {
        await Promise.all([gone.draws(/hello/), stays.draws(/hello/)]);
        expect(clients(stage)).toBe(2);
        gone.close();
        await waitFor("the end of one client", () => clients(stage) === 1);
        const { told } = await stage.json("inspect", "a");
        expect(told.result).toMatchObject({ state: "running", seen: { state: "present" } });
      } finally {
        gone.close();
        stays.close();
      }
    })());

  it("whose program is killed is no client any more, and a stranger's client stays", () =>
    onStage(async (stage) => {
      await create(stage);
      // The terminal lives on, so it is not its end that ends the client.
      const [gone, stays] = [
        viewer(stage, "a", "; exec sleep 600"),
        new Terminal(`exec tmux -S ${quoted(stage.socket)} attach-session -t =a`, {
          LANG: "C.UTF-8",
        }),
      ];
      try {
        await Promise.all([gone.draws(/hello/), stays.draws(/hello/)]);
        const pids = stage.tmux("list-clients", "-F", "#{client_pid}").out.trim().split("\n");
        const own = pids.map(Number).find((pid) => /troupe/.test(commandLineOf(parentOf(pid))));
        expect([pids.length, own]).toEqual([2, expect.any(Number)]);
        const since = performance.now();
        process.kill(parentOf(own ?? 0), "SIGKILL");
        await waitFor("the end of its client", () => clients(stage) === 1);
        expect(performance.now() - since).toBeLessThan(CLIENT_BOUND_MS);
        const left = stage.tmux("list-clients", "-F", "#{client_pid}").out.trim();
        expect(Number(left)).not.toBe(own);
        const { told } = await stage.json("inspect", "a");
        expect(told.result).toMatchObject({ state: "running", seen: { state: "present" } });
      } finally {
        gone.close();
        stays.close();
      }
    })());

  it("that ends, or never could begin, leaves nothing open", () =>
    onStage(async (stage) => {
      await create(stage);
      const before = openIn(stage);
      expect(before).toContain("/dev/ptmx");
      for (let cycle = 0; cycle < 6; cycle++) {
        const [seen, missing] = [viewer(stage, "a"), viewer(stage, "nobody")];
        try {
          await seen.draws(/hello/);
          if (cycle === 0) expect(openIn(stage).length).toBeGreaterThan(before.length);
          await stage.detach(seen);
          expect(await seen.ended).toBe(0);
          expect(await missing.ended).toBe(3);
        } finally {
          seen.close();
          missing.close();
        }
      }
      await waitFor("what was open before", () => openIn(stage).join() === before.join());
      expect(clients(stage)).toBe(0);
    })());
});
