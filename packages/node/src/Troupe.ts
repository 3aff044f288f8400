/**
 * Troupe: everything wired for Node: a real tmux, a registry in SQLite, the processes of /proc.
 *
 * One home, one tmux server, one registry. Making the layer finishes what programs that died left
 * in the middle, and one fiber of it deletes what is over, unless told not to. It makes no file: the
 * home is made by the first call that changes something. Closing it refuses what waits, lets what
 * runs end, and ends no session.
 */
import { createHash } from "node:crypto";
import {
  type Leases,
  reconcileUnfinished,
  SessionHandles,
  Sessions,
  Settings,
  type SettingsShape,
  type Turns,
  timeLimits,
} from "@troupe/core";
import { SqliteRegistry } from "@troupe/sqlite";
import { ProcessTransport, TmuxClient } from "@troupe/tmux";
import { Context, Effect, Either, Exit, Layer } from "effect";
import { FileSnapshots } from "./FileSnapshots.js";
import { LinuxProcessTable } from "./LinuxProcessTable.js";
import { NodeAwakeClock } from "./NodeAwakeClock.js";
import { NodeHost } from "./NodeHost.js";
import { NodeIds } from "./NodeIds.js";
import { NodeOutputFiles } from "./NodeOutputFiles.js";
import { NodePatterns } from "./NodePatterns.js";
import { NodeServerSocket } from "./NodeServerSocket.js";
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
  /** Other bounds than the default ones. */
  readonly settings?: Partial<SettingsShape> | undefined;
}

/** The mark of a home in tmux: the same for every program that uses it, and no path to read. */
export const homeMark = (home: string): string =>
  createHash("sha256").update(realHome(home)).digest("hex").slice(0, 16);

const settings = (options: TroupeOptions): Layer.Layer<Settings> =>
  Layer.effect(
    Settings,
    Effect.map(Settings, (defaults) => ({
      ...defaults,
      home: homeMark(options.home),
      ...options.settings,
    })),
  );

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

/** `Sessions` on this machine, and leases and turns for a program that hosts work in them. */
export const Troupe = {
  layer: (options: TroupeOptions): Layer.Layer<Sessions | Leases | Turns | SessionHandles> => {
    const socket = options.socket ?? socketOf(options.home);
    const transport = ProcessTransport.layer({
      program: findTmux(options.tmux),
      socket,
      environment: serverEnvironment(),
    });
    const tmux = Layer.provide(
      TmuxClient.layer({ deadlineMs: options.deadlineMs ?? DEADLINE_MS }),
      transport,
    );
    const registry = SqliteRegistry.layer({ home: options.home });
    const machine = Layer.mergeAll(
      LinuxProcessTable.layer,
      NodeServerSocket.layer({ socket }),
      FileSnapshots.layer({ home: options.home }),
      NodeHost.layer,
      NodeIds.layer,
      NodeOutputFiles.layer({ home: options.home }),
      NodePatterns.layer,
    );
    const ports = Layer.provideMerge(Layer.merge(tmux, registry), machine);
    const { reconcileOnStart = true, enforceLimits = reconcileOnStart } = options;
    const sessions = reconcileOnStart
      ? Layer.tap(Sessions.layer, finishUnfinished)
      : Sessions.layer;
    const limits = enforceLimits ? timeLimits : Layer.empty;
    return Layer.merge(SessionHandles.layerWithTurns, limits).pipe(
      Layer.provideMerge(sessions),
      Layer.provide(Layer.merge(ports, NodeAwakeClock.layer)),
      Layer.provide(settings(options)),
    );
  },
};
