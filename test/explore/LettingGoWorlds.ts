/**
 * LettingGoWorlds: what a program holds of a session that others end and forget goes with its next
 * call of that name, or with its next reconcile of everything, and nothing of what was made since.
 *
 * The real sessions on the fake tmux, in two programs. What the first holds is looked at, when its
 * call has been made once more with nobody beside it.
 */
import { type HeldFor, isFinal, type Sessions } from "@troupe/core";
import { Explore, FakeTmux } from "@troupe/testing";
import { Context, Effect, Layer } from "effect";
import { env } from "./Canary.js";
import type { Machine } from "./EndingOf.js";
import { createOther, gc } from "./GcWorlds.js";
import { Happening } from "./Happening.js";
import type { NamedWorld } from "./NamedWorld.js";
import { serverDies } from "./Operations.js";
import { create, reconcile, removeByForce, replacing } from "./SessionCalls.js";
import type { Call } from "./SessionWorld.js";
import { programOf } from "./WorldProgram.js";
import { memoryStore } from "./WorldStore.js";

/** What is explored. */
interface Scene {
  readonly name: string;
  /** What another program does before anything is explored. */
  readonly before?: ReadonlyArray<Call>;
  /** At once, in the program that holds something. */
  readonly calls: ReadonlyArray<Call>;
  /** Beside that, in another one. */
  readonly other?: Call;
  /** What the same program may do, from its beginning to its end, at any port call of that. */
  readonly happens?: Call;
  readonly cost: number;
}

interface Ending {
  readonly held: ReadonlyArray<HeldFor>;
  /** The incarnations that have not ended. */
  readonly living: ReadonlyArray<string>;
  readonly told: ReadonlyArray<string>;
}

const judged = ({ held, living, told }: Ending): string | null => {
  const left = held.find(({ incarnation }) => !living.includes(incarnation));
  if (left !== undefined) return `${left.incarnation} is held, which is over`;
  const isMade = told.includes(`${create.name}: ok`);
  if (!isMade || living.length === 0) return null;
  const own = held.some(({ incarnation }) => living.includes(incarnation));
  return own ? null : `nothing is held of ${living.join()}, which it made`;
};

const worldOf = ({ before = [], calls, cost, happens, name, other }: Scene): NamedWorld => ({
  cost,
  world: {
    name,
    start: () => {
      const told: Array<string> = [];
      const program = Effect.gen(function* () {
        const machine: Machine = yield* Explore.quietly(Layer.build(FakeTmux.layer()));
        const store = yield* memoryStore;
        const tmux = Context.get(machine, FakeTmux);
        let own: Sessions["Type"] | null = null;
        const run = (call: Call) => (sessions: Sessions["Type"]) =>
          Effect.flatMap(Effect.exit(call.run(sessions, tmux)), (exit) => {
            const line = `${call.name}: ${exit._tag === "Success" ? "ok" : "failed"}`;
            told.push(line);
            return Explore.reached(line);
          });
        const events = happens === undefined ? [] : [happens];
        const happening = new Happening(
          events.map((call) => ({
            name: call.name,
            run: Effect.suspend(() => (own === null ? Effect.void : run(call)(own))),
          })),
          yield* Effect.runtime(),
        );
        const first = yield* programOf({}, machine, store, "before", null);
        yield* Explore.quietly(create.run(first.sessions, tmux));
        const { records } = yield* Explore.quietly(store.remembered);
        const one = yield* programOf({}, machine, store, "program1", happening, records);
        own = one.sessions;
        const never = new Happening([], yield* Effect.runtime());
        const two = yield* programOf({}, machine, store, "program2", never);
        for (const call of before) yield* Explore.quietly(call.run(first.sessions, tmux));
        const bodies = [
          Effect.forEach(calls, (call) => run(call)(one.sessions), { concurrency: "unbounded" }),
          ...(other === undefined ? [] : [run(other)(two.sessions)]),
        ];
        const programs = yield* Effect.forEach(bodies, (body, index) =>
          Explore.program(`program${index + 1}`, body),
        );
        for (const { ending } of programs) yield* ending;
        const [again] = calls;
        if (again !== undefined) {
          yield* Explore.quietly(Effect.exit(again.run(one.sessions, tmux)));
        }
        const rows = (yield* Explore.quietly(store.remembered)).records;
        const living = rows.flatMap((r) => (isFinal(r.state) ? [] : [r.incarnation]));
        return { held: yield* one.scopes.held, living, told: [...told] };
      }).pipe(Explore.scoped, Effect.orDie, Effect.withTracerEnabled(false));
      return { program, check: judged, state: () => told.join(", ") };
    },
  },
});

const send: Call = { name: "send", run: (s) => s.send("a", "x") };
const supply: Call = { name: "set the environment", run: (s) => s.setEnv("a", env) };
const reconcileAll: Call = { name: "reconcile all", run: (s) => s.reconcileAll };

/** Another program ends it, and forgets that it ever was. */
const forgotten: Call = {
  name: "it is ended and forgotten",
  run: (s, tmux) => Effect.zipRight(removeByForce.run(s, tmux), gc.run(s, tmux)),
};

const hearing: ReadonlyArray<Call> = [send, supply, reconcile, reconcileAll];

const scenes: ReadonlyArray<Scene> = [
  ...hearing.map((call) => ({
    name: `${call.name} in a program that holds something ∥ ${forgotten.name}`,
    calls: [call],
    other: forgotten,
    cost: 1,
  })),
  ...hearing.map((call) => ({
    name: `${call.name} in a program that holds what was forgotten ∥ ${create.name}`,
    before: [forgotten],
    calls: [call, create],
    cost: 1,
  })),
  // Who sets values is inside a message, where nobody makes anything.
  ...[send, reconcile, reconcileAll].map((call) => ({
    name: `${call.name} in a program that holds what was forgotten, and makes it at any call of it`,
    // With another session, whose server died, there is more to be looked for behind the listing.
    before: [createOther, forgotten, serverDies],
    calls: [call],
    happens: create,
    cost: 1,
  })),
  ...[supply, reconcileAll].map((call) => ({
    name: `${call.name} in a program that holds something ∥ ${replacing.name}`,
    calls: [call],
    other: replacing,
    cost: 1,
  })),
  {
    name: `gc in a program that holds something ∥ ${removeByForce.name}`,
    calls: [gc],
    other: removeByForce,
    cost: 1,
  },
];

/** The worlds. */
export const lettingGoWorlds: ReadonlyArray<NamedWorld> = scenes.map(worldOf);
