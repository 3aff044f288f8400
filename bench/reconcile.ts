/**
 * What a reconcile of every name costs that has nothing to do, by how many names there are: on a
 * fake tmux, with the registry in SQLite on the disk.
 *
 * Time is to grow with the names and no faster: what one name costs of a thousand, against what it
 * costs of a hundred. That tmux is asked once and the registry read once, however many there are, a
 * test counts: test/contract/registry.statements.fake.test.ts.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Registry, type Sessions } from "@troupe/core";
import { LinuxProcessTable, NodeIds } from "@troupe/node";
import { SqliteRegistry } from "@troupe/sqlite";
import { FakeMachine } from "@troupe/testing";
import { Context, Effect, Layer } from "effect";
import { compare, heading, milliseconds, type Way } from "./Rounds.js";

const rounds = Number(process.env.BENCH_ROUNDS ?? 12);
const directory = mkdtempSync(join(tmpdir(), "tr-"));

/** A machine of its own with so many sessions. */
const machineOf = (names: number) =>
  Effect.gen(function* () {
    const ports = Layer.merge(LinuxProcessTable.layer, NodeIds.layer);
    const layer = SqliteRegistry.layer({ home: join(directory, `home-${names}`) });
    const registry = Context.get(yield* Layer.build(Layer.provide(layer, ports)), Registry);
    const machine = yield* FakeMachine.make({ registry: () => registry });
    const sessions = yield* machine.program("program");
    const make = (at: number) =>
      sessions.create({
        session: `n${at}`,
        command: ["sleep", "100000"],
        cwd: "/",
        startWindowMs: 0,
      });
    yield* Effect.forEach(Array.from({ length: names }), (_, at) => make(at), { discard: true });
    return sessions;
  });

/** Milliseconds for each name. */
const reconciled = (sessions: Sessions["Type"], names: number): Effect.Effect<number, unknown> =>
  Effect.map(
    milliseconds(
      Effect.flatMap(sessions.reconcileAll, (items) =>
        items.some(({ outcome }) => outcome._tag === "Left" || outcome.right.changed)
          ? Effect.dieMessage("there was something to do")
          : Effect.void,
      ),
    ),
    (taken) => taken / names,
  );

const bench = Effect.gen(function* () {
  const ways: Array<Way<unknown>> = [];
  for (const names of [100, 300, 1000]) {
    const sessions = yield* machineOf(names);
    const way = { name: `${names} names`, once: reconciled(sessions, names) };
    ways.push(names === 1000 ? { ...way, goal: { of: "ratio", atMost: 1.25 } } : way);
  }
  heading("ms for a name");
  yield* compare("reconcileAll with nothing to do", rounds, ways);
});

try {
  await Effect.runPromise(Effect.scoped(bench));
} finally {
  rmSync(directory, { recursive: true, force: true });
}
