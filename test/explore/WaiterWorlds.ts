/**
 * WaiterWorlds: subscribers of one program that come and go at any moment, while another program
 * commits, or their own: each is told of everything once, in order, and of what another program
 * wrote within the spacing of the looks, whoever beside him read it first.
 *
 * On SQLite, where one fiber looks for all of a program who wait. They come between the commits,
 * so that each reads what those before him wait for.
 */
import { type LogEntry, makeSubscribe, Registry, Settings } from "@troupe/core";
import { Explore, exploredRegistry, type World } from "@troupe/testing";
import { Clock, Context, Effect, Layer, Stream } from "effect";
import { made } from "./LeaseWorld.js";
import type { NamedWorld } from "./NamedWorld.js";
import { sqliteIn, usedHome } from "./WorldStore.js";

/** How far apart they come and commit; a look is further. */
const STEP_MS = 20;

/** How much later one may come, or commit: beside another, and behind the next look. */
const later = [0, STEP_MS, 2 * STEP_MS, 7 * STEP_MS] as const;

/** Who comes and commits then, when nobody has waited for longer than the spacing. */
const MUCH_LATER = 30;

/** Who commits, in order. */
type Writers = ReadonlyArray<"another" | "its own">;

/** When a commit was done, and the number of its last event. */
interface Done {
  readonly at: number;
  readonly last: number;
}

const numberOf = (entry: LogEntry) => (entry.type === "gap" ? -1 : entry.sequence);

const portIn = (home: string, owner: string) =>
  Explore.quietly(
    Effect.map(Layer.build(sqliteIn(home, owner)), (built) =>
      exploredRegistry(Context.get(built, Registry)),
    ),
  );

/** What is not as it should be of what one was told, who came then. */
const oddOf = (
  who: string,
  told: ReadonlyArray<readonly [number, number]>,
  commits: ReadonlyArray<Done>,
  came: number,
  spacingMs: number,
): string | null => {
  const numbers = told.map(([number]) => number);
  const all = Array.from({ length: numbers.length }, (_, at) => at + 1);
  if (`${numbers}` !== `${all}`) return `${who} was told ${numbers}`;
  for (const [number, at] of told) {
    const done = commits.find(({ last }) => last >= number)?.at ?? 0;
    const late = at - Math.max(came, done) - spacingMs;
    if (late > 0) return `${who} was told of ${number} ${late} ms late`;
  }
  return null;
};

const waiterWorld = (name: string, writers: Writers): World<ReadonlyArray<string>> => ({
  name,
  start: () => {
    const odd: Array<string> = [];
    const program = Effect.gen(function* () {
      const home = yield* usedHome;
      const [own, another] = [yield* portIn(home, "own"), yield* portIn(home, "another")];
      const { eventSpacingMs } = yield* Settings;
      const commits: Array<Done> = [];
      const last = 2 * writers.length;
      const comes = (what: string, at: number) =>
        Effect.flatMap(Explore.choose(what, later), (more) => Effect.sleep(STEP_MS * at + more));
      const write = (who: Writers[number], at: number) =>
        Effect.gen(function* () {
          yield* comes(`commit ${at}`, 2 * at + 1);
          yield* made(who === "another" ? another : own, `a${at}`);
          const now = yield* Clock.currentTimeMillis;
          commits.push({ at: now, last: 2 * (commits.length + 1) });
        });
      const subscribe = yield* Effect.provideService(makeSubscribe, Registry, own);
      const follow = (who: string, at: number, until: number) =>
        Effect.gen(function* () {
          yield* comes(who, at);
          const came = yield* Clock.currentTimeMillis;
          const told = yield* subscribe().pipe(
            Stream.mapEffect((entry) =>
              Effect.map(Clock.currentTimeMillis, (now) => [numberOf(entry), now] as const),
            ),
            Stream.takeUntil(([number]) => number >= until),
            Stream.runCollect,
          );
          const wrong = oddOf(who, [...told], commits, came, eventSpacingMs);
          if (wrong !== null) odd.push(wrong);
        });
      yield* Effect.all(
        [
          ...writers.map(write),
          follow("the first", 0, last),
          follow("the second", 2, last),
          // It leaves when it has heard of the first.
          follow("who leaves", 2, 2),
          follow("the last", 4, last),
          write("another", MUCH_LATER / 2),
          follow("who comes much later", MUCH_LATER, last + 2),
        ],
        { concurrency: "unbounded" },
      );
      return odd;
    }).pipe(Explore.scoped, Effect.orDie, Effect.withTracerEnabled(false));
    return { program, check: ([first]) => first ?? null };
  },
});

/** The worlds. */
export const waiterWorlds: ReadonlyArray<NamedWorld> = [
  {
    world: waiterWorld("subscribers of one program, and commits of another", [
      "another",
      "another",
    ]),
    cost: 1,
  },
  {
    world: waiterWorld("subscribers of one program, and commits of another and its own", [
      "another",
      "its own",
      "another",
    ]),
    cost: 1,
  },
];
