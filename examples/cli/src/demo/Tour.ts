/**
 * Tour: what troupe does, in six steps, on a real tmux and registry or on fake ones.
 *
 * Each step does what it says and tells what came of it; the last one looks whether all of it
 * held. The steps use the public service, as any host program would; only the delete that is cut
 * off is a program of its own, because it has to die.
 */
import { Sessions, type SessionView } from "@troupe/core";
import { Effect } from "effect";
import { DemoFailed } from "../CommandFailure.js";
import { agreement, type Fact } from "./Proof.js";

/** Tells the person who watches. */
export type Say = (line: string) => Effect.Effect<void>;

/** What the tour leaves to be looked at when everything is closed. */
export interface Toured {
  readonly pids: ReadonlyArray<number>;
  readonly fact: Fact;
}

/** How another program begins to delete the session `agent` and is gone; gives who that was. */
export interface Crash<E, R> {
  readonly how: string;
  /** A program that handles TERM as an agent does that saves its work, and takes its time. */
  readonly agent: ReadonlyArray<string>;
  readonly cutOff: Effect.Effect<string, E, R>;
}

const BUILD = ["/bin/sh", "-c", "echo compiling; echo done; exec sleep 600"];
/** Handles TERM as an agent does that saves its work, and lets nobody hurry it. */
export const AGENT = [
  "/bin/sh",
  "-c",
  'trap "echo saving my work" TERM; echo ready; while :; do sleep 1; done',
];

const row = ({ seen, session, state, terminals }: SessionView): string =>
  `   ${session.padEnd(8)} ${state.padEnd(9)} ${seen.state.padEnd(8)} pid ${terminals[0]?.panePid}`;

const pidsOf = (view: SessionView): ReadonlyArray<number> => [
  ...view.processes.map(({ pid }) => pid),
  ...(view.server === null ? [] : [view.server.pid]),
];

const list = (say: Say) =>
  Effect.gen(function* () {
    const sessions = yield* Sessions;
    const { sessions: views } = yield* sessions.list({ all: true });
    yield* Effect.forEach(views, (view) => say(row(view)));
    return views;
  });

const make = (say: Say, agentCommand: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const sessions = yield* Sessions;
    yield* say("\n1. Two sessions. Each is created when its program is seen to live.");
    const build = yield* sessions.create({ session: "build", command: BUILD });
    const agent = yield* sessions.create({ session: "agent", command: agentCommand });
    yield* say("\n2. One listing: what the registry knows beside what tmux says just now.");
    yield* list(say);
    return [...pidsOf(build), ...pidsOf(agent)];
  });

const read = (say: Say) =>
  Effect.gen(function* () {
    const sessions = yield* Sessions;
    yield* say("\n3. What the program of build printed.");
    const { text } = yield* sessions.capture("build");
    yield* Effect.forEach(text.split("\n"), (line) => say(`   | ${line}`));
    if (text !== "compiling\ndone") {
      return yield* new DemoFailed({ reason: `build printed ${JSON.stringify(text)}` });
    }
  });

const crash = <E, R>(say: Say, { cutOff, how }: Crash<E, R>) =>
  Effect.gen(function* () {
    yield* say(`\n4. Another program deletes agent, and ${how} in the middle.`);
    const who = yield* cutOff;
    yield* say(`   ${who} is dead; what it left:`);
    const views = yield* list(say);
    const agent = views.find(({ session }) => session === "agent");
    if (agent?.state !== "deleting") {
      return yield* new DemoFailed({ reason: `agent is ${agent?.state}, and not deleting` });
    }
  });

const repair = (say: Say) =>
  Effect.gen(function* () {
    const sessions = yield* Sessions;
    yield* say("\n5. Reconcile finishes what was begun, and touches nothing else.");
    for (const { outcome, session } of yield* sessions.reconcileAll) {
      const { after, before, why } = yield* outcome;
      yield* say(`   ${session.padEnd(8)} ${before} → ${after}: ${why}`);
    }
    yield* sessions.delete("build");
    yield* say("   build    deleted, as asked");
  });

/** Walks the tour in the home of the sessions. */
export const tour = <E, R>(say: Say, crashing: Crash<E, R>) =>
  Effect.gen(function* () {
    const sessions = yield* Sessions;
    const pids = yield* make(say, crashing.agent);
    yield* read(say);
    yield* crash(say, crashing);
    yield* repair(say);
    const { sessions: views } = yield* sessions.list({ all: true });
    yield* sessions.stopServer;
    const toured: Toured = {
      pids: [...new Set(pids)].sort((a, b) => a - b),
      fact: agreement(views),
    };
    return toured;
  });
