/**
 * SqliteWorlds: two programs on one registry in SQLite: the real file, a connection for each.
 *
 * Nothing in it waits inside a native call, so it runs under the explorer as the one in memory
 * does. Each program takes the claim, begins an incarnation and ends it.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Claim, IncarnationId, Registry, SessionName } from "@troupe/core";
import { SqliteRegistry } from "@troupe/sqlite";
import { CountedIds, Explore, exploredRegistry, type World } from "@troupe/testing";
import { Cause, Context, Effect, Exit, Layer, Option, Schedule } from "effect";
import type { NamedWorld } from "./NamedWorld.js";
import { ownProcess } from "./OwnProcess.js";

const session = SessionName.make("a");
const spec = {
  command: ["x"],
  cwd: "/",
  envNames: [],
  inheritEnv: false,
  log: true,
  columns: 80,
  rows: 24,
};
const begin = { _tag: "Begin", spec, server: { pid: 1, startTime: 1 }, requestId: null } as const;
const failed = { _tag: "Move", to: "failed", cause: null } as const;

const registryOf = (home: string, owner: string) => {
  const ports = Layer.merge(ownProcess, CountedIds.layer(owner));
  const layer = Layer.provide(SqliteRegistry.layer({ home, host: "host" }), ports);
  return Explore.quietly(
    Effect.map(Layer.build(layer), (built) => exploredRegistry(Context.get(built, Registry))),
  );
};

/** What one of the programs does. */
type Work = (registry: Registry["Type"], owner: string) => Effect.Effect<void, { _tag: string }>;

/** One message: the claim, an incarnation that begins and one that ends with it. */
const message: Work = (registry, owner) =>
  Effect.gen(function* () {
    const claim = yield* registry
      .claim(session, { attempted: "explored", force: false })
      .pipe(Effect.retry({ while: ({ _tag }) => _tag === "Busy", schedule: Schedule.spaced(50) }));
    const incarnation = IncarnationId.make(`${owner}-0001`);
    yield* registry.commit(claim, incarnation, [begin], { release: false });
    yield* registry.commit(claim, incarnation, [failed], { release: true });
  });

/** The same, where the second program does not wait; the log says who did what, in order. */
const byForce =
  (log: Array<string>): Work =>
  (registry, owner) =>
    Effect.gen(function* () {
      const force = owner === "second";
      const claim = yield* registry.claim(session, { attempted: "explored", force });
      log.push(`${owner} claims`);
      const left = Option.getOrNull(yield* registry.get(session));
      // What the one that was overtaken has left is ended first, as a create does.
      if (left !== null && left.state === "creating") {
        yield* registry.commit(claim, left.incarnation, [failed], { release: false });
      }
      const incarnation = IncarnationId.make(`${owner}-0001`);
      for (const change of [begin, failed]) {
        yield* registry.commit(claim, incarnation, [change], { release: change === failed });
        log.push(`${owner} writes`);
      }
    });

/** The same without asking for the claim: whatever is the newest epoch is taken for ours. */
const withoutClaim: Work = (registry, owner) =>
  Effect.gen(function* () {
    const known = yield* registry.get(session);
    const epoch = Option.match(known, { onNone: () => 0, onSome: (r) => r.claim.epoch }) + 1;
    const claim: Claim = { session, owner, epoch, fenceDue: false };
    yield* registry.commit(claim, IncarnationId.make(`${owner}-0001`), [begin], { release: false });
  });

/** How an exit is told: `Success`, or the tag of its failure. */
const toldOf = (exit: Exit.Exit<void, { _tag: string }>): string => {
  if (Exit.isSuccess(exit)) return "Success";
  const failure = Cause.failureOption(exit.cause);
  return failure._tag === "Some" ? failure.value._tag : `died: ${Cause.squash(exit.cause)}`;
};

/** How the two programs ended, and what the log of the home tells. */
interface Told {
  readonly ended: ReadonlyArray<string>;
  readonly events: ReadonlyArray<string>;
}

const world = (
  name: string,
  start: () => { readonly work: Work; readonly check: (told: Told) => string | null },
): World<Told> => ({
  name,
  start: () => {
    const { check, work } = start();
    const home = mkdtempSync(join(tmpdir(), "tr-"));
    const one = (owner: string) =>
      Explore.program(
        owner,
        Explore.scoped(
          Effect.flatMap(registryOf(home, owner), (registry) => work(registry, owner)),
        ),
      );
    const program = Effect.gen(function* () {
      const programs = yield* Effect.forEach(["first", "second"], one);
      const endings = yield* Effect.forEach(programs, ({ ending }) => ending);
      const last = yield* registryOf(home, "last");
      const { events } = yield* Explore.quietly(Effect.orDie(last.events(0, 100)));
      const told: Told = {
        ended: endings.map((e) => (e._tag === "Exited" ? toldOf(e.exit) : e._tag)),
        events: events.map(({ body, generation }) =>
          body.type === "session" ? `${generation} ${body.state}` : body.type,
        ),
      };
      return told;
    }).pipe(
      Explore.scoped,
      Effect.ensuring(Effect.sync(() => rmSync(home, { recursive: true, force: true }))),
    );
    return { program, check };
  },
});

const whole = ({ ended, events }: Told): string | null => {
  const told = [...ended, ...events].join(", ");
  const expected = "Success, Success, 1 creating, 1 failed, 2 creating, 2 failed";
  return told === expected ? null : told;
};

/** Whoever was overtaken is told so at the next write, and has written nothing since. */
const overtakenIsTold = (log: ReadonlyArray<string>, { ended }: Told): string | null => {
  const [first = "", second = ""] = ended;
  const from = log.indexOf("second claims");
  const since = log.lastIndexOf("first claims") < from && log.lastIndexOf("first writes") > from;
  if (since) return "the first wrote after it was overtaken";
  return second === "Success" && /^(Success|Busy)$/.test(first) ? null : `${first}, ${second}`;
};

/** Each waits for the other. */
export const inTurn = world("two programs on one registry in SQLite", () => ({
  work: message,
  check: whole,
}));

/** Neither has a claim. */
export const unclaimed = world("two programs without claims in SQLite", () => ({
  work: withoutClaim,
  check: whole,
}));

/** One does not wait for the other. */
const forced = world("two programs on one registry in SQLite, one by force", () => {
  const log: Array<string> = [];
  return { work: byForce(log), check: (told) => overtakenIsTold(log, told) };
});

/** The registry in SQLite, of two programs. */
export const sqliteWorlds: ReadonlyArray<NamedWorld> = [
  { world: inTurn, cost: 3 },
  { world: forced, cost: 2 },
];
