/**
 * Keeper: a program on the home of a stage, in this process, that outlives those which die there.
 *
 * It arranges what they find, reconciles what they left, and reads how everything stands then. To
 * all that it starts the directory of the stage is HOME, by which that is found and ended.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { isFinal, Registry, type SessionRecord, Sessions } from "@troupe/core";
import { homeMark, LinuxProcessTable, NodeIds, Troupe, type TroupeOptions } from "@troupe/node";
import { SqliteRegistry } from "@troupe/sqlite";
import { Context, Effect, Exit, Layer, Scope } from "effect";
import type { Ending, Place } from "../explore/Agreement.js";
import { processesOf, variableOf } from "../support/Processes.js";
import type { Stage } from "../support/Stage.js";

/** Built in one step, so that nobody sees the HOME of another. */
const built = <A>(stage: Stage, scope: Scope.Scope, layer: () => Layer.Layer<A>) => {
  const { HOME } = process.env;
  process.env.HOME = stage.directory;
  try {
    return Effect.runSync(Layer.buildWithScope(layer(), scope));
  } finally {
    if (HOME === undefined) delete process.env.HOME;
    else process.env.HOME = HOME;
  }
};

/** Everything that is asked of tmux, in one call. */
const LISTS = [
  ...["list-sessions", "-F", "S #{@troupe-home} #{@troupe-inc} #{pid}/#{start_time} #{session_id}"],
  ...[";", "list-panes", "-a", "-F", "P #{@troupe-home} #{@troupe-owner} #{@troupe-pane}"],
  ...[";", "show-options", "-s"],
];

/** What tmux has of this home, and the fences of its names. */
const shownBy = (stage: Stage) => {
  const { code, out } = stage.tmux(...LISTS);
  const lines = code === 0 ? out.split("\n") : [];
  const marked = (letter: string): ReadonlyArray<string> => {
    const start = `${letter} ${homeMark(stage.home)} `;
    return lines.filter((line) => line.startsWith(start)).map((line) => line.slice(start.length));
  };
  const inTmux = marked("S").map((line): Place => {
    const [incarnation = "", server = "", sessionId = ""] = line.split(" ");
    return { incarnation, server, sessionId };
  });
  const fences = lines.flatMap((line) => {
    const [, session, height] = /^@troupe-fence-(\S+) (\d+)$/.exec(line) ?? [];
    return session === undefined ? [] : [{ session, height: Number(height) }];
  });
  return { inTmux, panes: [...marked("P")].sort(), fences };
};

/** Whose processes live, as `INCARNATION TERMINAL`. */
const aliveIn = (stage: Stage): ReadonlyArray<string> =>
  processesOf(stage.directory).flatMap((pid) => {
    const incarnation = variableOf(pid, "TROUPE_INCARNATION");
    const terminal = variableOf(pid, "TROUPE_TERMINAL") ?? "";
    return incarnation === null ? [] : [`${incarnation} ${terminal}`.trim()];
  });

