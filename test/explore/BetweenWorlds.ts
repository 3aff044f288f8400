/**
 * BetweenWorlds: each call of the registry in SQLite, and before any operation in the middle of it
 * all that another program does about the same name or home: it is as though one had come first.
 *
 * A call may be several transactions, and looks at files: what it read in one of them may not hold
 * in the next. What both hear, all that is remembered then and the locks that are there are held
 * against the same calls one after the other, in both orders. So nothing is said here of what a
 * call should do: only that whatever it knew was still so.
 */
import { type Change, IncarnationId, type Registry } from "@troupe/core";
import { Explore, type World } from "@troupe/testing";
import { Effect } from "effect";
import { registryIn } from "./FileAccidents.js";
import { made, name } from "./LeaseWorld.js";
import type { NamedWorld } from "./NamedWorld.js";
import { changes, heard, type Player, remembered, type Step } from "./RegistrySteps.js";
import { type HomeKind, leaseBy, locksIn, sessions, storedHome } from "./StoredHomes.js";

const a = name("a");
const A = IncarnationId.make("incarnation-a");
const again = IncarnationId.make("incarnation-again");

const moves = (...states: ReadonlyArray<"running" | "deleting" | "deleted">) =>
  states.map((to): Change => ({ _tag: "Move", to, cause: null }));

const spec = { command: ["x"], cwd: "/", envNames: [], inheritEnv: false, log: true };
const begin: Change = {
  _tag: "Begin",
  spec: { ...spec, columns: 80, rows: 24 },
  server: { pid: 1, startTime: 1 },
  requestId: null,
};

const claim = (registry: Registry["Type"], force: boolean) =>
  registry.claim(a, { attempted: "explored", force });

const ends = (player: Player) =>
  Effect.gen(function* () {
    const { registry } = player;
    player.claim = yield* claim(registry, true);
    yield* registry.commit(player.claim, A, moves("deleting", "deleted"), { release: false });
    return player.claim;
  });

/** What comes in the middle of a message, all of it at one moment, and uses force. */
const forced: ReadonlyArray<Step> = [
  {
    name: "it is ended, forgotten and made anew",
    run: (player) =>
      Effect.gen(function* () {
        const { registry } = player;
        const held = yield* ends(player);
        yield* registry.forget(held, A, []);
        yield* registry.forgetName(held);
        yield* made(registry, "a");
      }),
  },
  {
    name: "its lease is taken by force",
    run: ({ registry }) => registry.claimLease({ ...leaseBy("other"), over: "any" }),
  },
];

/** What a gc does with what has ended, one step behind the other. */
const forgets: ReadonlyArray<Step> = [
  {
    name: "forgets it",
    run: ({ claim: held, registry }) =>
      held === null ? Effect.fail("no claim") : registry.forget(held, A, []),
  },
  {
    name: "forgets its name",
    run: ({ claim: held, registry }) =>
      held === null ? Effect.fail("no claim") : registry.forgetName(held),
  },
];

const usedAgain: Step = {
  name: "the name is used again by force",
  run: ({ registry }) =>
    Effect.flatMap(claim(registry, true), (held) =>
      registry.commit(held, again, [begin, ...moves("running")], { release: true }),
    ),
};

const leftovers: Step = {
  name: "a gc of leftovers",
  // What it tells of a program that has not its lock yet is true for a moment only.
  run: ({ registry }) => Effect.asVoid(registry.leftovers({ remove: true })),
};

const claims: Step = { name: "a claim", run: ({ registry }) => claim(registry, false) };

/** What those want that come behind a program that has died with the claim and the lease. */
const wishes = (owner: string): ReadonlyArray<Step> => [
  claims,
  { name: "a lease", run: ({ registry }) => registry.claimLease(leaseBy(owner)) },
  {
    name: "a lease elsewhere, of one at most",
    run: ({ registry }) =>
      registry.claimLease({ ...leaseBy(owner), session: name(`of-${owner}`), capacity: 1 }),
  },
  {
    name: "a sweep",
    run: ({ registry }) =>
      registry.sweepLeases({ component: "sessions", vouched: () => true, graceMs: 0 }),
  },
  leftovers,
];

const makes: Step = { name: "a session", run: ({ registry }) => made(registry, "of-program2") };

/** The same by a third one, who ends with that: nobody has it open. */
const madeByOne: Step = { name: "a session of one that ends", run: ({ meanwhile }) => meanwhile };

/** Whoever had just opened it as another put a new one in its place can use neither, then. */
const setsAside: Step = {
  name: "a look whether it is damaged",
  run: ({ registry }) =>
    Effect.asVoid(registry.setAside).pipe(
      Effect.retry({ times: 1, while: ({ _tag }) => _tag === "RegistryUnavailable" }),
    ),
};

const rebuilds: Step = {
  name: "a rebuild",
  run: (player) => Effect.zipRight(setsAside.run(player), makes.run(player)),
};

/** A third one does the same as the first, and ends; the second starts behind that. */
const sweptAndStarts: Step = {
  name: "one more gc, and a claim",
  run: ({ meanwhile, registry }) => Effect.zipRight(meanwhile, claim(registry, false)),
};

/** What meets, behind what, and where. */
interface Meeting {
  readonly where: HomeKind;
  readonly before?: ReadonlyArray<Step>;
  /** What the other one has done before. */
  readonly prepared?: ReadonlyArray<Step>;
  readonly step: Step;
  /** What the other one does. */
  readonly act: Step;
  /** What a third one does meanwhile, if he asks for that; what the first does, else. */
  readonly third?: Step;
}

