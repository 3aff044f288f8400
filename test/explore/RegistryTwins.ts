/**
 * RegistryTwins: two homes that are asked the same: one in memory, one in SQLite, with the same
 * programs on both, which live, end and die on both at once.
 *
 * Owners have on both the names that SQLite gives them, and one clock is of both, so that answers
 * can be compared as they are. A program that ends lets its claims be; one that dies was killed.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { childOwner, MemoryStore, type ProcessId, ProcessTable, Registry } from "@troupe/core";
import { ownerText } from "@troupe/sqlite";
import { Context, Effect, ExecutionStrategy, Exit, Layer, Scope } from "effect";
import { ownEntry } from "./OwnProcess.js";
import { ProgramProcesses } from "./ProgramProcesses.js";
import { sqliteIn, usedHome } from "./WorldStore.js";

/** One program, on both homes. */
export interface TwinProgram {
  readonly name: string;
  readonly owner: string;
  readonly memory: Registry["Type"];
  readonly sqlite: Registry["Type"];
  /** It ends by itself; a turn that it said runs may run on. */
  readonly end: Effect.Effect<void>;
  /** It is killed, also where it has ended and a turn of it runs on. */
  readonly kill: Effect.Effect<void>;
}

/** The two homes. */
export interface Twins {
  readonly store: MemoryStore;
  /** Processes that run turns: one lives, one is dead, and of one nothing is known. */
  readonly children: ReadonlyArray<ProcessId>;
  /** One more program. */
  readonly program: Effect.Effect<TwinProgram>;
}

/** A registry that answers otherwise than it should. */
export type Flawed = (registry: Registry["Type"]) => Registry["Type"];

const childrenIn = (processes: ProgramProcesses, store: MemoryStore): ReadonlyArray<ProcessId> => {
  const child = (name: string) => ({ ...ownEntry.id, pid: processes.of(name).ownPid });
  const living = child("a child that lives");
  const dead = child("a child that is dead");
  processes.die("a child that is dead");
  store.owners.set(childOwner(living), "alive");
  store.owners.set(childOwner(dead), "dead");
  // In another namespace its pid tells nothing.
  return [living, dead, { ...living, bootId: `${living.bootId}.other` }];
};

/** Both homes, empty, for as long as the scope lasts. */
export const makeTwins = (flawed: Flawed): Effect.Effect<Twins, never, Scope.Scope> =>
  Effect.gen(function* () {
    const scope = yield* Effect.scope;
    const store = yield* MemoryStore.make;
    const home = yield* usedHome;
    const processes = new ProgramProcesses();
    const children = childrenIn(processes, store);
    let count = 0;
    const program = Effect.gen(function* () {
      const name = `program${++count}`;
      const table = processes.of(name);
      const process = { ...ownEntry.id, pid: table.ownPid };
      const owner = ownerText({ host: "host", process, nonce: `${name}-0001` });
      const own = yield* Scope.fork(scope, ExecutionStrategy.sequential);
      const built = (layer: Layer.Layer<Registry>) =>
        Effect.map(Scope.extend(Layer.build(layer), own), Context.get(Registry));
      return {
        ...{ name, owner },
        memory: yield* built(Registry.layerMemory(store, { owner })),
        sqlite: flawed(yield* built(sqliteIn(home, name, Layer.succeed(ProcessTable, table)))),
        end: Effect.gen(function* () {
          const leases = [...store.leases.values()];
          const runsOn = leases.some((lease) => lease.owner === owner && lease.turn !== null);
          yield* Scope.close(own, Exit.void);
          // What the one in memory tells of is gone with its scope; here its process lives on.
          if (runsOn) yield* store.declare(owner, "alive");
        }),
        kill: Effect.gen(function* () {
          processes.die(name);
          rmSync(join(home, "locks", `${owner}.lock`), { force: true });
          yield* store.declare(owner, "dead");
        }),
      };
    });
    return { store, children, program };
  });
