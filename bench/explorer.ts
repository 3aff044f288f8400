/**
 * How fast the explorer is: schedules a second, against the same program on Effect's own scheduler.
 *
 * The program is three callers of two mailboxes, without anything that waits for time, so that all
 * do the same work. The finer granularity stops before every operation that can be seen.
 */
import { makeMailboxes } from "@troupe/core";
import { Explore, type World } from "@troupe/testing";
import { Effect } from "effect";
import { compare, heading, perSecond } from "./Rounds.js";

const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const runs = 5_000;

const program = Effect.scoped(
  Effect.gen(function* () {
    const mailboxes = yield* makeMailboxes(8);
    const work = Effect.zipRight(Explore.point("first"), Explore.point("second"));
    const callers = ["a", "b", "a"].map((name) => mailboxes.ask(name, "bench", work));
    yield* Effect.all(callers, { concurrency: "unbounded" });
  }),
);

const plain = perSecond(
  runs,
  Effect.promise(async () => {
    for (let run = 0; run < runs; run++) await Effect.runPromise(program);
  }),
);

const explored = (granularity: "ports" | "visible") => {
  const world: World<void> = { name: "bench", granularity, start: () => ({ program }) };
  return perSecond(
    runs,
    Effect.sync(() => Explore.verify(world, { cost: 0, uniformWalks: runs - 1 })),
  );
};

heading("schedules a second");
await Effect.runPromise(
  compare("three callers of two mailboxes", rounds, [
    { name: "Effect's scheduler", once: plain },
    { name: "explored, at ports", once: explored("ports") },
    { name: "explored, at any operation", once: explored("visible") },
  ]),
);
