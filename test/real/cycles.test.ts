/**
 * Sessions come and go, and nothing is left of them but their rows.
 *
 * Method: TROUPE_CYCLES creates and deletes, each of another kind than the one before: a program
 * that goes, one that does not want to, one that fails at its start, a create that is interrupted,
 * and a delete that another program overtakes. After the first ten the footprint is taken; at the
 * end there must be no more of anything.
 */
import { describe, expect, it } from "@effect/vitest";
import type { Sessions } from "@troupe/core";
import { Duration, Effect, Fiber, Redacted, Runtime, Supervisor } from "effect";
import { waitFor } from "../support/Waiting.js";
import {
  above,
  bytesOf,
  type Footprint,
  fencedNames,
  footprintOf,
  heapInUse,
  isIdle,
} from "./Footprint.js";
import { realHome } from "./RealHome.js";

const cycles = Number(process.env.TROUPE_CYCLES ?? 50);
const warmUp = 10;

/** Twenty times what a cycle takes here when nothing else runs. */
const boundMs = 30_000 + cycles * 4_000;

/** What grows by design are the rows; what SQLite keeps of their writes beside them is bounded. */
const logBound = 8 * 1024 * 1024;

/** More than V8's own tables swing by; twelve kilobytes that each of 500 cycles left pass it. */
const heapBound = 6 * 1024 * 1024;

type Program = Sessions["Type"];
type Cycle = (program: Program, other: Program, session: string) => Effect.Effect<unknown, unknown>;

const sleep = { command: ["sleep", "600"], cwd: "/", startWindowMs: 10 };
const stubborn = ["sh", "-c", 'trap "" HUP TERM; setsid sleep 600 & sleep 600'];

const cyclesByKind: Readonly<Record<string, Cycle>> = {
  plain: (program, _, session) =>
    Effect.zipRight(program.create({ session, ...sleep }), program.delete(session)),
  stubborn: (program, _, session) => {
    const env = { TOKEN: Redacted.make("a secret") };
    const made = program.create({ session, ...sleep, command: stubborn, env });
    return Effect.zipRight(made, program.delete(session, { graceMs: 0 }));
  },
  failing: (program, _, session) => {
    const command = ["sh", "-c", "exit 3"];
    const made = Effect.either(program.create({ session, ...sleep, command, startWindowMs: 60 }));
    // On a slow machine it may fail behind its start window.
    return Effect.zipRight(made, program.delete(session));
  },
  interrupted: (program, _, session) =>
    Effect.gen(function* () {
      const options = { session, ...sleep, startWindowMs: 60_000 };
      const run = Runtime.runPromise(yield* Effect.runtime());
      const creating = yield* Effect.fork(program.create(options));
      const state = Effect.map(
        Effect.option(program.get(session)),
        (view) => view._tag === "Some" && view.value.state,
      );
      yield* Effect.promise(() =>
        waitFor("the intent", async () => (await run(state)) === "creating"),
      );
      yield* Fiber.interrupt(creating);
      expect((yield* program.get(session)).state).toBe("failed");
    }),
  contested: (program, other, session) =>
    Effect.gen(function* () {
      yield* program.create({ session, ...sleep });
      const both = [program.delete(session), other.delete(session, { force: true })];
      yield* Effect.forEach(both, Effect.either, { concurrency: "unbounded" });
      yield* program.delete(session);
    }),
};
const kinds = Object.entries(cyclesByKind);

const runCycles = (program: Program, other: Program, from: number, to: number) =>
  Effect.gen(function* () {
    for (let i = from; i < to; i++) {
      const [name, cycle] = kinds[i % kinds.length] ?? [];
      if (name !== undefined && cycle !== undefined) yield* cycle(program, other, name);
    }
  });

const megabytes = (bytes: number): string => (bytes / 1024 / 1024).toFixed(1);

describe("on a real tmux", () => {
  it.scopedLive(
    `${cycles} creates and deletes leave descriptors, children, files, options and heap level`,
    () =>
      Effect.gen(function* () {
        const home = yield* realHome;
        const program = yield* home.sessions();
        const other = yield* home.sessions();
        const fibers = yield* Supervisor.track;
        const turns = (from: number, to: number) =>
          Effect.supervised(runCycles(program, other, from, to), fibers);
        yield* turns(0, warmUp);
        const level = yield* Effect.promise(() =>
          waitFor("an idle server and no client", () => {
            const now = footprintOf(home);
            return isIdle(now) ? now : null;
          }),
        );
        const heapBefore = heapInUse();
        const [took] = yield* Effect.timed(turns(warmUp, cycles));
        let more: Footprint = {};
        // What was given back may take the kernel a moment; what was not is told by name below.
        const isLevel = () => {
          more = above(footprintOf(home), level);
          return Object.keys(more).length === 0;
        };
        yield* Effect.promise(() => waitFor("the level", isLevel).catch(() => false));
        expect(more).toEqual({});
        const grown = heapInUse() - heapBefore;
        const log = bytesOf(home, "registry.db-wal");
        const fences = fencedNames(home);
        console.log(
          [
            `${cycles - warmUp} cycles behind ${warmUp} took ${Duration.format(took)}`,
            `level: ${JSON.stringify(level)}`,
            `heap: ${megabytes(heapBefore)} MB and ${megabytes(grown)} more`,
            `registry: ${megabytes(bytesOf(home, "registry.db"))} MB, its log ${megabytes(log)}`,
            `fences: ${fences.length}`,
          ].join("\n"),
        );
        expect(yield* fibers.value).toEqual([]);
        expect(fences.filter((name) => !(name in cyclesByKind))).toEqual([]);
        expect(grown).toBeLessThan(heapBound);
        expect(log).toBeLessThan(logBound);
        const { sessions } = yield* program.list({ all: true });
        expect(sessions.filter(({ state }) => !["deleted", "failed"].includes(state))).toEqual([]);
        const made = sessions.reduce((sum, { generation }) => sum + generation, 0);
        expect(made).toBe(cycles);
      }),
    boundMs,
  );
});
