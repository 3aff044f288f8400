/**
 * Tour: what troupe does, in six steps on a real tmux and a real registry.
 *
 * Each step does what it says and tells what came of it; the last one looks whether all of it
 * held. The steps use the public service, as any host program would; only the delete that is cut
 * off is a process of its own, because it has to be killed.
 */
import { Sessions, type SessionView } from "@troupe/core";
import { Effect } from "effect";
import { DemoFailed } from "../CommandFailure.js";
import type { Location } from "../Location.js";
import { cutOffDelete } from "./CutOffDelete.js";
import { agreement, type Fact } from "./Proof.js";

/** Tells the person who watches. */
export type Say = (line: string) => Effect.Effect<void>;

/** What the tour leaves to be looked at when everything is closed. */
export interface Toured {
  readonly pids: ReadonlyArray<number>;
  readonly fact: Fact;
}

const BUILD = "echo compiling; echo done; exec sleep 600";
/** Handles TERM as an agent does that saves its work, and lets nobody hurry it. */
const AGENT = 'trap "echo saving my work" TERM; echo ready; while :; do sleep 1; done';

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

const make = (say: Say) =>
  Effect.gen(function* () {
    const sessions = yield* Sessions;
    yield* say("\n1. Two sessions. Each is created when its program is seen to live.");
    const command = (script: string) => ["/bin/sh", "-c", script];
    const build = yield* sessions.create({ session: "build", command: command(BUILD) });
    const agent = yield* sessions.create({ session: "agent", command: command(AGENT) });
    yield* say("\n2. One listing: what the registry knows beside what tmux says just now.");
    yield* list(say);
    return [...pidsOf(build), ...pidsOf(agent)];
  });

const read = (say: Say) =>
  Effect.gen(function* () {
    const sessions = yield* Sessions;
    yield* say("\n3. What the program of build printed.");
    const text = yield* sessions.capture("build");
    yield* Effect.forEach(text.split("\n"), (line) => say(`   | ${line}`));
    if (text !== "compiling\ndone") {
      return yield* new DemoFailed({ reason: `build printed ${JSON.stringify(text)}` });
    }
  });

const crash = (say: Say, program: string, location: Location) =>
  Effect.gen(function* () {
    yield* say("\n4. Another process deletes agent, and dies by SIGKILL in the middle.");
    const pid = yield* cutOffDelete(program, "agent", location);
    yield* say(`   process ${pid} is dead; what it left:`);
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

/** Walks the tour in the home of the location; `program` is the command's own file. */
export const tour = (say: Say, program: string, location: Location) =>
  Effect.gen(function* () {
    const sessions = yield* Sessions;
    const pids = yield* make(say);
    yield* read(say);
    yield* crash(say, program, location);
    yield* repair(say);
    const { sessions: views } = yield* sessions.list({ all: true });
    yield* sessions.stopServer;
    const toured: Toured = {
      pids: [...new Set(pids)].sort((a, b) => a - b),
      fact: agreement(views),
    };
    return toured;
  });
