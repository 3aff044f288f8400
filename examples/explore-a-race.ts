/**
 * explore-a-race: a host program's own race: two requests for the last seat of a flight. It is
 * found, printed as steps, run again from its string, and shown to be gone.
 *
 * Run it: node examples/dist/explore-a-race.js
 */
// #region explore-a-race
import { Explore, type World } from "@troupe/testing";
import { Effect } from "effect";

const lastSeat = (locked: boolean): World<unknown> => ({
  name: "the last seat of a flight",
  start: () => {
    const sold: Array<string> = [];
    const lock = Effect.unsafeMakeSemaphore(1);
    const book = (who: string) =>
      Effect.gen(function* () {
        yield* Explore.point("look at the seats");
        if (sold.length > 0) return;
        yield* Explore.point("sell the seat");
        sold.push(who);
      });
    const request = (who: string) =>
      Explore.named(who)(locked ? lock.withPermits(1)(book(who)) : book(who));
    return {
      program: Effect.all([request("ann"), request("bob")], { concurrency: 2 }),
      check: () => (sold.length === 1 ? null : `sold to ${sold.join(" and ")}`),
    };
  },
});

const report = Explore.explore(lastSeat(false), { cost: 2 });
console.log(Explore.printReport(report));

const again = Explore.replay(lastSeat(false), report.failure?.replay ?? "");
console.log(`again: ${again._tag}`);

console.log(Explore.printReport(Explore.explore(lastSeat(true), { cost: Infinity })));
// #endregion
