/**
 * registryChild: a program on the built packages that does with registries what it is told.
 *
 * It reads one command a line from standard input and answers each with one line. `begun` is
 * answered at once, the result when there is one, so a parent can know that a command is under way.
 */
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { Ids, LookupFailed, makeSubscribe, ProcessTable, Registry } from "@troupe/core";
import { SqliteRegistry } from "@troupe/sqlite";
import {
  Cause,
  Context,
  Effect,
  Exit,
  Layer,
  Option,
  Runtime,
  Schedule,
  Scope,
  Stream,
} from "effect";

const bootId = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();

/** The process, unless there is none or it is a zombie. */
const look = (pid) =>
  Effect.try({
    try: () => {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      if (fields[0] === "Z") return null;
      const id = { pid, startTime: Number(fields[19]), bootId };
      return { id, parent: Number(fields[1]), program: "node", catchesTerm: false };
    },
    catch: (cause) => cause,
  }).pipe(
    Effect.catchAll((cause) =>
      cause.code === "ENOENT" || cause.code === "ESRCH"
        ? Effect.succeed(null)
        : new LookupFailed({
            session: null,
            attempted: "look",
            source: "processes",
            reason: "unclear",
            detail: String(cause),
          }),
    ),
  );

const processes = Layer.succeed(ProcessTable, {
  bootId: Effect.succeed(bootId),
  ownPid: process.pid,
  look,
  snapshot: Effect.succeed([]),
  marked: () => Effect.succeed([]),
  signal: () => Effect.dieMessage("this program signals nobody"),
});

let made = 0;
const ids = Layer.succeed(Ids, {
  incarnation: Effect.sync(() => `program-${process.pid}-${++made}`),
});

const spec = { command: ["true"], cwd: "/", envNames: [], columns: 80, rows: 24 };
const begin = { _tag: "Begin", spec, server: { pid: 1, startTime: 1 }, requestId: null };
const failed = { _tag: "Move", to: "failed", cause: null };

const scope = Effect.runSync(Scope.make());
const stores = new Map();

/** This program's registry on the home, made when it is first used. */
const storeOf = (home) =>
  Effect.gen(function* () {
    const known = stores.get(home);
    if (known !== undefined) return known;
    const layer = Layer.provide(SqliteRegistry.layer({ home }), Layer.merge(processes, ids));
    const store = Context.get(yield* Scope.extend(Layer.build(layer), scope), Registry);
    stores.set(home, store);
    return store;
  });

const claims = new Map();

const commands = {
  claim: (store, { force = false, session }) =>
    Effect.tap(store.claim(session, { attempted: "claim", force }), (claim) =>
      Effect.sync(() => claims.set(session, claim)),
    ),
  commit: (store, { incarnation, session }) =>
    store.commit(claims.get(session), incarnation, [begin], { release: true }),
  list: (store) => store.list({ ended: true }),
  events: (store) => Effect.map(store.events(0, 10_000), ({ events }) => events),
  /** The numbers that a subscriber is told behind `since`, up to and with `until`. */
  follow: (store, { since, until }) =>
    Effect.flatMap(makeSubscribe, (subscribe) =>
      subscribe({ since }).pipe(
        Stream.takeUntil(({ sequence }) => sequence >= until),
        Stream.runCollect,
        Effect.map((entries) => Array.from(entries, ({ sequence }) => sequence)),
      ),
    ).pipe(Effect.provideService(Registry, store), Effect.scoped),
  /** A session begun and failed, waiting for its turn as long as others hold the name. */
  round: (store, { incarnation, session }) =>
    Effect.gen(function* () {
      const claim = yield* Effect.retry(
        store.claim(session, { attempted: "round", force: false }),
        {
          schedule: Schedule.jittered(Schedule.spaced("2 millis")),
          while: (error) => error._tag === "Busy",
        },
      );
      const first = yield* store.commit(claim, incarnation, [begin], { release: false });
      yield* store.commit(claim, incarnation, [failed], { release: true });
      return { epoch: claim.epoch, generation: first.generation, fenceDue: claim.fenceDue };
    }),
  end: () => Scope.close(scope, Exit.void),
};

const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);
const fork = Runtime.runFork(Runtime.defaultRuntime);

const answer = (exit) => {
  if (Exit.isSuccess(exit)) return { value: exit.value ?? null };
  const failure = Cause.failureOption(exit.cause);
  return Option.match(failure, {
    onNone: () => ({ defect: Cause.pretty(exit.cause) }),
    onSome: (error) => ({ error: { ...error, message: error.message } }),
  });
};

createInterface({ input: process.stdin }).on("line", (line) => {
  const { home, id, name, ...parameters } = JSON.parse(line);
  say({ id, begun: true });
  fork(Effect.flatMap(storeOf(home), (store) => commands[name](store, parameters))).addObserver(
    (exit) => say({ id, ...answer(exit) }),
  );
});

say({ ready: true });
