/**
 * WorldProgram: one program of a world: the real code over the machine and the store that all
 * programs share, with a point at every call of a port.
 *
 * A program is built for every run, so what it stands on is put together by hand: building layers
 * in parallel would take longer than most runs. Nothing of that is a step of the program.
 */
import {
  makeSessionScopes,
  makeSessions,
  ProcessTable,
  Registry,
  ServerSocket,
  type SessionRecord,
  SessionScopes,
  Settings,
  Tmux,
} from "@troupe/core";
import {
  CountedIds,
  Explore,
  exploredProcessTable,
  exploredRegistry,
  exploredServerSocket,
  exploredTransport,
  FakeHost,
  FakeTmux,
} from "@troupe/testing";
import { TmuxClient, TmuxTransport } from "@troupe/tmux";
import { Context, Effect, Layer } from "effect";
import { withoutValues } from "./Canary.js";
import type { Machine } from "./EndingOf.js";
import { failingRegistry } from "./FailingRegistry.js";
import type { Happening } from "./Happening.js";
import { type Ended, type Holder, noting, supplied } from "./HeldScopes.js";
import { lateTransport } from "./LateTransport.js";
import { noteProgram } from "./ProgramPorts.js";
import type { SessionWorldOptions } from "./SessionWorld.js";
import { filesOf } from "./WorldFiles.js";
import type { WorldStore } from "./WorldStore.js";

/** How often a host looks for limits that it does not know of. */
export const LIMIT_LOOK_MS = 2_000;

/** Coarse, so that a wait is few steps; which bounds are in force is no part of any promise. */
const BOUNDS = {
  claimSpacingMs: 500,
  claimWaitMs: 2_000,
  lookSpacingMs: 100,
  limitLookMs: LIMIT_LOOK_MS,
};

/** The start window of every create. */
export const START_WINDOW_MS = 100;

/** What is different about a program, beside its registry. */
type Different = Pick<
  SessionWorldOptions,
  | "faults"
  | "files"
  | "lateEffects"
  | "table"
  | "registry"
  | "registryFaults"
  | "socket"
  | "startsAnew"
  | "transport"
>;

/** The machine as the program meets it. */
const machineOf = (options: Different, machine: Machine, happening: Happening) => {
  const real = happening.before(withoutValues(Context.get(machine, TmuxTransport)));
  const late = options.lateEffects ? lateTransport(Context.get(machine, FakeTmux), real) : real;
  const transport = options.transport?.(late) ?? late;
  const table = happening.before(Context.get(machine, ProcessTable));
  const processes = options.table?.(table) ?? table;
  const own = happening.before(Context.get(machine, ServerSocket));
  const socket = options.socket?.(own) ?? own;
  return Context.make(TmuxTransport, exploredTransport(transport, options.faults)).pipe(
    Context.add(ProcessTable, exploredProcessTable(processes)),
    Context.add(ServerSocket, exploredServerSocket(socket)),
  );
};

/** The registry as the program meets it. */
const registryOf = (options: Different, own: Registry["Type"], happening: Happening) => {
  const registry = happening.before(own);
  const changed = options.registry?.(registry) ?? registry;
  return exploredRegistry(options.registryFaults === true ? failingRegistry(changed) : changed);
};

/** How long a call to tmux may take; as the layer has it. */
const DEADLINE_MS = 3_000;

/** What every program finds in its own environment, and passes on where that is asked for. */
export const HOST_VALUE = { EXPLORED_HOST: "of the host" };

const hostEnvironment = {
  ...{ PATH: "/bin", HOME: "/home/tester", SHELL: "/bin/sh", LANG: "C.UTF-8" },
  ...HOST_VALUE,
};

/** The host of every program: nothing of it changes. */
const host = Effect.runSync(
  Effect.scoped(Layer.build(FakeHost.layer({ environment: hostEnvironment }))),
);

/**
 * One program, which holds the values of the sessions that it knows of; without a `happening` as
 * everything is, and without any point.
 */
export const programOf = (
  options: Different,
  machine: Machine,
  store: WorldStore,
  owner: string,
  happening: Happening | null,
  known: ReadonlyArray<SessionRecord> = [],
) =>
  Effect.gen(function* () {
    const files = yield* filesOf(options.files, machine, store, happening);
    const ids = yield* Layer.build(CountedIds.layer(owner));
    const registry = Context.get(yield* Layer.build(store.registry(owner)), Registry);
    const met = happening === null ? machine : machineOf(options, machine, happening);
    const settings = { ...(yield* Settings), home: "home1", ...BOUNDS };
    const ended: Array<Ended> = [];
    const scopes = yield* makeSessionScopes;
    if (options.startsAnew !== true) yield* supplied(scopes, known);
    const below = Context.mergeAll(met, host, files, ids).pipe(
      Context.add(
        Registry,
        happening === null ? registry : noting(registryOf(options, registry, happening), ended),
      ),
      Context.add(SessionScopes, scopes),
      Context.add(Settings, { ...settings, startWindowMs: START_WINDOW_MS }),
    );
    const tmux = TmuxClient.make({ deadlineMs: DEADLINE_MS }, Context.get(below, TmuxTransport));
    const sessions = yield* Effect.provide(makeSessions, Context.add(below, Tmux, tmux));
    noteProgram(sessions, below);
    const holder: Holder = { owner, sessions, scopes, ended };
    return holder;
  }).pipe(Explore.quietly);

/** The sessions of one, for whoever asks nothing else of it. */
export const sessionsOf = (...args: Parameters<typeof programOf>) =>
  Effect.map(programOf(...args), ({ sessions }) => sessions);
