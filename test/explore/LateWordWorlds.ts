/**
 * LateWordWorlds: the last word of a turn that fails or is slow, is said again a while later, and
 * meets the next turn: one that begins at once, in the very moment of that, or while that is slow.
 *
 * Whoever goes over what is settled comes when the next turn is at work, with a sweep before that
 * or without, and is refused. The lease may have gone elsewhere and come back meanwhile.
 */
import type { ActorId } from "@troupe/core";
import { Effect } from "effect";
import { takesSettled } from "./LeaseMeetWorlds.js";
import { type Kit, type LeaseEnding, type LeaseScene, leaseWorld, name } from "./LeaseWorld.js";
import { oneAtATime } from "./LeaseWorlds.js";
import type { NamedWorld } from "./NamedWorld.js";

/** When the word is said again, behind the end of its turn. */
const AGAIN_MS = 1_000;

/** Longer than a word that is slow, and than whoever comes waits. */
const WORK_MS = 1_500;

/** Behind the beginning of the work, when no word can be under way any more. */
const COMES_MS = 800;

/** Work that takes so long. */
const works = (kit: Kit, ms: number) =>
  Effect.all([kit.log(`begin ${kit.owner}`), Effect.sleep(ms), kit.log(`end ${kit.owner}`)], {
    discard: true,
  });

/** Takes a lease over whose holder lives and works at nothing, and works under it. */
interface Comer {
  readonly name: string;
  readonly comes: (kit: Kit) => Effect.Effect<unknown, unknown>;
}

const claims: Comer = {
  name: "a claim",
  comes: (kit) => Effect.zipRight(takesSettled(kit), works(kit, 0)),
};

const sweeps: Comer = {
  name: "a sweep and a claim",
  comes: (kit) => Effect.zipRight(kit.leases.sweep, claims.comes(kit)),
};

/** The lease goes to another name and comes back. */
const thereAndBack = (kit: Kit, actor: ActorId) =>
  Effect.gen(function* () {
    const never = { attended: () => true, taken: Effect.void };
    const writer = { session: name("a"), actor, surface: "explored", ...never };
    const lease = yield* kit.leases.claim(writer);
    const moved = yield* kit.leases.reanchor(lease, name("b"));
    yield* kit.leases.reanchor(moved, name("a"));
  });

interface Words {
  readonly name: string;
  /** How long each turn works; the last one is met by who comes. */
  readonly turns: ReadonlyArray<number>;
  /** How long nobody works between two turns. */
  readonly pauseMs: number;
  readonly moves?: boolean;
}

const speaks =
  ({ moves, pauseMs, turns }: Words) =>
  (kit: Kit) =>
    Effect.gen(function* () {
      const handle = yield* kit.handles.get("a");
      for (const [at, ms] of turns.entries()) {
        if (at > 0 && moves) yield* Effect.exit(thereAndBack(kit, handle.actor));
        if (at > 0) yield* Effect.sleep(pauseMs);
        const exit = yield* Effect.either(handle.runTurn(() => works(kit, ms)));
        if (exit._tag === "Left") yield* kit.log(`refused ${kit.owner} ${exit.left._tag}`);
      }
    });

/** Whose lease nobody took by then has lost none. */
const notLost = ({ log }: LeaseEnding): string | null => {
  const [lost, taken] = ["refused program1 LeaseLost", "begin program2"].map((line) =>
    log.indexOf(line),
  ) as [number, number];
  return lost === -1 || (taken !== -1 && taken < lost) ? null : `it was lost to nobody: ${log}`;
};

const meets = (words: Words, comer: Comer): LeaseScene => ({
  name: `${words.name}, beside a late last word, and ${comer.name} over what is settled`,
  sessions: ["a", "b"],
  programs: [
    speaks(words),
    (kit) => {
      const before = words.pauseMs * (words.turns.length - 1) + COMES_MS;
      return Effect.zipRight(Effect.sleep(before), Effect.exit(comer.comes(kit)));
    },
  ],
  troubled: "notes",
  check: (ending) => oneAtATime(ending) ?? notLost(ending),
});

const atOnce: Words = { name: "a turn at once", turns: [0, WORK_MS], pauseMs: 0 };
const then: Words = { ...atOnce, name: "a turn in that moment", pauseMs: AGAIN_MS };
const later: Words = { ...atOnce, name: "a turn a little later", pauseMs: AGAIN_MS + 150 };
const twice: Words = { ...then, name: "two turns in such moments", turns: [0, 0, WORK_MS] };
const moved: Words = { ...then, name: "a turn behind a lease that came back", moves: true };

/** The worlds. */
export const lateWordWorlds: ReadonlyArray<NamedWorld> = [
  ...[atOnce, then, later, twice, moved].map((words) => meets(words, claims)),
  meets(then, sweeps),
].map((scene) => ({ world: leaseWorld(scene), cost: 2 }));
