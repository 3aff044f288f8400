/**
 * Troupe: everything wired for Node: a real tmux, a registry in SQLite, the processes of /proc.
 *
 * One home, one tmux server, one registry. Making the layer finishes what programs that died left
 * in the middle, and one fiber of it deletes what is over, unless told not to. It makes no file:
 * the home is made by the first call that changes something. Closing it refuses what waits, lets
 * what runs end, and ends no session.
 */
import { createHash } from "node:crypto";
import {
  type Leases,
  Registry,
  reconcileUnfinished,
  SessionHandles,
  Sessions,
  Settings,
  type SettingsShape,
  Tmux,
  type Turns,
  timeLimits,
} from "@troupe/core";
import { SqliteRegistry } from "@troupe/sqlite";
import { ControlTransport, ProcessTransport, type ServerStarter, TmuxClient } from "@troupe/tmux";
import { Context, Effect, Either, Exit, Layer } from "effect";
import { randomWord } from "./KernelRandom.js";
import { machine } from "./Machine.js";
import { NodeAwakeClock } from "./NodeAwakeClock.js";
import { type ServerScopeUnavailable, systemdScope, warnOfService } from "./ServerScope.js";
import { findTmux, realHome, serverEnvironment, socketOf } from "./TmuxLocation.js";

/** Where the home is, and which tmux it uses. */
export interface TroupeOptions {
  /** An absolute path; made 0700 by the first change. */
  readonly home: string;
  /** An absolute path of at most 107 bytes; `<home>/tmux.sock` unless given. */
  readonly socket?: string | undefined;
  /** `tmux` from PATH unless given; resolved once, when the layer is made. */
  readonly tmux?: string | undefined;
  /** How long one call to tmux may take. */
  readonly deadlineMs?: number | undefined;
  /**
   * Whether the layer, while it is made, finishes what programs that died left in the middle:
   * `true` unless given. What fails of it is logged as a warning and stays for the next reconcile:
   * the layer is made all the same, also where tmux is missing.
   */
  readonly reconcileOnStart?: boolean | undefined;
  /**
   * Whether the layer, while it is there, deletes sessions whose time limits passed: as
   * `reconcileOnStart` unless given.
   */
  readonly enforceLimits?: boolean | undefined;
  /**
   * Whether calls to tmux go over one connection that stays; each starts a client of its own
   * unless given. While a connection is there, tmux up to 3.7c dies of a list, whoever sends it,
   * that makes another window current and ends its session. A wrapper that is given as tmux sees
   * each call only without it.
   */
  readonly connection?: boolean | undefined;
  /**
   * A tmux server that the layer starts belongs where this program does. In a service it ends with
   * the service, and that is told once as a warning; a unit with `KillMode=process` spares it, and
   * `inherited` says so.
   */
  readonly server?: { readonly scope: "inherited" } | undefined;
  /** Other bounds than the default ones. */
  readonly settings?: Partial<SettingsShape> | undefined;
}

/** The same, where the server may be one that outlives a service. */
export interface ScopedTroupeOptions extends Omit<TroupeOptions, "server"> {
  /**
   * With `systemd` a tmux server that the layer starts gets a scope of its own: of the system's
   * manager for root, of the user's for everybody else.
   */
  readonly server?: { readonly scope: "systemd" | "inherited" } | undefined;
}

const markOf = (realHome: string): string =>
  createHash("sha256").update(realHome).digest("hex").slice(0, 16);

/** The mark of a home in tmux: the same for every program that uses it, and no path to read. */
export const homeMark = (home: string): string => markOf(realHome(home));

const settings = (options: Omit<TroupeOptions, "server">): Effect.Effect<SettingsShape> =>
  Effect.map(Settings, (defaults) => {
    const home = realHome(options.home);
    return {
      ...defaults,
      // A call that only reads needs no mark, nor the part of node that makes one.
      get home() {
        return markOf(home);
      },
      ...options.settings,
    };
  });

const DEADLINE_MS = 3_000;

const NOT_FINISHED = "what another program left could not be finished";

