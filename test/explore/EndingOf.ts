/**
 * EndingOf: what a session world reads of its machine: all of it at the end, and at any moment
 * whether anything of an incarnation is still there.
 *
 * It asks as a client of nobody's, so nothing of it is a step of the programs.
 */
import { OutputFiles, type ProcessTable, type ServerSocket } from "@troupe/core";
import { FakeOutputFiles, FakeTmux, type FakeTmuxControl } from "@troupe/testing";
import type { TmuxReply, TmuxTransport } from "@troupe/tmux";
import { Context, Effect, Layer } from "effect";
import type { Ending, Place } from "./Agreement.js";
import type { Kept } from "./Keeping.js";
import type { Remembered, WorldStore } from "./WorldStore.js";

/** The one machine of a world. */
export type Machine = Context.Context<FakeTmux | TmuxTransport | ProcessTable | ServerSocket>;

/** The ending of a session world. */
export interface WorldEnding extends Ending, Kept, Pick<Remembered, "leases" | "unclaimed"> {
  /** The session of each pane that has no mark of ours, by its name. */
  readonly strangers: ReadonlyArray<string>;
  /** The calls about what is kept of terminals that failed. */
  readonly filesFailed: ReadonlyArray<string>;
  /** Whether there is no server, or it answers at its socket. */
  readonly reachable: boolean;
}

/** The variable that marks, for worlds alone, what descends from a pane: `INCARNATION TERMINAL`. */
export const OFFSPRING = "EXPLORED_OFFSPRING";

/** Lines about sessions of ours: those of strangers and of other homes begin otherwise. */
const linesOf = ({ exitCode, stdout }: TmuxReply): ReadonlyArray<string> =>
  exitCode === 0
    ? stdout
        .split("\n")
        .filter((line) => /^home1 \S/.test(line))
        .map((line) => line.slice("home1 ".length))
    : [];

const placesOf = Effect.fnUntraced(function* (tmux: FakeTmuxControl) {
  const format = "#{@troupe-home} #{@troupe-inc} #{pid}/#{start_time} #{session_id}";
  const listed = yield* tmux.client(["list-sessions", "-F", format]);
  return linesOf(listed).map((line): Place => {
    const [incarnation = "", server = "", sessionId = ""] = line.split(" ");
    return { incarnation, server, sessionId };
  });
}, Effect.orDie);

/** The panes of ours as an ending has them, and the sessions of all others. */
const panesOf = Effect.fnUntraced(function* (tmux: FakeTmuxControl) {
  const format = "#{@troupe-home} #{@troupe-inc} #{@troupe-pane} #{session_name}";
  const listed = yield* tmux.client(["list-panes", "-a", "-F", format]);
  const ours = linesOf(listed).map((line) => line.replace(/ [^ ]*$/, ""));
  const strangers = [...listed.stdout.matchAll(/^ {3}(\S+)$/gm)].map(([, name = ""]) => name);
  return { ours: [...ours].sort(), strangers };
}, Effect.orDie);

/** Whose processes live. A tmux server is never counted as what lives in a session. */
const aliveIn = (tmux: FakeTmuxControl) =>
  Effect.map(tmux.processes, (all) =>
    all
      .filter(({ program, state }) => state === "running" && !program.startsWith("tmux: server"))
      .flatMap(({ environment }) => {
        const own = environment.get("TROUPE_INCARNATION");
        const terminal = environment.get("TROUPE_TERMINAL") ?? "";
        const known = environment.get(OFFSPRING) ?? (own && `${own} ${terminal}`.trim());
        return known === undefined || known === "" ? [] : [known];
      }),
  );

/** Of which incarnations something was ever recorded. */
export const recordedIn = (tmux: FakeTmuxControl): Effect.Effect<ReadonlyArray<string>> =>
  Layer.build(FakeOutputFiles.layer(tmux)).pipe(
    Effect.flatMap((built) => Context.get(built, OutputFiles).left),
    Effect.map((left) => left.map(({ incarnation }) => incarnation)),
    Effect.scoped,
    Effect.orDie,
  );

/** Everything, as it is now. */
export const endingOf = Effect.fnUntraced(function* (
  machine: Machine,
  store: WorldStore,
  heard: Pick<Ending, "told" | "adopts">,
) {
  const tmux = Context.get(machine, FakeTmux);
  const alive = yield* aliveIn(tmux);
  const running = (yield* tmux.processes).filter(({ state }) => state === "running");
  const programs = running.map(({ program }) => program);
  const { ours, strangers } = yield* panesOf(tmux);
  const servers = programs.filter((program) => program.startsWith("tmux: server")).length;
  const asked = yield* Effect.orDie(tmux.client(["list-sessions"]));
  const recorded = yield* recordedIn(tmux);
  const ending: WorldEnding = {
    ...heard,
    ...(yield* store.remembered),
    inTmux: yield* placesOf(tmux),
    panes: ours,
    strangers,
    alive: [...new Set(alive)],
    programs,
    servers,
    recorded,
    outputs: recorded.filter((incarnation) => !store.files.output.removed.has(incarnation)),
    filesFailed: [...store.files.failed],
    snapshots: [...store.files.snapshots.kept.values()],
    reachable: servers === 0 || asked.exitCode === 0,
  };
  return ending;
});

/** What is still there of it, of an incarnation or `INCARNATION TERMINAL`, in words. */
export const stillThere = Effect.fnUntraced(function* (machine: Machine, of: string) {
  const tmux = Context.get(machine, FakeTmux);
  const isOf = (whose: string): boolean => `${whose} `.startsWith(`${of} `);
  const places = (yield* placesOf(tmux)).map(({ incarnation }) => incarnation);
  const shown = [...places, ...(yield* panesOf(tmux)).ours];
  if (shown.some(isOf)) return `tmux has ${of}`;
  return (yield* aliveIn(tmux)).some(isOf) ? `a process of ${of} lives` : null;
});
