/**
 * Patient: what is looked at once, for all checks: the answers, or why there is none.
 *
 * Each part is asked with the bounds that every call has, and what asks for it is a value also
 * where it failed, so that one broken part hides no other. Nothing is written, made or changed.
 */
import { join } from "node:path";
import {
  IncarnationId,
  type Leftover,
  type Listing,
  type LookupFailed,
  type ProcessEntry,
  ProcessTable,
  type ReconcileItem,
  Registry,
  type RegistryFailure,
  type ServerRecord,
  ServerSocket,
  type SessionRecord,
  Sessions,
  Tmux,
} from "@troupe/core";
import {
  findTmux,
  homeMark,
  LinuxProcessTable,
  NodeIds,
  NodeServerSocket,
  realHome,
  socketOf,
  Troupe,
} from "@troupe/node";
import { type RegistryHealth, registryHealth, SqliteRegistry } from "@troupe/sqlite";
import { ProcessTransport, TmuxClient, type TmuxReply, TmuxTransport } from "@troupe/tmux";
import { Clock, Effect, Either, Layer, Option, Schema } from "effect";
import type { Location } from "../Location.js";
import type { Machine } from "./Machine.js";

/** An answer, or why there is none. */
type Asked<A, E> = Either.Either<A, E>;

/** The newest row of every name, also of ended ones. */
type Rows = Effect.Effect.Success<ReturnType<Registry["Type"]["list"]>>;

/** What the checks are given. */
export interface Patient {
  /** Without links. */
  readonly home: string;
  /** What sessions of this home carry in tmux. */
  readonly mark: string;
  readonly socket: string;
  /** Whether the socket is where the call, and not the home, says. */
  readonly socketGiven: boolean;
  /** The tmux program; an absolute path. */
  readonly tmux: string;
  readonly now: number;
  /** What `tmux -V` answered. */
  readonly version: Asked<TmuxReply, LookupFailed>;
  readonly listing: Asked<Listing, LookupFailed>;
  /** Every living process. */
  readonly processes: Asked<ReadonlyArray<ProcessEntry>, LookupFailed>;
  readonly bootId: Asked<string, LookupFailed>;
  /** The tmux servers among them that were started for the socket, by pid. */
  readonly serving: ReadonlyArray<number>;
  /** Why it is not known of one of them for which socket it was started. */
  readonly servingUnseen: LookupFailed | null;
  readonly registry: RegistryHealth;
  /** What programs left beside the rows, or why that cannot be known. */
  readonly leftovers: Asked<ReadonlyArray<Leftover>, RegistryFailure>;
  /** What there is output of, by incarnation. */
  readonly outputs: ReadonlyArray<string>;
  /** Processes that carry the mark of a session, by its incarnation. */
  readonly marked: ReadonlyMap<string, ReadonlyArray<number>>;
  /** Newest first; as what is below `null` where the registry cannot be read. */
  readonly servers: ReadonlyArray<ServerRecord> | null;
  /** The rows of `outputs` and `marked`. */
  readonly known: ReadonlyMap<string, SessionRecord> | null;
  readonly rows: Rows | null;
  /** Also `null` where tmux did not answer. */
  readonly plan: Asked<ReadonlyArray<ReconcileItem>, LookupFailed | RegistryFailure> | null;
  /** `troupe` with the words of this call that say which home. */
  readonly troupe: (...words: ReadonlyArray<string>) => ReadonlyArray<string>;
}

const deadlineMs = 3_000;

const isIncarnation = Schema.is(IncarnationId);

const unknown: Pick<Patient, "servers" | "known" | "rows"> = {
  servers: null,
  known: null,
  rows: null,
};

const askTmux = (tmux: string, socket: string) => {
  const request = { argv: ["-V"], stdin: null, startsServer: false, path: null, deadlineMs };
  const environment = new Map<string, string>();
  const transport = ProcessTransport.layer({ program: tmux, socket, environment });
  // The socket says nothing about the program, and may be in a place that is not safe.
  const versions = ProcessTransport.layer({ program: tmux, socket: "/", environment });
  const version = Effect.flatMap(TmuxTransport, ({ run }) =>
    Effect.either(run({ ...request, session: null, attempted: "ask for the version" })),
  ).pipe(Effect.provide(versions));
  const listing = Effect.flatMap(Tmux, ({ list }) => Effect.either(list("doctor"))).pipe(
    Effect.provide(Layer.provide(TmuxClient.layer({ deadlineMs }), transport)),
  );
  return Effect.all({ version, listing });
};