/** What a directory of the home has, none when it is not there. */
const filesIn = (stage: Stage, name: string): ReadonlyArray<string> => {
  try {
    return readdirSync(join(stage.home, name));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
};

/** How everything stands, with what `Agreement` knows nothing of. */
export interface HomeEnding extends Ending {
  readonly fences: ReadonlyArray<{ readonly session: string; readonly height: number }>;
  /** The incarnations that there is output of. */
  readonly outputs: ReadonlyArray<string>;
  /** What programs left beside the rows, that gc would leave there, too. */
  readonly leftovers: ReadonlyArray<string>;
}

/** What does not agree beside what `Agreement` looks at: files and fences of nobody. */
export const stray = ({ fences, leftovers, outputs, records }: HomeEnding): string | null => {
  const known = new Set<string>(records.map(({ incarnation }) => incarnation));
  const output = outputs.find((name) => !known.has(name));
  if (output !== undefined) return `there is output of ${output}, and no row`;
  const [leftover] = leftovers;
  if (leftover !== undefined) return `nobody would remove ${leftover}`;
  const fence = fences.find(({ height, session }) =>
    records.some(({ claim, session: of }) => of === session && claim.epoch < height),
  );
  return fence === undefined ? null : `the fence of ${fence.session} is above its epoch`;
};

/**
 * The log as if what gc forgot had never been. The newest event of all stays there, so that no
 * number is used again, also when its row does not.
 */
const withoutForgotten = ({ events, records }: Pick<Ending, "events" | "records">) => {
  const known = new Set(records.map(({ incarnation }) => incarnation));
  return events
    .filter((event, at) => at < events.length - 1 || known.has(event.incarnation))
    .map((event, at) => ({ ...event, sequence: at + 1 }));
};

/**
 * Whether somebody holds the name. The claim of a dead program on a name that is free is proof of
 * its death to whoever wants it next; of one that is not, a reconcile takes it.
 */
const isHeld = ({
  claim,
  ...of
}: Pick<SessionRecord, "claim"> & Partial<SessionRecord>): boolean =>
  claim.holder === "dead" ? of.state !== undefined && !isFinal(of.state) : claim.holder !== "none";

/** A program of this process on the home of a stage. */
export class Keeper {
  private readonly scope = Effect.runSync(Scope.make());
  readonly sessions: Sessions["Type"];
  private readonly registry: Registry["Type"];

  constructor(
    private readonly stage: Stage,
    options: Partial<TroupeOptions> = {},
  ) {
    const { home, socket } = stage;
    // A busy machine is no reason to go without what would be kept, and to say so.
    const settings = { snapshotBoundMs: 10_000, ...options.settings };
    const own = { home, socket, reconcileOnStart: false, ...options, settings };
    this.sessions = Context.get(
      built(stage, this.scope, () => Troupe.layer(own)),
      Sessions,
    );
    const ports = Layer.merge(LinuxProcessTable.layer, NodeIds.layer);
    const registry = () => Layer.provide(SqliteRegistry.layer({ home }), ports);
    this.registry = Context.get(built(stage, this.scope, registry), Registry);
  }

  /** Makes a session of a program that only sleeps. */
  create(session: string, { log = false } = {}) {
    const command = ["sleep", "86400"];
    return this.sessions.create({ session, command, cwd: "/", startWindowMs: 0, log });
  }

  /**
   * How everything stands; `told` is what callers heard, as `Agreement` reads it, and `forgets`
   * whether something has been forgotten.
   */
  ending({ forgets = false, told = [] }: { forgets?: boolean; told?: ReadonlyArray<string> } = {}) {
    const { registry, stage } = this;
    return Effect.gen(function* () {
      const { bare, records, unreadable } = yield* registry.history(null);
      const { events } = yield* registry.events(0, 1_000_000);
      const left = yield* registry.leftovers({ remove: false });
      const held = [...records, ...bare].filter(isHeld);
      const ending: HomeEnding = {
        records,
        events: forgets ? withoutForgotten({ events, records }) : events,
        ...shownBy(stage),
        outputs: filesIn(stage, "output"),
        // A lock stays while a claim of its program does, which a free name may keep.
        leftovers: left
          .filter(({ removable, what }) => !removable && !what.startsWith("lock of "))
          .map(({ what, why }) => `${what}: ${why}`),
        alive: [...new Set(aliveIn(stage))],
        programs: [],
        servers: 1,
        heldBy: held.map(({ session }) => session),
        told: [...told, ...unreadable.map(({ detail }) => `untrue: ${detail}`)],
        adopts: false,
      };
      return ending;
    }).pipe(Effect.runPromise);
  }

  /** Ends the program; the sessions stay. */
  close(): Promise<void> {
    return Effect.runPromise(Scope.close(this.scope, Exit.void));
  }
}
