/**
 * LitterWorlds: what a verb leaves in tmux that was answered, refused or failed, whatever happened
 * to its session at any of its calls, or whatever one of its lists came to: no buffer with input,
 * and no value in anything that the server tells to all.
 *
 * Looked at as somebody at that server could, in the moment in which the caller hears.
 */
import { Explore, type FakeTmuxControl } from "@troupe/testing";
import { Effect } from "effect";
import { env } from "./Canary.js";
import type { ListedWorld } from "./NamedWorld.js";
import { accidents, incidentsIn, verbsIn } from "./Operations.js";
import { recreate, sendOne, sendWorld } from "./SendWorlds.js";
import { add, create, programEnds, reconcile, replacing, restore } from "./SessionCalls.js";
import type { Call } from "./SessionWorld.js";
import { learn, troubled } from "./TwoTroublesWorlds.js";

/** What the server tells of itself and of the session, and not of a program alone. */
const asked: ReadonlyArray<ReadonlyArray<string>> = [
  ["list-buffers", "-F", "#{buffer_name} #{buffer_sample}"],
  ["show-environment", "-g"],
  ["show-options", "-s"],
  ["show-options", "-t", "=a"],
  ["show-options", "-w", "-t", "=a:"],
];

const values = Object.values(env);

/** What is there that should not be, as it is told. */
const litterOf = (tmux: FakeTmuxControl) =>
  Effect.map(
    Effect.forEach(asked, (argv) => tmux.client(argv)),
    ([buffers, ...rest]) => {
      const told = rest.flatMap(({ stdout }) => stdout.split("\n"));
      const kept = told.filter((line) => values.some((value) => line.includes(value)));
      const left = buffers?.exitCode === 0 ? buffers.stdout.split("\n") : [];
      return [...left, ...kept].find((line) => line !== "") ?? null;
    },
  );

/** The same call, behind which nothing is left at that moment. */
const tidy = (call: Call): Call => ({
  ...call,
  run: (sessions, tmux) =>
    Effect.gen(function* () {
      const exit = yield* Effect.exit(call.run(sessions, tmux));
      const litter = yield* Explore.quietly(litterOf(tmux));
      if (litter !== null) return yield* Effect.dieMessage(`it left ${litter}`);
      return yield* exit;
    }),
});

/** Two troubles may leave it to the next message of the name, which leaves nothing. */
const andReconciled: Call = {
  name: sendOne.name,
  run: (sessions, tmux) =>
    Effect.gen(function* () {
      const exit = yield* Effect.exit(sendOne.run(sessions, tmux));
      yield* Explore.quietly(Effect.exit(reconcile.run(sessions, tmux)));
      const litter = yield* Explore.quietly(litterOf(tmux));
      if (litter !== null) return yield* Effect.dieMessage(`it left ${litter}`);
      return yield* exit;
    }),
};

const happening = [...accidents, ...incidentsIn(sendOne), ...verbsIn(sendOne), recreate];

const verbs = [
  { before: [], call: create },
  { before: [create], call: replacing },
  { before: [create], call: add },
  { before: [create, programEnds], call: restore },
];

const sent = sendWorld("", [[tidy(sendOne)]]);
const before = [learn, ...(sent.before ?? [])];

/** The worlds. */
export const litterWorlds: ReadonlyArray<ListedWorld> = [
  { ...sent, cost: 1, name: "what is left in tmux: send, whatever happens", happens: happening },
  { ...sent, cost: 1, name: "what is left in tmux: send, in trouble", before, transport: troubled },
  {
    ...sent,
    name: "what is left in tmux: send, with two troubles, and a reconcile",
    cost: 2,
    before,
    programs: [[andReconciled]],
    transport: troubled,
  },
  ...verbs.map(({ before: there, call }) => ({
    name: `what is left in tmux: ${call.name}, in trouble`,
    cost: 1,
    before: [learn, ...there],
    programs: [[tidy(call)]],
    transport: troubled,
  })),
];
