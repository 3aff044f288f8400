/**
 * EndingOf: what a session world reads of its machine: all of it at the end, and at the moment at
 * which a delete was acknowledged whether anything of that is still there.
 *
 * It asks as a client of nobody's, so nothing of it is a step of the programs.
 */
import type { ProcessTable, ServerSocket } from "@troupe/core";
import { Explore, FakeTmux, type FakeTmuxControl } from "@troupe/testing";
import type { TmuxReply, TmuxTransport } from "@troupe/tmux";
import { Context, Effect } from "effect";
import type { Ending, Place } from "./Agreement.js";
import type { WorldStore } from "./WorldStore.js";

/** The one machine of a world. */
export type Machine = Context.Context<FakeTmux | TmuxTransport | ProcessTable | ServerSocket>;

/** The ending of a session world. */
export interface WorldEnding extends Ending {
  /** The session of each pane that has no mark of ours, by its name. */
  readonly strangers: ReadonlyArray<string>;
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
  const ending: WorldEnding = {
    ...heard,
    ...(yield* store.remembered),
    inTmux: yield* placesOf(tmux),
    panes: ours,
    strangers,
    alive: [...new Set(alive)],
    programs,
    servers,
    reachable: servers === 0 || asked.exitCode === 0,
  };
  return ending;
});

/** What a delete was acknowledged for. */
interface Acknowledged {
  readonly session: string;
  readonly generation: number;
  /** The terminal, when it was one alone. */
  readonly terminal?: string;
}

const isAcknowledged = (value: unknown): value is Acknowledged =>
  typeof value === "object" && value !== null && "session" in value && "generation" in value;

/**
 * What is still there of that whose delete was acknowledged this moment, in words: a line for what
 * was told, or none.
 */
export const untruth = (
  machine: Machine,
  store: WorldStore,
  name: string,
  value: unknown,
): Effect.Effect<ReadonlyArray<string>> =>
  Explore.quietly(
    Effect.gen(function* () {
      if (!name.startsWith("delete") || !isAcknowledged(value)) return [];
      const { generation, session, terminal } = value;
      const { records } = yield* store.remembered;
      const record = records.find((r) => r.session === session && r.generation === generation);
      if (record === undefined) return [`untrue: ${name}: there is no such row`];
      const tmux = Context.get(machine, FakeTmux);
      const of = [record.incarnation, ...(terminal === undefined ? [] : [terminal])].join(" ");
      const isOf = (whose: string): boolean => `${whose} `.startsWith(`${of} `);
      const places = terminal === undefined ? yield* placesOf(tmux) : [];
      if (places.some((place) => isOf(place.incarnation))) {
        return [`untrue: ${name} was acknowledged, and tmux has ${of}`];
      }
      if ((yield* panesOf(tmux)).ours.some(isOf)) {
        return [`untrue: ${name} was acknowledged, and tmux has ${of}`];
      }
      const left = (yield* aliveIn(tmux)).some(isOf);
      return left ? [`untrue: ${name} was acknowledged, and a process of ${of} lives`] : [];
    }),
  );
