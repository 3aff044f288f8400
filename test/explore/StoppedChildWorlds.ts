/**
 * StoppedChildWorlds: a turn that is stopped, or that ends, while it names a child and another is
 * looked at: by an interrupt, its caller, its writer's end, its own end or its program's death.
 *
 * A child counts from the moment at which it is named, whether anybody heard that it was or not: no
 * turn begins while it lives. Of a program that dies those count that it was told of.
 */
import type { SessionHandle, TurnHandle } from "@troupe/core";
import { Explore } from "@troupe/testing";
import { Deferred, Effect, Fiber } from "effect";
import { type Kit, type LeaseEnding, type LeaseScene, leaseWorld } from "./LeaseWorld.js";
import type { NamedWorld } from "./NamedWorld.js";

type Child = Effect.Effect.Success<Kit["children"]["start"]>;

/** When the first child ends, so that a look at it is told of one that lives. */
const FIRST_MS = 90;

/** How much longer the second lives. */
const SECOND_MS = 1_000;

/** While the second is named: a look that is slow takes longer. */
const STOPPED_MS = 10;

/** Behind the end of the first, and before the turn looks at it again: it is not over by then. */
const BEHIND_MS = 100;

/** How often somebody comes, and how many times. */
const [COMES_MS, COMES] = [250, 4];

/** How long a program is there behind all that. */
const STAYS_MS = 2_000;

const works = (kit: Kit) =>
  Effect.all([kit.log(`begin ${kit.owner}`), Explore.reached("ran")], { discard: true });

const named = (kit: Kit, turn: TurnHandle, child: Child) =>
  Effect.suspend(() =>
    Effect.all([kit.log(`asked ${child.pid}`), turn.child(child), kit.log(`named ${child.pid}`)], {
      discard: true,
    }),
  );

/** What a turn does when its first child is named, as it names the second. */
interface Naming {
  readonly name: string;
  readonly body: (second: Effect.Effect<void, unknown>) => Effect.Effect<unknown, unknown>;
}

const stays: Naming = {
  name: "names a child",
  body: (second) => Effect.zipRight(second, Effect.sleep(300)),
};

const behindIt: Naming = {
  name: "names a child behind its interrupt",
  body: (second) => Effect.onInterrupt(Effect.never, () => Effect.exit(second)),
};

const briefly = Effect.sleep(STOPPED_MS);

/** What it began to name is cut off with it. */
const leaves: Naming = {
  name: "ends while it names a child",
  body: (second) => Effect.zipRight(Effect.fork(second), briefly),
};

const fails: Naming = {
  name: "fails while it names a child",
  body: (second) => Effect.zipRight(Effect.zipRight(Effect.fork(second), briefly), Effect.fail(0)),
};

const leavesBehind: Naming = {
  name: "ends, and what names a child goes on",
  body: (second) => Effect.zipRight(Effect.forkDaemon(Effect.delay(second, BEHIND_MS)), briefly),
};

/** Who stops it then. */
interface Stop {
  readonly name: string;
  readonly stops: (
    handle: SessionHandle,
    running: Fiber.Fiber<unknown, unknown>,
  ) => Effect.Effect<unknown, unknown>;
  /** Whether its program ends, too, in order. */
  readonly isLast?: boolean;
}

const nobody: Stop = { name: "nobody stops it", stops: () => Effect.void };

const user: Stop = {
  name: "a user interrupts it",
  stops: (handle) => handle.interrupt("user_stop"),
};

const caller: Stop = {
  name: "its caller leaves",
  stops: (_, running) => Fiber.interrupt(running),
};

const writer: Stop = {
  name: "its writer ends",
  stops: (handle) => handle.end("explicit_close"),
};

const program: Stop = { ...writer, name: "its writer and then its program end", isLast: true };

/** Names two children, is stopped, and comes again. */
const stopped =
  ({ body }: Naming, { isLast = false, stops }: Stop) =>
  (kit: Kit) =>
    Effect.gen(function* () {
      const handle = yield* kit.handles.get("a", { kind: "turn" });
      const [first, second] = [yield* kit.children.start, yield* kit.children.start];
      const begun = yield* Deferred.make<void>();
      const running = yield* Effect.fork(
        Effect.exit(
          handle.runTurn((turn) =>
            Effect.gen(function* () {
              yield* named(kit, turn, first);
              yield* Deferred.succeed(begun, undefined);
              yield* body(named(kit, turn, second));
            }),
          ),
        ),
      );
      yield* Effect.raceFirst(Deferred.await(begun), running.await);
      yield* briefly;
      yield* Effect.exit(stops(handle, running));
      yield* Effect.exit(handle.runTurn(() => works(kit), { waitForSettle: true }));
      if (!isLast) yield* Effect.sleep(STAYS_MS);
    });

/** Comes now and then. */
const comes = (kit: Kit) =>
  Effect.gen(function* () {
    const handle = yield* kit.handles.get("a", { kind: "turn" });
    for (let left = COMES; left > 0; left--) {
      yield* Effect.sleep(COMES_MS);
      const exit = yield* Effect.either(handle.runTurn(() => works(kit)));
      if (exit._tag === "Left" && exit.left._tag === "LeaseHeld") yield* Explore.reached("refused");
    }
  });

/** Nobody's turn begins beside a child that lives and was named. */
const beside = ({ log }: LeaseEnding): string | null => {
  const [asked, told, gone] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const line of log) {
    const [what, who = ""] = line.split(" ");
    if (what === "asked") asked.add(who);
    if (what === "named") told.add(who);
    if (what === "gone") gone.add(who);
    const isDead = log.slice(0, log.indexOf(line)).includes("crash program1");
    const child = [...(isDead ? told : asked)].find((pid) => !gone.has(pid));
    if (what === "begin" && child !== undefined) return `${who} began beside ${child}: ${log}`;
  }
  return null;
};

const scene = (naming: Naming, stop: Stop): LeaseScene => ({
  name: `a turn that ${naming.name}, and ${stop.name}`,
  sessions: ["a"],
  programs: [stopped(naming, stop), comes],
  slowLooks: true,
  meanwhile: ({ children, log }) =>
    Effect.forEach([FIRST_MS, SECOND_MS], (ms, at) =>
      Effect.gen(function* () {
        yield* Effect.sleep(ms);
        const ended = yield* children.end(at + 1);
        if (ended !== null) yield* log(`gone ${ended.pid}`);
      }),
    ),
  sometimes: ["refused"],
  check: beside,
});

const scenes: ReadonlyArray<LeaseScene> = [
  ...[user, caller, writer, program].flatMap((stop) =>
    [stays, behindIt].map((one) => scene(one, stop)),
  ),
  ...[leaves, fails, leavesBehind].map((one) => scene(one, nobody)),
];

/** The worlds. */
export const stoppedChildWorlds: ReadonlyArray<NamedWorld> = [
  ...scenes.map((one) => ({ world: leaseWorld(one), cost: 1 })),
  {
    world: leaseWorld({
      ...scene(stays, user),
      name: `${scene(stays, user).name}, its program may die, and what is written is slow or fails`,
      crash: "first",
      troubled: "notes",
    }),
    cost: 1,
  },
];
