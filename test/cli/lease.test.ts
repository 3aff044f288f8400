/**
 * What the command tells of leases, and what it does about their holders.
 *
 * A holder here is a program of this process; what becomes of those that die is shown by real ones,
 * in test/multi-process.
 */
import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { atStage, callIn } from "../support/InProcess.js";
import type { Stage, Told } from "../support/Stage.js";
import { hold, letGo } from "./Holder.js";

const json = async (stage: Stage, ...words: ReadonlyArray<string>): Promise<Told> =>
  JSON.parse((await callIn(stage, ["--json", ...words])).out);

/** On a stage with a session `a`; whoever holds it lets go at the end. */
const withSession = (play: (stage: Stage) => Promise<void>) =>
  atStage(async (stage) => {
    expect((await callIn(stage, ["create", "a", "--", "cat"])).exit).toBe(0);
    try {
      await play(stage);
    } finally {
      await letGo(stage);
    }
  });

const leaseEvents = async (stage: Stage): Promise<ReadonlyArray<string>> =>
  (await callIn(stage, ["events", "a"])).out.split("\n").filter((line) => line.includes("lease"));

describe("a session that nobody leased", () => {
  it(
    "is told as that, needs none for anything, and can be released and taken over all the same",
    withSession(async (stage) => {
      expect((await json(stage, "lease", "show", "a")).result).toEqual({
        session: "a",
        lease: null,
      });
      expect((await json(stage, "inspect", "a")).result).toMatchObject({ lease: null });
      expect((await callIn(stage, ["inspect", "a"])).out).toMatch(/^lease +-$/m);
      expect((await json(stage, "lease", "release", "a")).result).toMatchObject({
        released: false,
        before: null,
      });
      expect((await json(stage, "lease", "take-over", "a")).result).toMatchObject({
        epoch: 1,
        before: null,
      });
      expect(await leaseEvents(stage)).toEqual([]);
    }),
  );

  it(
    "is none where there is no such name, and then no home is made",
    atStage(async (stage) => {
      for (const verb of ["show", "release", "take-over"]) {
        const { error } = await json(stage, "lease", verb, "never");
        expect([verb, error.code]).toEqual([verb, "NOT_FOUND"]);
      }
      expect((await json(stage, "lease", "show", "no.name")).error.code).toBe("INVALID_NAME");
      expect(existsSync(stage.home)).toBe(false);
    }),
  );
});

describe("a session whose holder runs a turn", () => {
  it(
    "is told with who holds it, whether he lives, what for, since when, and the turn",
    withSession(async (stage) => {
      await hold(stage, "a");
      const { lease } = (await json(stage, "inspect", "a")).result;
      expect(lease).toMatchObject({
        session: "a",
        epoch: 1,
        pid: process.pid,
        holder: "alive",
        surface: "agent",
        children: [],
        turn: expect.any(String),
        acquiredAt: expect.stringMatching(/^\d{4}-.*Z$/),
      });
      expect((await json(stage, "lease", "show", "a")).result).toEqual({ session: "a", lease });
      const text = (await callIn(stage, ["inspect", "a"])).out;
      expect(text).toMatch(
        new RegExp(
          `^lease +process ${process.pid} \\(alive\\) for agent since \\d+s, epoch 1, turn `,
          "m",
        ),
      );
    }),
  );

  it(
    "is left to him by release and by a takeover that does not wait, with 7 and his name",
    withSession(async (stage) => {
      await hold(stage, "a");
      const before = (await json(stage, "lease", "show", "a")).result;
      for (const words of [["release"], ["take-over", "--timeout", "0"]]) {
        const { exit, out } = await callIn(stage, ["--json", "lease", ...words, "a"]);
        const { error } = JSON.parse(out);
        expect([words, exit, error.code]).toEqual([words, 7, "LEASE_HELD"]);
        expect(error.details.holder).toMatchObject({ pid: process.pid, holder: "alive" });
        expect(error.message).toContain(`leased to process ${process.pid} (alive) for agent`);
      }
      expect((await json(stage, "lease", "show", "a")).result).toEqual(before);
      expect(await leaseEvents(stage)).toEqual([]);
    }),
  );

  it(
    "is taken over as soon as his turn ends",
    withSession(async (stage) => {
      await hold(stage, "a");
      const taking = json(stage, "lease", "take-over", "a");
      let isTaken = false;
      taking.finally(() => {
        isTaken = true;
      });
      expect((await json(stage, "lease", "show", "a")).result).toMatchObject({
        lease: { epoch: 1 },
      });
      expect(isTaken).toBe(false);
      await letGo(stage);
      expect((await taking).result).toMatchObject({ epoch: 2, before: { epoch: 1 } });
      expect((await json(stage, "lease", "show", "a")).result).toMatchObject({ lease: null });
    }),
  );

  it.each(["release", "take-over"])(
    "loses it to %s by force: his turn is interrupted, and the log names him",
    (verb) =>
      withSession(async (stage) => {
        const holder = await hold(stage, "a");
        const { result } = await json(stage, "lease", verb, "a", "--force");
        expect(result).toMatchObject({ before: { pid: process.pid, epoch: 1 } });
        expect(await holder.ended()).toBe("LeaseLost");
        expect((await json(stage, "lease", "show", "a")).result).toMatchObject({ lease: null });
        expect(await leaseEvents(stage)).toEqual([
          expect.stringContaining(`lease taken: of process ${process.pid}`),
        ]);
        expect((await callIn(stage, ["capture", "a"])).exit).toBe(0);
      })(),
  );
});
