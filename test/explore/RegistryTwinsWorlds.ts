/**
 * RegistryTwinsWorlds: two registries, one truth: what is in memory and what is in SQLite answers
 * alike, call by call, whatever was asked before and whoever asks.
 *
 * Calls are drawn from a number, and every number is a schedule; three programs ask, end and are
 * killed. After each call the answers are compared, and what is there then.
 */
import { Settings } from "@troupe/core";
import { Explore, type World } from "@troupe/testing";
import { Effect } from "effect";
import type { NamedWorld } from "./NamedWorld.js";
import { type Flawed, makeTwins, type TwinProgram } from "./RegistryTwins.js";
import { answerOf, difference } from "./RegistryTwinsAnswers.js";
import { type Draw, diceOf, type Hand, type TwinCall, weighed } from "./RegistryTwinsHand.js";
import {
  claimLease,
  moveLease,
  releaseLease,
  sweepLeases,
  writeLease,
} from "./RegistryTwinsLeases.js";
import { beside, everything, page, something, waits } from "./RegistryTwinsReads.js";
import { claim, commit, forget, forgetName, release, renew } from "./RegistryTwinsSessions.js";

/** What is drawn, how often, and how many events are kept. */
interface Subject {
  readonly name: string;
  readonly draw: Draw;
  readonly calls: number;
  readonly eventsKept: number;
}

const asked = ({ memory, name, sqlite }: TwinProgram, call: TwinCall) =>
  Effect.gen(function* () {
    const known = answerOf(yield* Effect.exit(call.ask(memory)));
    const told = answerOf(yield* Effect.exit(call.ask(sqlite)));
    const found = difference(known, told);
    return found === null ? null : `${name}: ${call.name}${found}`;
  });

/** The first difference of these calls. */
const firstOf = (program: TwinProgram, calls: ReadonlyArray<TwinCall>) =>
  Effect.gen(function* () {
    for (const call of calls) {
      const found = yield* asked(program, call);
      if (found !== null) return found;
    }
    return null;
  });

/** Everything is read so often. */
const WHOLE = 10;

const played = ({ calls, draw }: Subject, seed: number, flawed: Flawed) =>
  Effect.gen(function* () {
    const { children, program, store } = yield* makeTwins(flawed);
    const dice = diceOf(seed);
    const hand: Hand = { dice, store, children, claims: [], leases: [], incarnations: [] };
    const programs = yield* Effect.replicateEffect(program, 3);
    const ended: Array<TwinProgram> = [];
    for (let number = 1; number <= calls; number++) {
      yield* Effect.sleep(1 + dice.below(60));
      if (dice.is(0.1)) {
        const at = dice.below(programs.length);
        const [gone] = programs.splice(at, 1, yield* program);
        if (gone !== undefined) ended.push(gone);
        yield* dice.is(0.5) ? (gone?.end ?? Effect.void) : (gone?.kill ?? Effect.void);
      }
      // A turn may have run on where its program ended, until it is killed.
      if (dice.is(0.03) && ended.length > 0) yield* dice.one(ended).kill;
      const call = draw(hand);
      const own = programs.find(({ owner }) => owner === call.by);
      const who = own ?? dice.one(programs);
      const then = number % WHOLE === 0 || number === calls ? everything(hand) : [something(hand)];
      const answered = yield* asked(who, call);
      if (answered !== null) return `call ${number} of ${seed}: ${answered}`;
      const found = yield* firstOf(dice.one(programs), then);
      if (found !== null) return `behind call ${number} of ${seed}, ${call.name}: ${found}`;
    }
    return null;
  });

/** The world of a subject: so many numbers, each a schedule. */
export const twinsWorld = (
  subject: Subject,
  seeds: number,
  flawed: Flawed = (registry) => registry,
): World<string | null> => ({
  name: subject.name,
  start: () => ({
    program: Effect.gen(function* () {
      const numbers = Array.from({ length: seeds - 1 }, (_, index) => index + 2);
      const seed = yield* Explore.choose("the calls", [1, ...numbers]);
      return yield* Explore.quietly(played(subject, seed, flawed));
    }).pipe(
      Explore.scoped,
      Effect.provideService(Settings, {
        ...Settings.defaultValue(),
        eventsKept: subject.eventsKept,
      }),
      Effect.withTracerEnabled(false),
    ),
    check: (found) => found,
  }),
});

/** What is asked, by its subject. */
export const subjects = {
  sessions: {
    name: "two registries, one truth: sessions",
    ...{ calls: 60, eventsKept: 1_000 },
    draw: weighed([
      [5, claim],
      [10, commit],
      [2, release],
      [2, renew],
      [1, forget],
    ]),
  },
  leases: {
    name: "two registries, one truth: leases",
    ...{ calls: 80, eventsKept: 1_000 },
    draw: weighed([
      [4, claim],
      [6, commit],
      [6, claimLease],
      [5, moveLease],
      [5, writeLease],
      [4, releaseLease],
      [1, sweepLeases],
      [2, beside],
    ]),
  },
  forgetting: {
    name: "two registries, one truth: forgetting",
    ...{ calls: 80, eventsKept: 1_000 },
    draw: weighed([
      [6, claim],
      [10, commit],
      [6, forget],
      [3, forgetName],
      [2, claimLease],
      [1, releaseLease],
    ]),
  },
  events: {
    name: "two registries, one truth: events",
    ...{ calls: 60, eventsKept: 25 },
    draw: weighed([
      [4, claim],
      [8, commit],
      [1, forget],
      [4, page],
      [1, waits],
      [1, claimLease],
    ]),
  },
  together: {
    name: "two registries, one truth: all together",
    ...{ calls: 120, eventsKept: 30 },
    draw: weighed([
      [6, claim],
      [9, commit],
      [1, release],
      [1, renew],
      [3, forget],
      [2, forgetName],
      [4, claimLease],
      [3, moveLease],
      [3, writeLease],
      [2, releaseLease],
      [1, sweepLeases],
      [2, page],
      [1, waits],
      [2, beside],
    ]),
  },
} satisfies Record<string, Subject>;

/** The worlds of every subject. */
export const registryTwinsWorlds: ReadonlyArray<NamedWorld> = Object.values(subjects).map(
  (subject) => ({ world: twinsWorld(subject, 16), cost: 1 }),
);
