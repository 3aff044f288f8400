/**
 * ReplacedWorlds: a program that stands, with the file of its registry open, and another file at
 * that path by now: kept aside as damaged and made anew, put back from a copy, or taken away.
 *
 * From the very next call on it hears what one that only comes then would hear of the same home, a
 * twin on a copy of it; and both homes are the same in the end, with what was kept aside.
 */
import { cpSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Explore, exploredRegistry, type World } from "@troupe/testing";
import { Cause, Effect, Exit, Random, Scope } from "effect";
import {
  type Accident,
  accidents,
  busyAccidents,
  homeOfTwo,
  registryIn,
  wrongConnection,
} from "./FileAccidents.js";
import { Happening } from "./Happening.js";
import type { NamedWorld } from "./NamedWorld.js";
import { BUG, changes, heard, type Player, reads, remembered, type Step } from "./RegistrySteps.js";

/** The names of the sessions that are there, or how a list of them fails. */
const standsIn = (home: string) =>
  Effect.flatMap(registryIn(home, "look"), ({ list }) => list({ ended: true })).pipe(
    Effect.match({
      onSuccess: ({ records }) => records.map(({ session }) => session).join(),
      onFailure: ({ name }) => name,
    }),
    Effect.scoped,
  );

/** What a program has at first. */
const nothing = { claim: null, lease: null, found: false };

/** All that a home remembers. */
const everything = (home: string) =>
  Effect.gen(function* () {
    const registry = yield* registryIn(home, "look");
    const look: Player = { ...nothing, registry, meanwhile: Effect.void };
    return yield* Effect.forEach(remembered, (step) =>
      Effect.map(heard(step, look), (line) => `${step.name}: ${line}`),
    );
  }).pipe(Effect.scoped);

/** What was kept aside in it, to the byte. */
const keptAside = (home: string): string =>
  readdirSync(home)
    .filter((file) => file.includes("damaged") && !file.endsWith("-shm"))
    .sort()
    .map((file) => `${file} ${readFileSync(join(home, file)).toString("base64")}`)
    .join();

/** A program that stands on a home, and its twin once there is another file. */
interface Run {
  readonly home: string;
  readonly standing: Player;
  twin: Player | null;
  odd: string | null;
  /** How many changes may be refused, which are asked for again then. */
  refusals: number;
}

const twinHome = (home: string): string => `${home}-twin`;

/** One that comes now, with what the first was given, on a copy of the home. */
const twinOf = ({ home, standing }: Run) =>
  Effect.gen(function* () {
    yield* Effect.acquireRelease(
      Effect.sync(() => cpSync(home, twinHome(home), { recursive: true })),
      () => Effect.sync(() => rmSync(twinHome(home), { recursive: true, force: true })),
    );
    const registry = yield* registryIn(twinHome(home), "standing");
    return { ...standing, registry, meanwhile: Effect.void };
  });

/** How long something is so that ends by itself. */
const MOMENT = "100 millis";

const begun = (scope: Scope.Scope, all: ReadonlyArray<Accident>) =>
  Effect.gen(function* () {
    const place = yield* homeOfTwo;
    const { home } = place;
    const own = yield* registryIn(home, "standing");
    yield* own.list({ ended: true });
    const events = all.map((accident) => {
      const happens = Effect.gen(function* () {
        yield* accident.run(place);
        const stands = yield* standsIn(home);
        if (stands !== accident.stands) run.odd = `there are ${stands}, and not ${accident.stands}`;
        run.twin = yield* twinOf(run);
        run.refusals = accident.costsOne ? 1 : 0;
      }).pipe(
        Scope.extend(scope),
        Effect.catchAllCause((cause) =>
          Effect.sync(() => {
            run.odd = `it could not be: ${Cause.pretty(cause)}`;
          }),
        ),
      );
      const { first, name } = accident;
      if (first === undefined) return { name, run: happens };
      const begins = Effect.flatMap(
        Effect.sync(() => first(home)),
        (ends) =>
          Effect.sleep(MOMENT).pipe(
            Effect.zipRight(Explore.quietly(Effect.zipRight(Effect.sync(ends), happens))),
            Effect.forkIn(scope),
          ),
      );
      return { name, run: Effect.asVoid(begins) };
    });
    const happening = new Happening(events, yield* Effect.runtime());
    const standing: Player = {
      ...nothing,
      registry: exploredRegistry(happening.before(own)),
      meanwhile: happening.before({ meanwhile: Effect.void }).meanwhile,
    };
    const run: Run = { home, standing, twin: null, odd: null, refusals: 0 };
    return run;
  });

/** Who waits pauses for whole milliseconds: a clock tells of no others, and neither does a row. */
const wholePauses = Random.fixed([0.5]);

/** Each step beside that of the twin, and both homes behind it; the first that is odd. */
const played = (run: Run, steps: ReadonlyArray<Step>) =>
  Effect.gen(function* () {
    for (const step of steps) {
      let mine = yield* heard(step, run.standing);
      if (mine === "RegistryUnavailable" && run.refusals-- > 0) {
        mine = yield* heard(step, run.standing);
      }
      const isOdd = mine.startsWith(BUG) || (run.twin === null && mine.startsWith("Registry"));
      if (isOdd) return `${step.name}: it heard ${mine}`;
      if (run.twin === null) continue;
      const its = yield* Explore.quietly(heard(step, run.twin));
      const should = its.replaceAll(twinHome(run.home), run.home);
      if (mine !== should) return `${step.name}: it heard ${mine}, and should ${should}`;
    }
    return null;
  });

const behind = ({ home, odd, twin }: Run) =>
  Effect.gen(function* () {
    if (odd !== null || twin === null) return odd;
    const [is, should] = [yield* everything(home), yield* everything(twinHome(home))];
    const at = is.findIndex((line, index) => line !== should[index]);
    if (at >= 0) return `it left ${is[at]}, and should ${should[at]}`;
    return keptAside(home) === keptAside(twinHome(home)) ? null : "what was kept aside was changed";
  });

const world = (
  what: string,
  steps: ReadonlyArray<Step>,
  all: ReadonlyArray<Accident>,
): World<string | null> => ({
  name: `a program that ${what} a registry, and another file in its place`,
  start: () => {
    const program = Effect.gen(function* () {
      const run = yield* Explore.quietly(
        Effect.flatMap(Effect.scope, (scope) => begun(scope, all)),
      );
      const program = Effect.withRandom(played(run, steps), wholePauses);
      const { ending } = yield* Explore.program("standing", program);
      const how = yield* ending;
      const odd = how._tag === "Exited" && Exit.isSuccess(how.exit) ? how.exit.value : "it died";
      // Whoever writes is done by then.
      yield* Effect.sleep("1 second");
      return odd ?? (yield* Explore.quietly(behind(run)));
    }).pipe(Explore.scoped, Effect.orDie, Effect.withTracerEnabled(false));
    return { program, check: (odd) => odd };
  },
});

/** The worlds. */
export const replacedWorlds: ReadonlyArray<NamedWorld> = [
  { world: world("reads", reads, accidents), cost: 1 },
  { world: world("changes", changes, [...accidents, ...busyAccidents, wrongConnection]), cost: 1 },
];
