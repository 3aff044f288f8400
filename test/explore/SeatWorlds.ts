/**
 * SeatWorlds: turns of one writer, of which one waits while its caller leaves or the writer is
 * interrupted, and the end of a writer that holds something.
 *
 * Who was dropped while it waited does not begin; whatever became of it, the next turn runs, and
 * behind all of them none is counted. What a writer holds is closed before its lease goes.
 */
import { Explore } from "@troupe/testing";
import { Effect, Fiber, Scope } from "effect";
import { type Kit, type LeaseScene, leaseWorld } from "./LeaseWorld.js";
import { nothingLeft, oneAtATime } from "./LeaseWorlds.js";
import type { NamedWorld } from "./NamedWorld.js";

/** How long a turn takes. */
const TURN_MS = 20;

/** When the one that waits is dropped: in that time, a little later, or when the first has gone. */
const DROPPED = ["before", "later", "behind"] as const;

/** Work of one turn, noted to its end. */
const works = (kit: Kit, who: string) =>
  Effect.acquireUseRelease(
    kit.log(`begin ${who}`),
    () => Effect.interruptible(Effect.sleep(TURN_MS)),
    () => kit.log(`end ${who}`),
  );

type Drop = "its caller leaves" | "its writer is interrupted";

const waiting = (drop: Drop, isSlow = false): LeaseScene => ({
  name: `a turn that waits, and ${drop}${isSlow ? ", and what is written is slow or fails" : ""}`,
  sessions: ["a"],
  programs: [
    (kit) =>
      Effect.gen(function* () {
        const handle = yield* kit.handles.get("a");
        const turn = (who: string) => Effect.exit(handle.runTurn(() => works(kit, who)));
        const first = yield* Effect.fork(turn("first"));
        yield* Effect.sleep(1);
        const second = yield* Effect.fork(turn("second"));
        yield* Effect.sleep(1);
        const when = yield* Explore.choose("it is dropped", DROPPED);
        yield* when === "behind" ? first.await : Effect.sleep(when === "before" ? 5 : 2 * TURN_MS);
        yield* drop === "its caller leaves"
          ? Fiber.interrupt(second)
          : handle.interrupt("user_stop");
        yield* kit.log("dropped");
        yield* Effect.all([first.await, second.await]);
        yield* turn("third");
        const { running } = yield* kit.turns.activity;
        yield* kit.log(`${running} are counted`);
      }),
  ],
  ...(isSlow ? { troubled: "notes" } : {}),
  check: (ending) => {
    const { log } = ending;
    const late = log.slice(log.indexOf("dropped")).includes("begin second");
    if (late) return `who was dropped began: ${log}`;
    if (log.at(-1) !== "0 are counted") return `behind it: ${log}`;
    if (!(isSlow || log.includes("end third"))) return `the next one did not run: ${log}`;
    return oneAtATime(ending) ?? nothingLeft(ending);
  },
});

/** By which reasons it ends. */
const REASONS = ["explicit_close", "idle_timeout", "lru_evict"] as const;

/** What a writer holds takes a while to be closed, and another program wants its session. */
const held: LeaseScene = {
  name: "a writer that ends and holds what takes long to be closed",
  sessions: ["a"],
  programs: [
    (kit) =>
      Effect.gen(function* () {
        const handle = yield* kit.handles.get("a");
        yield* handle.runTurn(() => Effect.void);
        yield* kit.log(`begin ${kit.owner}`);
        const closed = Effect.zipRight(Effect.sleep(TURN_MS), kit.log(`end ${kit.owner}`));
        yield* Scope.addFinalizer(handle.scope, closed);
        yield* handle.end(yield* Explore.choose("it ends by", REASONS));
        yield* Effect.sleep(TURN_MS);
      }),
    (kit) =>
      Effect.gen(function* () {
        const handle = yield* kit.handles.get("a", { kind: "turn" });
        const came = Effect.exit(handle.runTurn(() => works(kit, kit.owner)));
        yield* Effect.repeatN(Effect.zipRight(Effect.sleep(7), came), 6);
      }),
  ],
  check: (ending) => {
    const isIn = ending.log.includes("begin program2");
    return oneAtATime(ending) ?? (isIn ? nothingLeft(ending) : `nobody came in: ${ending.log}`);
  },
};

/** The worlds. */
export const seatWorlds: ReadonlyArray<NamedWorld> = [
  ...(["its caller leaves", "its writer is interrupted"] as const).flatMap((drop) =>
    [false, true].map((isSlow) => waiting(drop, isSlow)),
  ),
  held,
].map((scene) => ({ world: leaseWorld(scene), cost: scene === held ? 1 : 2 }));
