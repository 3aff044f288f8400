/**
 * SuppliedWorlds: values that a session is given while others replace, delete or end it, and that
 * it is made anew with.
 *
 * Whoever was told that it has them finds them, in this incarnation and in no other.
 */
import { Effect } from "effect";
import { env } from "./Canary.js";
import type { ListedWorld } from "./NamedWorld.js";
import { newestIn } from "./ProgramPorts.js";
import { interrupted, programEnds, remove, removeByForce, removedByUser } from "./SessionCalls.js";
import type { Call } from "./SessionWorld.js";
import {
  createValued,
  expect,
  found,
  LATER,
  made,
  mayHave,
  replacing,
  restored,
  spec,
  told,
  values,
  world,
} from "./Tellers.js";

/** Gives a value; the incarnation that got it, where that is certain. */
const given = (s: Parameters<Call["run"]>[0], what: Readonly<Record<string, string>>) =>
  Effect.gen(function* () {
    const before = yield* newestIn(s, "a");
    mayHave.add(before);
    yield* s.setEnv("a", what);
    const behind = yield* newestIn(s, "a");
    mayHave.add(behind);
    return before === behind ? before : null;
  });

/** Gives a value, and adds a terminal, which finds it unless it is in another incarnation. */
const addOfGiven: Call = {
  name: "add, of what was given",
  run: (s) =>
    Effect.gen(function* () {
      const got = yield* given(s, { [LATER]: values.later });
      const added = yield* s.addTerminal(spec);
      const { incarnation, terminal } = added;
      const its = found.get(`${incarnation} ${terminal.terminal}`);
      if (incarnation === got) expect(terminal.terminal, its, told(made, values.later, null));
      else if (got !== null) expect(terminal.terminal, its, told(null, null, null));
      return added;
    }),
};

/** Gives what the session was made with, and makes it anew with that. */
const restoreOfGiven: Call = {
  name: "restore, of what was given",
  run: (s) =>
    Effect.gen(function* () {
      const got = yield* given(s, env);
      const view = yield* s.restore("a");
      if (got === null) return view;
      expect("main", found.get(`${view.incarnation} main`), told(made, null, null));
      const again = yield* Effect.option(s.addTerminal(spec));
      if (again._tag === "None") return view;
      const { incarnation, terminal } = again.value;
      if (incarnation !== view.incarnation) return view;
      const its = found.get(`${incarnation} ${terminal.terminal}`);
      expect(terminal.terminal, its, told(made, null, null));
      return view;
    }),
};
/** Who changes what has the name, in the middle of it or beside it. */
const others: ReadonlyArray<Call> = [replacing, remove, removedByUser];

/** The worlds. */
export const suppliedWorlds: ReadonlyArray<ListedWorld> = [
  {
    ...world,
    name: "values that are given, and another program's verb at any call of it",
    cost: 1,
    before: [createValued],
    programs: [[interrupted(addOfGiven)]],
    happens: [replacing, removeByForce, removedByUser, programEnds],
  },
  {
    ...world,
    ...restored,
    name: "values of a restore, and another program's verb at any call of it",
    cost: 1,
    startsAnew: true,
    programs: [[interrupted(restoreOfGiven)]],
    happens: [replacing, removeByForce, removedByUser],
  },
  ...others.map((other) => ({
    ...world,
    name: `values that are given ∥ ${other.name}: one program`,
    cost: 1,
    before: [createValued],
    programs: [[addOfGiven, other]],
  })),
  {
    ...world,
    name: "values that are given, where any program may die",
    cost: 1,
    before: [createValued],
    programs: [[addOfGiven], [replacing]],
    crash: true,
  },
];
