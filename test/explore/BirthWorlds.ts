/**
 * BirthWorlds: processes that are born while what they live in is being ended: between two
 * attempts, or behind the look that would have found them. None outlives the acknowledgement.
 *
 * A first attempt fails because no kill comes through, as when tmux does not answer.
 */
import { Fault } from "@troupe/testing";
import { Effect } from "effect";
import { childOf, forkedTwice, windowClosed } from "./KillWorlds.js";
import type { ListedWorld } from "./NamedWorld.js";
import { add, create, reconcile, remove, removeTerminal } from "./SessionCalls.js";
import type { Call } from "./SessionWorld.js";

/** The call, while no kill of this kind comes through; whatever is told of it. */
export const inVain = (call: Call, kill: "kill" | "kill a terminal"): Call => ({
  name: `${call.name}, in vain`,
  run: (sessions, tmux) =>
    Effect.gen(function* () {
      const matches = ({ attempted }: { readonly attempted: string }) => attempted === kill;
      yield* tmux.inject({ fault: Fault.silent, matches, times: 1_000 });
      yield* Effect.flip(Effect.asVoid(call.run(sessions, tmux)));
      yield* tmux.clearFaults;
    }),
});

/** A daemon forks once more, and its child has all that it has. */
const daemonForks: Call = {
  name: "the daemon forks",
  run: (_, tmux) =>
    Effect.gen(function* () {
      const daemon = (yield* tmux.processes).find((p) => p.program === "daemon");
      if (daemon?.state !== "running") return;
      const environment = Object.fromEntries(daemon.environment);
      yield* tmux.spawn({ parent: 1, program: "daemon2", environment, ignoresHup: true });
    }),
};

/** What is born while something ends. */
export const birthWorlds: ReadonlyArray<ListedWorld> = [
  {
    name: "delete, in vain, a child is born, and delete again",
    cost: 1,
    before: [create, inVain(remove, "kill"), childOf("main")],
    programs: [[remove]],
    crash: true,
  },
  {
    name: "delete, in vain, a child is born, and reconcile",
    cost: 1,
    before: [create, inVain(remove, "kill"), childOf("main")],
    programs: [[reconcile]],
    crash: true,
  },
  {
    name: "delete a terminal, in vain, a child is born, and delete it again",
    cost: 1,
    before: [create, add, inVain(removeTerminal, "kill a terminal"), childOf("t2")],
    programs: [[removeTerminal]],
    crash: true,
  },
  {
    name: "delete a terminal, in vain, a child is born, and reconcile",
    cost: 1,
    before: [create, add, inVain(removeTerminal, "kill a terminal"), childOf("t2")],
    programs: [[reconcile]],
    crash: true,
  },
  {
    name: "delete, while what forked twice forks again",
    cost: 2,
    before: [create, forkedTwice("main")],
    programs: [[remove]],
    happens: daemonForks,
  },
  {
    name: "delete a terminal, while what forked twice forks again",
    cost: 2,
    before: [create, add, forkedTwice("t2")],
    programs: [[removeTerminal]],
    happens: daemonForks,
  },
  {
    name: "delete a terminal that is gone, and what forked twice there",
    cost: 1,
    before: [create, add, forkedTwice("t2"), windowClosed, reconcile],
    programs: [[removeTerminal]],
    happens: daemonForks,
  },
];