/** What is remembered in the end, but for the order in which leases were asked for. */
const lasting: ReadonlyArray<Step> = [
  ...remembered.filter(({ name: what }) => what !== "leases"),
  ...sessions.map((session) => ({
    name: `lease of ${session}`,
    run: ({ registry }: Player) => registry.leaseOf(name(session)),
  })),
];

const playerIn = (home: string, owner: string, meanwhile: Effect.Effect<void> = Effect.void) =>
  Effect.map(
    registryIn(home, owner),
    (registry): Player => ({ registry, claim: null, lease: null, found: false, meanwhile }),
  );

/** What was heard, is remembered and is there, as lines. */
const told = (home: string, answers: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const last = yield* playerIn(home, "last");
    const known = yield* Effect.forEach(lasting, (step) => heard(step, last));
    return [...answers, ...known, ...locksIn(home)].join("\n");
  });

type Order = "first" | "second" | "explored";

const outcome = (meeting: Meeting, order: Order) =>
  Effect.gen(function* () {
    const { act, before = [], prepared = [], step, third = step, where } = meeting;
    const begun = Effect.gen(function* () {
      const home = yield* storedHome(where);
      const one = yield* playerIn(home, "program1");
      for (const each of before) yield* heard(each, one);
      const other = Effect.flatMap(playerIn(home, "program3"), (it) => heard(third, it));
      const two = yield* playerIn(home, "program2", Effect.asVoid(Effect.scoped(other)));
      for (const each of prepared) yield* heard(each, two);
      return { home, one, two };
    });
    const { home, one, two } = yield* Explore.quietly(begun);
    const own = heard(step, one);
    const other = Explore.quietly(heard(act, two));
    const orders = {
      first: Effect.all([own, other]),
      second: Effect.map(Effect.all([other, own]), ([heardThen, heardNow]) => [
        heardNow,
        heardThen,
      ]),
      explored: Effect.all([own, other], { concurrency: 2 }),
    };
    const answers = yield* orders[order];
    return yield* Explore.quietly(told(home, answers));
  }).pipe(Explore.scoped);

/** The first line that is otherwise than one behind the other, in either order. */
const unlike = (is: string, serial: ReadonlyArray<string>): string => {
  const differs = serial.map((one) => {
    const lines = one.split("\n");
    const at = lines.findIndex((line, index) => line !== is.split("\n")[index]);
    return `${is.split("\n")[at]}, and one behind the other ${lines[at]}`;
  });
  return `it is ${differs.join("; or it is ")}`;
};

const world = (meeting: Meeting): NamedWorld => {
  const { act, step, where } = meeting;
  let serial: ReadonlyArray<string> | null = null;
  const explored: World<string> = {
    name: `${step.name}${where === "used" ? "" : ` ${where}`}, and ${act.name} in between`,
    granularity: "visible",
    start: () => {
      const program = Effect.gen(function* () {
        serial ??= yield* Explore.quietly(
          Effect.all([outcome(meeting, "first"), outcome(meeting, "second")]),
        );
        return yield* outcome(meeting, "explored");
      }).pipe(Effect.withTracerEnabled(false));
      return {
        program,
        check: (is) => (serial?.includes(is) ? null : unlike(is, serial ?? [])),
      };
    },
  };
  return { world: explored, cost: 1 };
};

const stepsOf = (
  steps: ReadonlyArray<Step>,
  acts: ReadonlyArray<Step>,
  first: ReadonlyArray<Step> = [],
) =>
  steps.flatMap((step, at) =>
    acts.map((act) =>
      world({ where: "used", before: [...first, ...steps.slice(0, at)], step, act }),
    ),
  );

const named = (...names: ReadonlyArray<string>): ReadonlyArray<Step> =>
  changes.filter(({ name: what }) => names.includes(what));

/** Whoever holds it lives, and begins a turn or gives it back. */
const besideItsHolder = [
  ...wishes("program1"),
  {
    name: "a lease of what has settled",
    run: ({ registry }: Player) => registry.claimLease({ ...leaseBy("program1"), over: "settled" }),
  },
].flatMap((step) =>
  named("notes", "gives the lease back").map((act) =>
    world({
      where: "used",
      prepared: named("leases"),
      step,
      act: { ...act, name: `its holder ${act.name}` },
    }),
  ),
);

const behindTheDead = wishes("program1").flatMap((step) =>
  wishes("program2").map((act) => world({ where: "behind the dead", step, act })),
);

/** The worlds. */
export const betweenWorlds: ReadonlyArray<NamedWorld> = [
  ...stepsOf(changes, forced),
  ...stepsOf(forgets, [usedAgain], [{ name: "ends it", run: ends }]),
  ...[...behindTheDead, ...besideItsHolder],
  ...[leftovers, claims].map((step) =>
    world({ where: "beside one that starts", step, act: sweptAndStarts }),
  ),
  world({ where: "in a home that is none", step: claims, act: madeByOne, third: makes }),
  ...(["in a home that is none", "in an older home"] as const).map((where) =>
    world({ where, step: claims, act: makes }),
  ),
  ...(
    ["in a damaged home", "in a damaged home with a log", "in a home with a damaged row"] as const
  ).map((where) => world({ where, step: setsAside, act: rebuilds })),
  world({ where: "in a home with a damaged row", step: claims, act: rebuilds }),
];
