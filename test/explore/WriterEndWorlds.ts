/**
 * WriterEndWorlds: a writer that ends with its session, and another program that replaces that or
 * takes its lease by force: what is another's by then is not deleted.
 *
 * The real sessions with the real writers over them, on the fake tmux. The writer is there before
 * anything is explored, so it is of the first incarnation.
 */
import { type EndReason, ProcessTable, Registry, SessionHandles, Sessions } from "@troupe/core";
import { CountedIds, Explore, exploredRegistry, FakeAwakeClock, FakeTmux } from "@troupe/testing";
import { Cause, Context, Effect, Exit, Layer, Option } from "effect";
import { endingOf, type Machine, type WorldEnding } from "./EndingOf.js";
import { Happening } from "./Happening.js";
import type { NamedWorld } from "./NamedWorld.js";
import { create, replacing } from "./SessionCalls.js";
import type { Call } from "./SessionWorld.js";
import { takeByForce } from "./UnderLeaseWorlds.js";
import { sessionsOf } from "./WorldProgram.js";
import { memoryStore, type WorldStore } from "./WorldStore.js";

/** What is explored. */
interface EndScene {
  readonly name: string;
  /** Whether the writer has run a turn, and has its lease from that. */
  readonly holds: boolean;
  /** The ends that are asked for at once. */
  readonly ends: ReadonlyArray<EndReason>;
  readonly other: Call;
  readonly check: (ending: WorldEnding) => string | null;
  readonly sometimes: ReadonlyArray<string>;
}

/** A program with its sessions, and the registry that they are in. */
const programOf = (machine: Machine, store: WorldStore, owner: string) =>
  Effect.gen(function* () {
    let registry: Registry["Type"] | null = null;
    const noted = (own: Registry["Type"]) => {
      registry = own;
      return own;
    };
    const never = new Happening([], yield* Effect.runtime());
    const sessions = yield* sessionsOf({ registry: noted }, machine, store, owner, never);
    if (registry === null) return yield* Effect.dieMessage("a program without a registry");
    return { sessions, registry: exploredRegistry(registry) };
  });

/** The writer of the session. */
const writerOf = (machine: Machine, store: WorldStore, holds: boolean) =>
  Effect.gen(function* () {
    const { registry, sessions } = yield* programOf(machine, store, "program1");
    const built = yield* SessionHandles.layerWithTurns.pipe(
      Layer.provide(Layer.succeed(Sessions, sessions)),
      Layer.provide(Layer.succeed(Registry, registry)),
      Layer.provide(Layer.succeed(ProcessTable, Context.get(machine, ProcessTable))),
      Layer.provide(Layer.merge(CountedIds.layer("writer"), FakeAwakeClock.layer)),
      Layer.build,
    );
    const handle = yield* Context.get(built, SessionHandles).get("a");
    if (holds) yield* handle.runTurn(() => Effect.void);
    return handle;
  });

const tagOf = (cause: Cause.Cause<unknown>): string => {
  const failure = Option.getOrNull(Cause.failureOption(cause));
  return failure instanceof Error ? failure.name : Cause.pretty(cause);
};

const endWorld = (scene: EndScene): NamedWorld["world"] => ({
  name: scene.name,
  sometimes: scene.sometimes,
  start: () => {
    const told: Array<string> = [];
    const tell = (name: string) => (exit: Exit.Exit<unknown, unknown>) => {
      const line = Exit.match(exit, {
        onFailure: (cause) => `${name}: failed ${tagOf(cause)}`,
        onSuccess: () => `${name}: ok`,
      });
      told.push(line);
      return Explore.reached(line);
    };
    const program = Effect.gen(function* () {
      const machine: Machine = yield* Explore.quietly(Layer.build(FakeTmux.layer()));
      const store = yield* memoryStore;
      const tmux = Context.get(machine, FakeTmux);
      const { handle, other } = yield* Explore.quietly(
        Effect.gen(function* () {
          const before = yield* sessionsOf({}, machine, store, "before", null);
          yield* create.run(before, tmux);
          const two = yield* programOf(machine, store, "program2");
          return { handle: yield* writerOf(machine, store, scene.holds), other: two.sessions };
        }),
      );
      const calls = [
        Effect.forEach(
          scene.ends,
          (reason) => Effect.flatMap(Effect.exit(handle.end(reason)), tell(`end by ${reason}`)),
          { concurrency: "unbounded" },
        ),
        Effect.flatMap(Effect.exit(scene.other.run(other, tmux)), tell(scene.other.name)),
      ];
      const programs = yield* Effect.forEach(calls, (call, index) =>
        Explore.program(`program${index + 1}`, call),
      );
      for (const { ending } of programs) yield* ending;
      return yield* Explore.quietly(endingOf(machine, store, { told, adopts: false }));
    }).pipe(Explore.scoped, Effect.orDie, Effect.withTracerEnabled(false));
    return { program, check: scene.check, state: () => told.join(", ") };
  },
});

/** What has the name in place of the first incarnation runs on. */
const replacementLives = ({ inTmux, records, told }: WorldEnding): string | null => {
  const newest = records.at(-1);
  // Its lease goes with its session, and then there is nothing to be done.
  if (told.some((line) => line.endsWith("failed LeaseLost"))) return "what is gone was not its own";
  if (!told.includes(`${replacing.name}: ok`)) return null;
  if (newest?.generation !== 2) return `a replacement is ${newest?.generation}`;
  const isThere = inTmux.some(({ incarnation }) => incarnation === newest.incarnation);
  return newest.state === "running" && isThere ? null : `what took its place is ${newest.state}`;
};

/** Whose lease was taken before its delete was done has deleted nothing. */
const takerKeeps = ({ records, told }: WorldEnding): string | null => {
  const taken = told.indexOf(`${takeByForce.name}: ok`);
  const ended = told.indexOf("end by explicit_delete: ok");
  const isLost = told.includes("end by explicit_delete: failed LeaseLost");
  const lives = records.at(-1)?.state === "running";
  const isWrong = isLost ? !lives : taken !== -1 && taken < ended;
  return isWrong ? "a session was deleted behind its lease" : null;
};

const deletes: ReadonlyArray<EndReason> = ["explicit_delete"];

const replaced = (who: string, scene: Pick<EndScene, "ends" | "holds">): EndScene => ({
  ...scene,
  name: `${who} ends with its session ∥ ${replacing.name}`,
  other: replacing,
  check: replacementLives,
  sometimes: ["end by explicit_delete: ok", `${replacing.name}: ok`],
});

const scenes: ReadonlyArray<EndScene> = [
  replaced("a writer without a lease", { holds: false, ends: deletes }),
  replaced("a writer with a lease", { holds: true, ends: deletes }),
  replaced("a writer that is idle", { holds: true, ends: ["idle_timeout", ...deletes] }),
  {
    name: `a writer with a lease ends with its session ∥ ${takeByForce.name}`,
    holds: true,
    ends: deletes,
    other: takeByForce,
    check: takerKeeps,
    sometimes: ["end by explicit_delete: failed LeaseLost", `${takeByForce.name}: ok`],
  },
];

/** The worlds. */
export const writerEndWorlds: ReadonlyArray<NamedWorld> = scenes.map((scene) => ({
  world: endWorld(scene),
  cost: scene.ends.length === 1 ? 2 : 1,
}));