/** Finishes what dead programs left. Never fails: what does is told in the log. */
const finishUnfinished = (context: Context.Context<Sessions>) =>
  Effect.gen(function* () {
    const exit = yield* Effect.exit(reconcileUnfinished(Context.get(context, Sessions)));
    if (Exit.isFailure(exit)) return yield* Effect.logWarning(NOT_FINISHED, exit.cause);
    for (const { outcome, session } of exit.value) {
      if (Either.isLeft(outcome)) yield* Effect.logWarning(NOT_FINISHED, session, outcome.left);
    }
  });

/**
 * Tmux, the registry and the machine, and the settings; none of them is asked anything yet. Made in
 * one go: a layer for each, put together, takes half of the time of a short call.
 */
const ports = Effect.fnUntraced(function* (
  options: Omit<TroupeOptions, "server">,
  transportTo: typeof ProcessTransport.make,
  starter?: ServerStarter,
) {
  const socket = options.socket ?? socketOf(options.home);
  const chosen = yield* settings(options);
  const transport = yield* transportTo({
    program: findTmux(options.tmux),
    socket,
    environment: serverEnvironment(),
    starter,
    // What a create needs next, and takes a part of node that is loaded for it.
    meanwhile: ({ attempted }) => void (attempted === "create" && chosen.home),
  });
  const { deadlineMs = DEADLINE_MS } = options;
  const tmux = TmuxClient.make({ deadlineMs, freshNonce: randomWord }, transport);
  const here = machine({ home: options.home, socket }).pipe(Context.add(Settings, chosen));
  const registry = yield* Effect.provide(SqliteRegistry.make({ home: options.home }), here);
  return here.pipe(Context.add(Tmux, tmux), Context.add(Registry, registry));
});

/** What starts the server of a program that stays, once it is known to work. */
const starterFor = (
  options: ScopedTroupeOptions,
): Effect.Effect<ServerStarter | undefined, ServerScopeUnavailable> => {
  const scope = options.server?.scope;
  if (scope === "systemd") return systemdScope(options.socket ?? socketOf(options.home));
  return Effect.as(scope === undefined ? warnOfService : Effect.void, undefined);
};

/** `Sessions` over the ports, where a start finishes what was left unless told not to. */
const sessions = ({ reconcileOnStart = true }: Omit<TroupeOptions, "server">) =>
  reconcileOnStart ? Layer.tap(Sessions.layer, finishUnfinished) : Sessions.layer;

/** What `Troupe.layer` gives. */
type TroupeServices = Sessions | Leases | Turns | SessionHandles;

// Only a scope of its own for the server is something that a machine may not have.
function layer(options: TroupeOptions): Layer.Layer<TroupeServices>;
function layer(options: ScopedTroupeOptions): Layer.Layer<TroupeServices, ServerScopeUnavailable>;
function layer(options: ScopedTroupeOptions): Layer.Layer<TroupeServices, ServerScopeUnavailable> {
  const { connection = false, reconcileOnStart = true } = options;
  const { enforceLimits = reconcileOnStart } = options;
  const transportTo = connection ? ControlTransport.live : ProcessTransport.make;
  const limits = enforceLimits ? timeLimits : Layer.empty;
  const made = Effect.flatMap(starterFor(options), (starter) =>
    ports(options, transportTo, starter),
  );
  return Layer.merge(SessionHandles.layerWithTurns, limits).pipe(
    Layer.provideMerge(sessions(options)),
    Layer.provide(Layer.merge(Layer.scopedContext(made), NodeAwakeClock.layer)),
  );
}

/**
 * `layer` is `Sessions` on this machine, and leases and turns for a program that hosts work in
 * them. `layerSessions` is `Sessions` alone, for a program that makes a call and ends: it is made
 * in a fraction of the time, and finishes nothing, has no leases and enforces no limits.
 */
export const Troupe = {
  /** For a program that stays: it finishes what others left, and enforces limits. */
  layer,
  /** For a program that makes a call and ends. */
  layerSessions: (
    options: Omit<TroupeOptions, "reconcileOnStart" | "enforceLimits" | "connection" | "server">,
  ): Layer.Layer<Sessions> =>
    Layer.scoped(
      Sessions,
      Effect.flatMap(ports(options, ProcessTransport.make), (context) =>
        Effect.provide(Sessions.makeUnobserved, context),
      ),
    ),
};
