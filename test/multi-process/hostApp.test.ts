/**
 * host-app under load, killed by SIGKILL in the middle of it, and started again.
 *
 * Twenty jobs are asked for at once, each with a key. The service dies when half of them are
 * answered, so that others are at any step of their creation. The one that starts then is asked for
 * the same twenty: each is there once, those that were answered run on untouched, and what happened
 * while nobody ran is known.
 */
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { commandLineOf, processesOf } from "../support/Processes.js";
import { onStage, type Stage } from "../support/Stage.js";
import { waitFor } from "../support/Waiting.js";
import { HostApp } from "./HostApp.js";

const jobs = Array.from({ length: 20 }, (_, n) => n);
const keyOf = (n: number): string => `request-${n}`;

/** A program that is known by its argument. */
const sleeperOf = (n: number): ReadonlyArray<string> => ["sleep", String(600_000 + n)];

/** The living processes of the job. */
const sleepersOf = ({ directory }: Stage, n: number): ReadonlyArray<number> =>
  processesOf(directory).filter((pid) => commandLineOf(pid) === sleeperOf(n).join(" "));

/** Counts aloud, so that what was printed while nobody read is seen. */
const counting = ["sh", "-c", "n=0; while :; do n=$((n + 1)); echo $n; sleep 0.02; done"];

const numbersIn = (text: string): ReadonlyArray<number> =>
  text
    .slice(0, text.lastIndexOf("\n"))
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map(Number);

/** Asks for all jobs and kills the service when so many are answered: those, by number. */
const killedAfter = async (app: HostApp, answers: number): Promise<ReadonlyMap<number, string>> => {
  const answered = new Map<number, string>();
  let killed: Promise<void> | null = null;
  const asked = jobs.map(async (n) => {
    const { id } = await app.start(sleeperOf(n), keyOf(n));
    answered.set(n, id);
    if (answered.size >= answers) killed ??= app.end("SIGKILL");
  });
  const ends = await Promise.allSettled(asked);
  await killed;
  // It died under load: not every request came to its answer.
  expect(ends.some(({ status }) => status === "rejected")).toBe(true);
  return answered;
};

/** A collector on this machine, which keeps what it is sent. */
const collector = async () => {
  const sent: Array<string> = [];
  const server = createServer((request, response) => {
    const parts: Array<Buffer> = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      sent.push(`${request.url} ${Buffer.concat(parts).toString("utf8")}`);
      response.end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => new Promise<unknown>((resolve) => server.close(resolve));
  return { address: `http://127.0.0.1:${port}`, close, sent };
};

describe("host-app", () => {
  it(
    "keeps every session over its own SIGKILL under load, answers for each job, and has none twice",
    onStage(async (stage) => {
      const first = await HostApp.start(stage);
      const answered = await killedAfter(first, 10);
      const pidsBefore = new Map([...answered.keys()].map((n) => [n, sleepersOf(stage, n)]));
      const second = await HostApp.start(stage);
      const told = await Promise.all(jobs.map((n) => second.start(sleeperOf(n), keyOf(n))));
      for (const [n, id] of answered) {
        expect(told[n]?.id).toBe(id);
        expect(sleepersOf(stage, n)).toEqual(pidsBefore.get(n));
      }
      const ids = told.map(({ id }) => id).sort();
      expect(new Set(ids).size).toBe(jobs.length);
      const listed = await second.list();
      expect(listed.map(({ id }) => id).sort()).toEqual(ids);
      expect(new Set(listed.map(({ state }) => state))).toEqual(new Set(["running"]));
      expect([...stage.sessionsInTmux].sort()).toEqual(ids);
      expect(jobs.map((n) => sleepersOf(stage, n).length)).toEqual(jobs.map(() => 1));
      const deleted = await Promise.all(ids.map((id) => second.ask("DELETE", `/jobs/${id}`)));
      expect(new Set(deleted.map(({ status }) => status))).toEqual(new Set([200]));
      expect(jobs.flatMap((n) => sleepersOf(stage, n))).toEqual([]);
      await second.end("SIGTERM");
    }),
  );

  it(
    "knows what happened while it was dead: a code of an end, and every line that was printed",
    onStage(async (stage) => {
      const first = await HostApp.start(stage);
      const until = `while [ ! -e ${join(stage.directory, "go")} ]; do sleep 0.02; done; exit 3`;
      const ending = await first.start(["sh", "-c", until], "ending");
      const telling = await first.start(counting, "telling");
      const before = await waitFor("the first line", async () => {
        const numbers = numbersIn(await first.printed(telling.id));
        return numbers.length > 0 ? numbers : null;
      });
      await first.end("SIGKILL");
      writeFileSync(join(stage.directory, "go"), "");
      const second = await HostApp.start(stage);
      // Before its server has reaped it nobody knows how a program ended.
      const ended = await waitFor("the end and its code", async () => {
        const job = await second.get(ending.id);
        return job.state === "exited" && job.exit?.code !== null ? job : null;
      });
      expect(ended.exit).toMatchObject({ code: 3 });
      const after = numbersIn(await second.printed(telling.id));
      expect(after.length).toBeGreaterThan(before.length);
      expect(after).toEqual(after.map((_, index) => index + 1));
      await second.end("SIGTERM");
    }),
  );

  it(
    "ends on a signal, leaves its sessions, and has told a collector all but what a job was given",
    onStage(async (stage) => {
      const { address, close, sent } = await collector();
      const app = await HostApp.start(stage, { OTEL_EXPORTER_OTLP_ENDPOINT: address });
      const body = { command: ["sleep", "600"], env: { TOKEN: "canary-31c0" } };
      const { status, text } = await app.ask("POST", "/jobs", body);
      expect(status).toBe(201);
      const told = await app.ask("GET", "/jobs?all=true");
      await app.end("SIGTERM");
      await close();
      const { id } = JSON.parse(text);
      expect(stage.sessionsInTmux).toEqual([id]);
      for (const name of ["http.server POST", "Sessions.create", "troupe.operations", id]) {
        expect(sent.join("\n")).toContain(name);
      }
      expect(app.log.length).toBeGreaterThan(0);
      expect([text, told.text, ...app.log, ...sent].join("\n")).not.toContain("canary-31c0");
    }),
  );
});
