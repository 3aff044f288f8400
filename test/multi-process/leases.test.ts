/**
 * One writer at every moment: two programs and a child of one, killed in every order while a turn
 * runs; and a holder that stands still and is overtaken.
 *
 * It is shown by what the program in the session received, which keeps every line. Whoever is to
 * write next is waited for by a line of his.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { stateOf } from "../support/Processes.js";
import { onStage, type Stage } from "../support/Stage.js";
import { waitFor } from "../support/Waiting.js";
import { beforeList } from "../support/Wrapper.js";
import { killed, LeaseProgram } from "./LeaseProgram.js";
import { type Received, receivedIn, wrongIn } from "./WriterRecord.js";

/** A session whose program keeps every line that it reads. */
const keeping = async (stage: Stage): Promise<void> => {
  const script = `stty -echo; exec cat > ${stage.directory}/record`;
  expect((await stage.run("create", "a", "--", "sh", "-c", script)).code).toBe(0);
  await waitFor("the program", () => existsSync(join(stage.directory, "record")));
};

const received = (stage: Stage): ReadonlyArray<Received> =>
  receivedIn(readFileSync(join(stage.directory, "record"), "utf8"));

/** So many lines that whoever waits for the lease has tried to get it several times. */
const MANY = 5;

/** Waits for lines of this writer behind those that are there. */
const writes = async (stage: Stage, tag: string, epoch: number): Promise<void> => {
  const before = received(stage).length;
  const isOf = (line: Received) => line.tag === tag && line.epoch === epoch;
  await waitFor(
    `lines of ${tag} at epoch ${epoch}`,
    () => received(stage).slice(before).filter(isOf).length >= MANY,
  );
};

type Name = "one" | "child" | "two";

const orders: ReadonlyArray<ReadonlyArray<Name>> = [
  ["one", "child", "two"],
  ["one", "two", "child"],
  ["child", "one", "two"],
  ["child", "two", "one"],
  ["two", "one", "child"],
  ["two", "child", "one"],
];

/** Who writes when these are dead, by his tag and epoch; `null` when nobody is left. */
const writerWithout = (dead: ReadonlySet<Name>): readonly [string, number] | null => {
  if (!dead.has("child")) return ["one's", 1];
  if (!dead.has("one")) return ["one", 1];
  return dead.has("two") ? null : ["two", 2];
};

/** The one who holds the lease lends it to a child, which writes; the other one waits for it. */
const atWork = async (stage: Stage) => {
  await keeping(stage);
  const one = new LeaseProgram(stage, "a", "one", { how: "lend" });
  expect(await one.told("began")).toBe(1);
  const two = new LeaseProgram(stage, "a", "two");
  expect(await two.told("refused")).toEqual({ holder: "alive", pid: one.pid });
  await writes(stage, "one's", 1);
  return { one: one.pid, child: await one.told("child"), two: two.pid };
};

describe("two programs and a child of one, while a turn runs", () => {
  for (const order of orders) {
    const text = order.join(", ");
    it(
      `have one writer at every moment, killed in the order ${text}`,
      onStage(async (stage) => {
        const pids = await atWork(stage);
        const dead = new Set<Name>();
        let epochs = 1;
        for (const name of order) {
          await killed(pids[name]);
          dead.add(name);
          const writer = writerWithout(dead);
          if (writer === null) continue;
          await writes(stage, ...writer);
          epochs = writer[1];
        }
        const last = new LeaseProgram(stage, "a", "last");
        expect(await last.told("began")).toBe(epochs + 1);
        await writes(stage, "last", epochs + 1);
        expect(wrongIn(received(stage))).toBeNull();
        await killed(last.pid);
      }),
    );
  }
});

describe("a holder that stands still in the middle of a send", () => {
  it(
    "keeps its lease from who asks, loses it to who forces, and writes nothing behind that",
    onStage(async (stage) => {
      await keeping(stage);
      const tmux = stage.wrapper(
        "stopper",
        beforeList(
          "paste-buffer",
          `  echo call >> "$STAGE/calls"
  if [ $(wc -l < "$STAGE/calls") = 3 ]; then
    kill -STOP $PPID
    while [ ! -e "$STAGE/go" ]; do sleep 0.01; done
  fi`,
        ),
      );
      const one = new LeaseProgram(stage, "a", "one", { tmux });
      await waitFor("the stop", () => stateOf(one.pid) === "T");
      expect(received(stage)).toHaveLength(2);
      const held = await stage.json("lease", "take-over", "a", "--timeout", "0");
      expect([held.code, held.told.error]).toMatchObject([
        7,
        { code: "LEASE_HELD", details: { holder: { pid: one.pid, holder: "alive" } } },
      ]);
      const taken = await stage.json("lease", "take-over", "a", "--force");
      expect([taken.code, taken.told.result]).toMatchObject([
        0,
        { epoch: 2, before: { epoch: 1, surface: "one" } },
      ]);
      const two = new LeaseProgram(stage, "a", "two");
      expect(await two.told("began")).toBe(3);
      writeFileSync(join(stage.directory, "go"), "");
      process.kill(one.pid, "SIGCONT");
      expect(["LeaseLost", "Busy"]).toContain(await one.told("ended"));
      await writes(stage, "two", 3);
      const lines = received(stage);
      expect(lines.filter(({ tag }) => tag === "one")).toHaveLength(2);
      expect(wrongIn(lines)).toBeNull();
      await killed(two.pid);
    }),
  );
});

describe("a lease of a program that died", () => {
  it(
    "is shown as that, kept for a child that lives, and released only when both are dead",
    onStage(async (stage) => {
      const pids = await atWork(stage);
      await killed(pids.two);
      await killed(pids.one);
      const shown = await stage.json("lease", "show", "a");
      expect(shown.told.result).toMatchObject({
        lease: { pid: pids.one, holder: "alive", children: [{ pid: pids.child }], surface: "one" },
      });
      expect((await stage.run("lease", "release", "a")).code).toBe(7);
      await writes(stage, "one's", 1);
      await killed(pids.child);
      const inspected = await stage.run("inspect", "a");
      expect(inspected.stdout).toMatch(
        new RegExp(`^lease +process ${pids.one} \\(dead\\) for one since .*, epoch 1, turn `, "m"),
      );
      const released = await stage.json("lease", "release", "a");
      expect(released.told.result).toMatchObject({ released: true, before: { holder: "dead" } });
      expect((await stage.json("lease", "show", "a")).told.result).toMatchObject({ lease: null });
    }),
  );
});

describe("the record of a session", () => {
  const line = (text: string) => receivedIn(`${text.replaceAll(", ", "\n")}\n`);

  it("has one writer where epochs follow each other, and a child writes for its parent", () => {
    expect(wrongIn(line("one 1 1, one's 1 1, one 1 2, two 2 1, two 2 2, one 3 1"))).toBeNull();
  });

  it.each([
    ["one 1 1, two 2 1, one 1 2", "line 3, one 1 2, came behind epoch 2"],
    ["one 1 1, two 1 1", "line 2, two 1 1, is under the epoch of one"],
    ["one 1 1, one 1 1", "line 2, one 1 1, came behind number 1"],
  ])("%s: %s", (text, wrong) => {
    expect(wrongIn(line(text))).toBe(wrong);
  });
});