const askProcesses = Effect.flatMap(ProcessTable, ({ bootId, snapshot }) =>
  Effect.all({ processes: Effect.either(snapshot), bootId: Effect.either(bootId) }),
).pipe(Effect.provide(LinuxProcessTable.layer));

/** Of processes that cannot be looked at there is none; that is told where they are asked for. */
const askServing = (socket: string, seen: Patient["processes"]) =>
  Effect.gen(function* () {
    const { isServedBy } = yield* ServerSocket;
    const pids = Either.getOrElse(seen, () => []).flatMap((p) => (p.tmuxServer ? p.id.pid : []));
    const [unseen, serves] = yield* Effect.partition(pids, (pid) =>
      Effect.map(isServedBy(pid), (is) => (is ? [pid] : [])),
    );
    return { serving: serves.flat(), servingUnseen: unseen[0] ?? null };
  }).pipe(Effect.provide(NodeServerSocket.layer({ socket })));

/**
 * What tmux and the processes tell of the server. One that nobody answers for may have started
 * behind that answer, or be about to end; then all of it is asked once more.
 */
const askServer = (tmux: string, socket: string) => {
  const ask = Effect.gen(function* () {
    const answers = yield* askTmux(tmux, socket);
    const seen = yield* askProcesses;
    return { ...answers, ...seen, ...(yield* askServing(socket, seen.processes)) };
  });
  const isSplit = ({ listing, serving }: Effect.Effect.Success<typeof ask>) =>
    Either.isRight(listing) && listing.right._tag === "NoServer" && serving.length > 0;
  return Effect.flatMap(ask, (first) => (isSplit(first) ? ask : Effect.succeed(first)));
};

/** A registry of the home, which need not be readable. */
const registryOf = (home: string) =>
  Layer.provide(
    SqliteRegistry.layer({ home }),
    Layer.merge(LinuxProcessTable.layer, NodeIds.layer),
  );

const askLeftovers = (home: string) =>
  Effect.flatMap(Registry, ({ leftovers }) => Effect.either(leftovers({ remove: false }))).pipe(
    Effect.provide(registryOf(home)),
  );

/** What the registry knows of servers and of these incarnations. */
const askRegistry = (home: string, incarnations: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const registry = yield* Registry;
    const known = new Map<string, SessionRecord>();
    for (const incarnation of incarnations.filter(isIncarnation)) {
      const record = Option.getOrNull(yield* registry.find(incarnation));
      if (record !== null) known.set(incarnation, record);
    }
    const rows = yield* registry.list({ ended: true });
    return { servers: yield* registry.servers, known, rows };
  }).pipe(Effect.either, Effect.provide(registryOf(home)));

/** How the registry is behind a read of it, which may find what the check before did not. */
const asRead = (
  health: RegistryHealth,
  told: Either.Either<unknown, RegistryFailure>,
): RegistryHealth => {
  if (Either.isRight(told)) return health;
  const state = told.left._tag === "RegistryCorrupt" ? "damaged" : "unavailable";
  return { ...health, state, detail: told.left.detail };
};

/** What a reconcile would do; it asks tmux once more, which must have answered. */
const askPlan = (location: Location) =>
  Effect.flatMap(Sessions, ({ reconcilePlan }) => Effect.either(reconcilePlan)).pipe(
    Effect.provide(Troupe.layer(location)),
  );

/** Looks at everything once. */
export const examine = (
  location: Location,
  words: ReadonlyArray<string>,
  machine: Machine,
): Effect.Effect<Patient> =>
  Effect.gen(function* () {
    const tmux = findTmux(location.tmux);
    const home = realHome(location.home);
    const socket = location.socket ?? socketOf(location.home);
    const now = yield* Clock.currentTimeMillis;
    const server = yield* askServer(tmux, socket);
    const registry = yield* registryHealth(location.home);
    const readable = registry.state === "sound";
    const outputs = machine.names(join(home, "output"));
    const marked = machine.marks();
    const asked = [...new Set([...outputs, ...marked.keys()])];
    const told = readable ? yield* askRegistry(location.home, asked) : null;
    const answered = readable && Either.isRight(server.listing);
    return {
      home,
      mark: homeMark(location.home),
      socket,
      socketGiven: location.socket !== undefined,
      tmux,
      now,
      ...server,
      registry: told === null ? registry : asRead(registry, told),
      leftovers: yield* askLeftovers(location.home),
      outputs,
      marked,
      ...(told === null ? unknown : Either.getOrElse(told, () => unknown)),
      plan: answered ? yield* askPlan(location) : null,
      troupe: (...more) => ["troupe", ...words, ...more],
    };
  });
