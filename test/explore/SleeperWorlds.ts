/**
 * SleeperWorlds: a holder that sleeps while its session is deleted by another program, its name is
 * forgotten by a gc, made again and leased anew: epochs begin at 1 again, so the old lease and the
 * new one have the same name and the same epoch.
 *
 * It wakes up in each of its verbs, before them and at any call of the registry in them. What it
 * asks for is refused, and the new holder's lease stays as it is. On both registries.
 */
import {
  ActorId,
  type BorrowedLease,
  type LeaseRecord,
  type LeaseVouch,
  type OwnedLease,
  Registry,
  type SessionHandle,
  SessionName,
  TurnId,
} from "@troupe/core";
import { Explore, exploredRegistry, FakeMachine, FakeTmux, type World } from "@troupe/testing";
import { Context, Effect, Layer, Option } from "effect";
import { Happening } from "./Happening.js";
import type { NamedWorld } from "./NamedWorld.js";
import { type PlayedProgram, programOn, tagOf } from "./PlayWorld.js";
import { sqliteStore } from "./WorldStore.js";

const a = SessionName.make("a");
const b = SessionName.make("b");
const turn = TurnId.make("a turn that is late");

/** The holder that sleeps, with what it has. */
interface Sleeper extends PlayedProgram {
  readonly handle: SessionHandle;
  readonly lease: OwnedLease;
  readonly vouch: LeaseVouch;
  readonly borrowed: BorrowedLease;
}

const writer = (actor: string) => ({
  session: a,
  actor: ActorId.make(actor),
  surface: "explored",
  attended: () => false,
  taken: Effect.void,
});

interface Verb {
  readonly name: string;
  readonly run: (sleeper: Sleeper) => Effect.Effect<unknown, unknown>;
  /** What it hears when it slept before it; what gives something up succeeds. */
  readonly hears: RegExp;
}

const lost = /^LeaseLost$/;
const ok = /^ok/;

const verbs: ReadonlyArray<Verb> = [
  { name: "writes a note", run: (s) => s.leases.guarded(s.lease, { turn }), hears: lost },
  {
    name: "runs a turn",
    run: (s) => s.handle.runTurn((_, own) => s.sessions.under(own).send("x")),
    hears: lost,
  },
  {
    name: "settles",
    run: (s) =>
      s.leases
        .defer(s.lease, { turn, children: [] })
        .pipe(Effect.zipRight(s.leases.settle({ _tag: "TurnEnded", turn })), Effect.delay(10)),
    hears: ok,
  },
  { name: "moves", run: (s) => s.leases.reanchor(s.lease, b), hears: lost },
  { name: "lends", run: (s) => s.leases.borrow(s.vouch, a), hears: lost },
  { name: "is asked by its child", run: (s) => s.leases.guarded(s.borrowed), hears: lost },
  {
    name: "has a child that sends",
    run: (s) => s.sessions.under(s.borrowed).send("x"),
    hears: lost,
  },
  { name: "releases", run: (s) => s.leases.release(s.lease), hears: ok },
  { name: "sweeps", run: (s) => s.leases.sweep, hears: ok },
  { name: "ends", run: (s) => s.handle.end("explicit_close"), hears: ok },
  { name: "ends with its session", run: (s) => s.handle.end("explicit_delete"), hears: ok },
  { name: "sends", run: (s) => s.sessions.under(s.lease).send("x"), hears: lost },
  { name: "deletes", run: (s) => s.sessions.under(s.lease).delete({ graceMs: 0 }), hears: lost },
  {
    name: "hands over to a sibling",
    run: (s) => s.leases.takeOver(s.handle.actor, writer("sibling")),
    hears: lost,
  },
];

/** What is noted in a run. */
interface Noted {
  /** The lease that was made anew, as it was then. */
  anew: LeaseRecord | null;
  /** Whether that was before the verb began. */
  isBehind: boolean;
  /** Whether anything was typed into what was made anew. */
  isTyped: boolean;
  /** Whether the sleeper's calls are explored by now. */
  isAwake: boolean;
}

/** How it was in the end. */
interface Ending extends Noted {
  readonly heard: string;
  /** The lease that the name has. */
  readonly now: unknown;
  /** What its holder hears of it. */
  readonly guarded: string;
  readonly session: string;
}

const judged =
  ({ hears }: Verb) =>
  ({ anew, guarded, heard, isBehind, isTyped, now, session }: Ending): string | null => {
    if (anew === null) return ok.test(heard) ? null : `nobody came, and it heard ${heard}`;
    if (isBehind && !hears.test(heard)) return `it slept before it, and heard ${heard}`;
    if (isTyped) return "it typed into what another made";
    if (session !== "running") return `what another made is ${session}`;
    const [is, was] = [JSON.stringify(now), JSON.stringify(anew)];
    if (is !== was) return `the new lease was ${was}, and is ${is}`;
    return guarded === "ok []" ? null : `the new holder hears ${guarded}`;
  };

const spec = (session: string) => ({ session, command: ["reader"], cwd: "/" });

const recordOf = (registry: Registry["Type"]) =>
  Effect.map(registry.leaseOf(a), (view) => {
    const { activity: _, holder: __, ...record } = Option.getOrThrow(view);
    return record as LeaseRecord;
  });

