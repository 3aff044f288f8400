/**
 * HistoryChecker: whether a history can be explained by its calls having happened one at a time,
 * each at some moment between its beginning and its end (linearizability).
 *
 * The search tries every order that the moments allow (Wing and Gong), remembering which calls in
 * which state lead nowhere. Meant for up to about a dozen calls on one name; the cost grows with
 * how many of them overlap.
 */
import type { Call } from "./History.js";
import { printCalls } from "./HistoryTable.js";
import { keyOf } from "./PrintedValue.js";

/** A sequential object. */
export interface Model<S, I, O> {
  readonly initial: S;
  /**
   * The states that may follow when this input is answered so in this state; none when it cannot
   * be. `null` is no answer: give the states that follow if the call happened nevertheless.
   */
  readonly next: (state: S, input: I, answer: { readonly output: O } | null) => ReadonlyArray<S>;
  /** Inputs that change no state: a contradiction is shown without those that it does not need. */
  readonly reads?: (input: I) => boolean;
  /**
   * Equal for equal states and for no others. When it is left out, JSON that keeps maps, sets and
   * big integers apart too: enough for states that hide nothing in a class.
   */
  readonly key?: (state: S) => string;
}

const isExplained = <S, I, O>(
  { initial, key = keyOf, next }: Model<S, I, O>,
  calls: ReadonlyArray<Call<I, O>>,
): boolean => {
  const dead = new Set<string>();
  const explains = (state: S, done: ReadonlySet<Call<I, O>>): boolean => {
    const left = calls.filter((call) => !done.has(call));
    if (left.every(({ answer }) => answer === null)) return true;
    const visited = `${calls.map((call) => (done.has(call) ? 1 : 0)).join("")} ${key(state)}`;
    if (dead.has(visited)) return false;
    const firstEnd = Math.min(...left.map(({ endedAt }) => endedAt));
    for (const call of left) {
      if (call.beganAt > firstEnd) continue;
      const after = new Set([...done, call]);
      if (next(state, call.input, call.answer).some((s) => explains(s, after))) return true;
    }
    dead.add(visited);
    return false;
  };
  return explains(initial, new Set());
};

/** The history up to a moment: later answers are not there yet, later calls not at all. */
const until = <I, O>(calls: ReadonlyArray<Call<I, O>>, moment: number) =>
  calls
    .filter(({ beganAt }) => beganAt <= moment)
    .map((call) =>
      call.endedAt <= moment ? call : { ...call, answer: null, endedAt: Number.POSITIVE_INFINITY },
    );

/** The same contradiction with as few reads as it needs. */
const withoutReads = <S, I, O>(model: Model<S, I, O>, calls: ReadonlyArray<Call<I, O>>) =>
  calls
    .filter(({ input }) => model.reads?.(input) === true)
    .reduce((rest, read) => {
      const shorter = rest.filter((call) => call !== read);
      return isExplained(model, shorter) ? rest : shorter;
    }, calls);

/** `null` when the model explains the history; otherwise the shortest contradiction, printed. */
export const contradictionIn = <S, I, O>(
  model: Model<S, I, O>,
  calls: ReadonlyArray<Call<I, O>>,
): string | null => {
  if (isExplained(model, calls)) return null;
  const moments = calls.map(({ endedAt }) => endedAt).sort((a, b) => a - b);
  const moment = moments.find((end) => !isExplained(model, until(calls, end)));
  const shortest = withoutReads(model, until(calls, moment ?? Number.POSITIVE_INFINITY));
  return `no order of these calls explains their answers:\n${printCalls(shortest)}`;
};
