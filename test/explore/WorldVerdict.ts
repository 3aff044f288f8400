/**
 * WorldVerdict: what a session world makes of its ending: as the programs left it, and then behind
 * who comes behind them.
 *
 * Pure; where nothing is odd it says nothing.
 */
import { isFinal } from "@troupe/core";
import { disagreement, endedTooEarly, lie, newest } from "./Agreement.js";
import { disclosed } from "./Canary.js";
import type { WorldEnding } from "./EndingOf.js";
import { leftBehind, unkept } from "./Keeping.js";
import type { SessionWorldOptions } from "./SessionWorld.js";

/** Calls behind which something may be left to whoever comes next: of an adopt its mark. */
export const leaves =
  /: failed (KillUnconfirmed|ProcessesSurvived|RegistryUnavailable)$|^adopt: failed LookupFailed$/;

/** A lease of what has ended, or of nothing: its row goes with that of its incarnation. */
const leaseLeft = ({ leases, records }: WorldEnding): string | null => {
  const lives = (id: string) => records.some((r) => r.incarnation === id && !isFinal(r.state));
  const left = leases.find(({ incarnation }) => !lives(incarnation));
  return left === undefined ? null : `a lease is left of ${left.incarnation}`;
};

/** The ending without what lives of a session that is lost, where nobody was to end that. */
const judged = ({ lostMayLive }: SessionWorldOptions, ending: WorldEnding): WorldEnding => {
  if (lostMayLive !== true) return ending;
  const lost = newest(ending.records).filter(({ state }) => state === "lost");
  const isOf = (whose: string) => lost.some((r) => `${whose} `.startsWith(`${r.incarnation} `));
  return { ...ending, alive: ending.alive.filter((whose) => !isOf(whose)) };
};

/** What does not agree, of rows, tmux and files. */
const disagree = (ending: WorldEnding): string | null =>
  disagreement(ending) ?? unkept(ending) ?? leaseLeft(ending);

/** What a world makes of its ending. */
export const judgement = (options: SessionWorldOptions, whole: WorldEnding): string | null => {
  const ending = judged(options, whole);
  const { told } = ending;
  const failed = told.find((line) =>
    options.succeeds?.some((name) => line.startsWith(`${name}: `) && !line.includes(": ok ")),
  );
  if (failed !== undefined) return failed;
  const shown = disclosed(ending);
  if (shown !== null) return shown;
  if (options.collects) return behindGc(options, ending);
  const left = options.recovers === false && told.some((line) => leaves.test(line));
  const judge = options.instead ?? (left ? lie : disagree);
  return judge(ending) ?? options.also?.(ending) ?? null;
};

/** What was told of a row that is forgotten now was judged before. */
const behindGc = ({ instead = disagree }: SessionWorldOptions, ending: WorldEnding) =>
  instead({ ...ending, told: ending.told.filter((line) => !line.includes(": ok ")) }) ??
  leftBehind(ending);

/**
 * What the programs left that nobody had to leave, before anybody comes behind them, in words. A
 * crash, a list that comes late, an accident and a socket that is gone are mended by a reconcile,
 * and nothing else is.
 */
export const unmended = (
  options: SessionWorldOptions,
  whole: WorldEnding,
  crashed: boolean,
): ReadonlyArray<string> => {
  const { collects, happens, instead, lateEffects, programs } = options;
  const ending = judged(options, whole);
  if (instead !== undefined && !collects) return [];
  const events = [...programs.flat(), ...[happens ?? []].flat()];
  const accident = events.some(
    ({ isAccident, name }) =>
      isAccident && ending.told.some((line) => line.startsWith(`${name}: ok`)),
  );
  // A gc goes on past a name that fails, and says so.
  const owes = (line: string) => leaves.test(line) || /^gc.*"failed":[1-9]/.test(line);
  const owed = ending.told.some(
    (line) => owes(line) || line.includes("explored bug") || options.excuses?.test(line),
  );
  const mended = crashed || lateEffects || accident || owed || !ending.reachable;
  const odd = endedTooEarly(ending) ?? (mended ? null : (instead ?? disagree)(ending));
  return odd === null ? [] : [`untrue: with nobody behind them, ${odd}`];
};
