/**
 * How fast the explorer is: schedules a second, against the same program on Effect's own scheduler.
 *
 * The program is three callers of two mailboxes, without anything that waits for time, so that both
 * do the same work. Run several times; the ratio is what counts.
 */
import { makeMailboxes } from "@troupe/core";
import { Explore, type World } from "@troupe/testing";
import { Effect } from "effect";

const program = Effect.scoped(
  Effect.gen(function* () {
    const mailboxes = yield* makeMailboxes(8);
    const work = Effect.zipRight(Explore.point("first"), Explore.point("second"));
    const callers = ["a", "b", "a"].map((name) => mailboxes.ask(name, "bench", work));
    yield* Effect.all(callers, { concurrency: "unbounded" });
  }),
);

const secondsOf = async (body: () => Promise<void> | void): Promise<number> => {
  const startedAt = performance.now();
  await body();
  return (performance.now() - startedAt) / 1000;
};

const runs = 10_000;

const plain = async (): Promise<number> => {
  const seconds = await secondsOf(async () => {
    for (let run = 0; run < runs; run++) await Effect.runPromise(program);
  });
  return runs / seconds;
};

const explored = async (granularity: "ports" | "visible"): Promise<readonly [number, number]> => {
  const world: World<void> = { name: "bench", granularity, start: () => ({ program }) };
  let steps = 0;
  const seconds = await secondsOf(() => {
    steps = Explore.verify(world, { cost: 0, uniformWalks: runs - 1 }).steps;
  });
  return [runs / seconds, steps / seconds];
};

const print = (name: string, rate: number, of: number, steps = 0): void => {
  const ratio = (rate / of).toFixed(2);
  const perSecond = steps === 0 ? "" : `, ${Math.round(steps / 1000)} thousand steps a second`;
  console.log(`${name.padEnd(20)} ${Math.round(rate)} runs a second, ratio ${ratio}${perSecond}`);
};

await plain();
for (let round = 0; round < 3; round++) {
  const base = await plain();
  print("default scheduler", base, base);
  const [ports, portSteps] = await explored("ports");
  print("explored, ports", ports, base, portSteps);
  const [visible, visibleSteps] = await explored("visible");
  print("explored, visible", visible, base, visibleSteps);
}
