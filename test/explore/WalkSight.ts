/**
 * WalkSight: all that there is at one moment of a walk, as nobody's client sees it: rows, the log,
 * the panes of tmux and every process, and whose each of those is.
 *
 * Values; two of them tell what a step has done.
 */
import type { SessionEvent, SessionRecord } from "@troupe/core";
import type { FakeTmuxControl } from "@troupe/testing";
import { Effect } from "effect";
import { OFFSPRING } from "./EndingOf.js";
import type { WorldStore } from "./WorldStore.js";

/** A process that lives. */
export interface Living {
  readonly pid: number;
  readonly startTicks: number;
  readonly parent: number;
  readonly leader: number;
  readonly program: string;
  readonly environment: ReadonlyMap<string, string>;
}

/** A pane, and in which session. */
export interface PaneSeen {
  readonly session: string;
  readonly window: string;
  /** Whose terminal it is, or in whose session; empty where it is in none of ours. */
  readonly incarnation: string;
  readonly terminal: string;
  readonly pid: number;
  readonly isDead: boolean;
}

/** One moment. */
export interface Sight {
  readonly records: ReadonlyArray<SessionRecord>;
  readonly events: ReadonlyArray<SessionEvent>;
  readonly living: ReadonlyArray<Living>;
  readonly panes: ReadonlyArray<PaneSeen>;
}

const FORMAT = [
  ...["#{session_name}", "#{window_id}", "#{@troupe-inc}", "#{@troupe-owner}", "#{@troupe-pane}"],
  ...["#{pane_pid}", "#{pane_dead}"],
].join(",");

/** It, now. */
export const sightOf = Effect.fnUntraced(function* (tmux: FakeTmuxControl, store: WorldStore) {
  const { events, records } = yield* store.remembered;
  const all = (yield* tmux.processes).filter(
    ({ environment, program, state }) =>
      // What records a pane is no program of anybody's, and is a shell.
      state === "running" &&
      !program.startsWith("tmux: ") &&
      (program !== "sh" || environment.has("TROUPE_TERMINAL")),
  );
  const listed = yield* Effect.orDie(tmux.client(["list-panes", "-a", "-F", FORMAT]));
  const lines = listed.exitCode === 0 ? listed.stdout.split("\n").filter((l) => l !== "") : [];
  const panes = lines.map((line): PaneSeen => {
    const [session = "", window = "", inside = "", owner = "", terminal = "", pid, dead] =
      line.split(",");
    const incarnation = terminal === "" ? inside : owner || inside;
    return { session, window, incarnation, terminal, pid: Number(pid), isDead: dead === "1" };
  });
  const living = all.map(
    ({ environment, leader, parent, pid, program, startTicks }): Living => ({
      ...{ environment, leader, parent, pid, program, startTicks },
    }),
  );
  const sight: Sight = { records: [...records], events: [...events], living, panes };
  return sight;
});

/** Whether these are one process. */
export const isSame = (a: Living, b: Living): boolean =>
  a.pid === b.pid && a.startTicks === b.startTicks;

/** The process and those above it, itself first. */
export const lineOf = ({ living }: Sight, of: Living): ReadonlyArray<Living> => {
  const above = living.find(({ pid }) => pid === of.parent);
  return above === undefined ? [of] : [of, ...lineOf({ living } as Sight, above)];
};

/** Whose something is: an incarnation's, and which terminal's where that is known. */
export interface Whose {
  readonly incarnation: string;
  readonly terminal: string | null;
}

/** The panes that a process leads: one for each session that has its window. */
const led = ({ panes }: Sight, { pid }: Living) =>
  panes.filter((pane) => pane.pid === pid && !pane.isDead);

/** Whose a process is; `null` where it is nobody's of ours. */
export const whoseIs = (sight: Sight, of: Living): Whose | null => {
  for (const one of lineOf(sight, of)) {
    const told = one.environment.get(OFFSPRING)?.split(" ");
    const incarnation = one.environment.get("TROUPE_INCARNATION") ?? told?.[0];
    const terminal = one.environment.get("TROUPE_TERMINAL") ?? told?.[1] ?? null;
    if (incarnation !== undefined) return { incarnation, terminal };
    const [pane, ...elsewhere] = led(sight, one);
    if (pane === undefined) continue;
    const isGuest = pane.terminal === "" && elsewhere.length > 0;
    if (pane.incarnation === "" || isGuest) return null;
    return { incarnation: pane.incarnation, terminal: pane.terminal || null };
  }
  return null;
};

const isRecorded = (record: SessionRecord | undefined, { pid, startTicks }: Living): boolean =>
  record?.processes.some((p) => p.pid === pid && p.startTime === startTicks) === true;

/** Whether whoever ends it can know whose it is: by its mark, its parents or what is recorded. */
export const isKnown = (sight: Sight, of: Living, { incarnation }: Whose): boolean =>
  lineOf(sight, of).some(
    (one) =>
      one.environment.get("TROUPE_INCARNATION") === incarnation ||
      led(sight, one).length > 0 ||
      isRecorded(
        sight.records.find((r) => r.incarnation === incarnation),
        one,
      ),
  );