/** Ends it and forgets it, makes it anew and takes its lease, for a turn that runs. */
const reborn = (other: PlayedProgram, registry: Registry["Type"], noted: Noted) =>
  Effect.gen(function* () {
    yield* other.sessions.delete("a", { force: true, graceMs: 0 });
    yield* other.sessions.gc({ olderThanMs: 0 });
    yield* other.sessions.create(spec("a"));
    const lease = yield* other.leases.claim(writer("new"));
    yield* other.leases.guarded(lease, { turn: TurnId.make("a turn of the new one") });
    noted.anew = yield* recordOf(registry);
    yield* Explore.reached(lease.epoch === 1 ? "forgotten" : "known still");
  }).pipe(Effect.orDie);

/** The sleeper, with a lease from a turn that it has run. */
const fallenAsleep = (program: PlayedProgram) =>
  Effect.gen(function* () {
    const handle = yield* program.handles.get("a");
    const lease = yield* handle.runTurn((_, own) => Effect.succeed(own));
    if (lease._tag === "Borrowed") return yield* Effect.dieMessage("it has its own");
    const vouch = Option.getOrThrow(yield* handle.vouch);
    const borrowed = yield* program.leases.borrow(vouch, a);
    const sleeper: Sleeper = { ...program, handle, lease, vouch, borrowed };
    return sleeper;
  });

/** The second port once that is so, and the first until then. */
const onceAwake = <P extends object>(asleep: P, awake: P, noted: Noted): P =>
  new Proxy(asleep, {
    get: (_, member) => Reflect.get(noted.isAwake ? awake : asleep, member),
  });

const begun = (noted: Noted, sqlite: boolean) =>
  Effect.gen(function* () {
    const store = sqlite ? yield* sqliteStore : null;
    let met = (memory: Registry["Type"]): Registry["Type"] => memory;
    const reader = FakeTmux.program((run) => {
      run.raw();
      run.onInput(() => {
        noted.isTyped ||= noted.anew !== null;
      });
    });
    const machine = yield* FakeMachine.make({
      tmux: { programs: { reader } },
      registry: (memory) => met(memory),
    });
    const ownOf = (owner: string) =>
      store === null ? Registry.layerMemory(machine.store, { owner }) : store.registry(owner);
    const programOf = (owner: string, around: (own: Registry["Type"]) => Registry["Type"]) =>
      Effect.gen(function* () {
        const registry = Context.get(yield* Layer.build(ownOf(owner)), Registry);
        met = () => around(registry);
        return { registry, program: yield* programOn(machine, owner) };
      });
    const other = yield* programOf("other", (own) => own);
    yield* other.program.sessions.create(spec("a"));
    yield* other.program.sessions.create(spec("b"));
    const anew = {
      name: "forgotten and made anew",
      run: reborn(other.program, other.registry, noted),
    };
    const happening = new Happening([anew], yield* Effect.runtime());
    const old = yield* programOf("old", (own) =>
      onceAwake(own, exploredRegistry(happening.before(own)), noted),
    );
    const sleeper = yield* fallenAsleep(old.program);
    return { other, sleeper, sleeps: happening.before({ sleeps: Effect.void }).sleeps };
  });

const sleeperWorld = (verb: Verb, sqlite: boolean): World<Ending> => ({
  name: `a holder that slept, and ${verb.name}${sqlite ? ", on SQLite" : ""}`,
  sometimes: ["forgotten"],
  start: () => {
    const noted: Noted = { anew: null, isBehind: false, isTyped: false, isAwake: false };
    let heard = "";
    const program = Effect.gen(function* () {
      const { other, sleeper, sleeps } = yield* Explore.quietly(begun(noted, sqlite));
      noted.isAwake = true;
      const wakes = Effect.gen(function* () {
        yield* sleeps;
        noted.isBehind = noted.anew !== null;
        heard = yield* tagOf(verb.run(sleeper));
        // What it gives back in the background has been given back by then.
        yield* Effect.sleep(2_000);
      });
      const { ending } = yield* Explore.program("old", wakes);
      yield* ending;
      return yield* Explore.quietly(
        Effect.gen(function* () {
          const { program, registry } = other;
          const view = Option.getOrNull(yield* registry.leaseOf(a));
          const now = view === null ? null : yield* recordOf(registry);
          const known = Option.getOrNull(yield* registry.get(a));
          const lease = yield* program.leases.claim(writer("new")).pipe(Effect.option);
          const guarded = Option.isNone(lease)
            ? "that it has none"
            : yield* tagOf(program.leases.guarded(lease.value));
          return { ...noted, heard, now, guarded, session: known?.state ?? "forgotten" };
        }),
      );
    }).pipe(Explore.scoped, Effect.orDie, Effect.withTracerEnabled(false));
    return { program, check: judged(verb), state: () => heard };
  },
});

/** The worlds. */
export const sleeperWorlds: ReadonlyArray<NamedWorld> = [false, true].flatMap((sqlite) =>
  verbs.map((verb) => ({ world: sleeperWorld(verb, sqlite), cost: 1 })),
);
