/**
 * Two programs on one registry in SQLite, explored: the real file, a connection for each, every
 * schedule of their calls up to a total cost of 3.
 *
 * Nothing in it waits inside a native call, so it runs under the explorer as the one in memory
 * does. The twin reads and writes as two transactions of its own, without a claim.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Claim, IncarnationId, ProcessTable, Registry, SessionName } from "@troupe/core";
import { SqliteRegistry } from "@troupe/sqlite";
import { CountedIds, Explore, exploredRegistry, type World } from "@troupe/testing";
import { Context, Effect, Layer, Option, Schedule } from "effect";
import { describe, expect, it, vi } from "vitest";

vi.setConfig({ testTimeout: 120_000 });

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

const own = {
  id: { pid: 1, startTime: 1, bootId: "boot" },
  parent: 0,
  program: "node",
  tmuxServer: false,
  processSession: 1,
  catchesTerm: false,
};

const processes = Layer.succeed(ProcessTable, {
  ownPid: 1,
  bootId: Effect.succeed("boot"),
  look: () => Effect.succeed(own),
  snapshot: Effect.succeed([own]),
  marked: () => Effect.succeed([]),
  signal: () => Effect.void,
});

const registryOf = (home: string, owner: string) => {
  const ports = Layer.merge(processes, CountedIds.layer(owner));
  const layer = Layer.provide(SqliteRegistry.layer({ home, host: "host" }), ports);
  return Explore.quietly(
    Effect.map(Layer.build(layer), (built) => exploredRegistry(Context.get(built, Registry))),
  );
};

/** One message: the claim, an incarnation that begins and one that ends with it. */
const message = (registry: Registry["Type"], owner: string) =>
  Effect.gen(function* () {
    const claim = yield* registry
      .claim(session, { attempted: "explored", force: false })
      .pipe(Effect.retry({ while: ({ _tag }) => _tag === "Busy", schedule: Schedule.spaced(50) }));
    const incarnation = IncarnationId.make(`${owner}-0001`);
    yield* registry.commit(claim, incarnation, [begin], { release: false });
    yield* registry.commit(claim, incarnation, [failed], { release: true });
  });

/** The same without asking for the claim: whatever is the newest epoch is taken for ours. */
const withoutClaim = (registry: Registry["Type"], owner: string) =>
  Effect.gen(function* () {
    const known = yield* registry.get(session);
    const epoch = Option.match(known, { onNone: () => 0, onSome: (r) => r.claim.epoch }) + 1;
    const claim: Claim = { session, owner, epoch, fenceDue: false };
    yield* registry.commit(claim, IncarnationId.make(`${owner}-0001`), [begin], { release: false });
  });

const world = (work: typeof message): World<ReadonlyArray<string>> => ({
  name: "two programs on one registry in SQLite",
  start: () => {
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
      const told = events.map(({ body, generation }) =>
        body.type === "session" ? `${generation} ${body.state}` : body.type,
      );
      const ended = endings.map((e) => (e._tag === "Exited" ? e.exit._tag : e._tag));
      return [...ended, ...told];
    }).pipe(
      Explore.scoped,
      Effect.ensuring(Effect.sync(() => rmSync(home, { recursive: true, force: true }))),
    );
    const whole = ["1 creating", "1 failed", "2 creating", "2 failed"];
    const expected = ["Success", "Success", ...whole].join(", ");
    return {
      program,
      check: (lines) => (lines.join(", ") === expected ? null : lines.join(", ")),
    };
  },
});

describe("two programs on one registry in SQLite", () => {
  it("take turns, and neither loses or interleaves what it writes", () => {
    const report = Explore.verify(world(message), { cost: 3 });
    console.log(Explore.printReport(report));
    expect(report.budgets.every(({ exhausted }) => exhausted)).toBe(true);
  });

  it("are refused without a claim", () => {
    expect(Explore.explore(world(withoutClaim), { cost: 1 }).failure).not.toBe(null);
  });
});
