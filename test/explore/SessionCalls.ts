/**
 * SessionCalls: the calls that session worlds are made of, and how a world is shown to hold.
 *
 * `holds` exhausts a world and prints what that took; `fails` shows that the same world with a
 * guard removed does not hold, so that the first one can fail.
 */
import type { Registry } from "@troupe/core";
import { Explore } from "@troupe/testing";
import type { TmuxTransport } from "@troupe/tmux";
import { Effect } from "effect";
import { env } from "./Canary.js";
import { type Call, type SessionWorldOptions, sessionWorld } from "./SessionWorld.js";

const spec = { session: "a", command: ["sleep", "100000"], cwd: "/", env };

export const create: Call = { name: "create", run: (s) => s.create(spec) };

/** The same in place of what has the name. */
export const replacing: Call = {
  name: "create, replacing",
  run: (s) => s.create({ ...spec, replace: true }),
};

export const remove: Call = { name: "delete", run: (s) => s.delete("a", { graceMs: 0 }) };

/** The same, whoever has the name. */
export const removeByForce: Call = {
  name: "delete, by force",
  run: (s) => s.delete("a", { graceMs: 0, force: true }),
};

export const reconcile: Call = { name: "reconcile", run: (s) => s.reconcile("a") };

export const restore: Call = { name: "restore", run: (s) => s.restore("a", { env }) };

export const adopt: Call = { name: "adopt", run: (s) => s.adopt("a") };

/** Somebody makes a session of the name. */
export const madeByUser: Call = {
  name: "a user makes a session",
  isAccident: true,
  run: (_, tmux) => tmux.client(["new-session", "-d", "-s", "a", "--", "sleep", "100000"]),
};

/** Somebody removes the session. */
export const removedByUser: Call = {
  name: "a user removes the session",
  isAccident: true,
  run: (_, tmux) => tmux.client(["kill-session", "-t", "=a"]),
};

export const add: Call = { name: "add", run: (s) => s.addTerminal(spec) };

/** Ends the second terminal; `NotFound` when it was never there. */
export const removeTerminal: Call = {
  name: "delete a terminal",
  run: (s) => s.deleteTerminal("a", "t2", { graceMs: 0 }),
};

/** The same, whoever has the name. */
export const removeTerminalByForce: Call = {
  name: "delete a terminal, by force",
  run: (s) => s.deleteTerminal("a", "t2", { graceMs: 0, force: true }),
};

/** Ends the first terminal, which may be the last. */
export const removeFirst: Call = {
  name: "delete a terminal: the first",
  run: (s) => s.deleteTerminal("a", "main", { graceMs: 0 }),
};

/** The program of the first terminal is killed by somebody, if it runs. */
export const programEnds: Call = {
  name: "the program ends",
  isAccident: true,
  run: (_, tmux) =>
    Effect.flatMap(tmux.processes, (all) => {
      const program = all.find(
        (p) => p.state === "running" && p.environment.get("TROUPE_TERMINAL") === "main",
      );
      return program === undefined ? Effect.void : tmux.signal(program.pid, "KILL");
    }),
};

/** The same call, begun later: in the start window of a create, say. */
export const later = (ms: number, call: Call): Call => ({
  ...call,
  run: (sessions, tmux) => Effect.zipRight(Effect.sleep(ms), call.run(sessions, tmux)),
});

/** The same call, by a caller that may be interrupted. */
export const interrupted = (call: Call): Call => ({ ...call, interruptible: true });

/** Everything that may go wrong with a call to tmux. */
export const anyFault = { faults: ["failed", "lost", "hung"] } as const;

/** tmux without fences: they are never raised, so what comes late is done. */
export const withoutFences = (transport: TmuxTransport["Type"]): TmuxTransport["Type"] => ({
  ...transport,
  run: (request) =>
    transport.run({
      ...request,
      stdin:
        typeof request.stdin === "string"
          ? request.stdin.replace(/set-option -s @troupe-fence-a [0-9]+/, "start-server")
          : request.stdin,
    }),
});

/**
 * Exhausts the world up to the cost; fails with the shortest schedule that breaks it. How many
 * schedules there were.
 */
export const holds = (options: SessionWorldOptions, cost: number): number => {
  const report = Explore.verify(sessionWorld(options), { cost });
  console.log(Explore.printReport(report));
  if (!report.budgets.every(({ exhausted }) => exhausted)) {
    throw new Error(`${options.name} was not exhausted`);
  }
  return report.schedules;
};

/** Shows that the world does not hold, by chance or by cost, and that its replay repeats that. */
export const fails = (options: SessionWorldOptions, cost: number): void => {
  const world = sessionWorld(options);
  // By chance first: it finds most of them sooner than the order of costs does.
  const failure =
    Explore.explore(world, { cost: 0, priorityWalks: 300, seed: 1 }).failure ??
    Explore.explore(world, { cost, priorityWalks: 2_000 }).failure;
  if (failure === null) throw new Error(`${options.name} holds without its guard`);
  const again = Explore.replay(world, failure.replay ?? "");
  if (again._tag !== "Failed" || again.failure.message !== failure.message) {
    throw new Error(`${options.name}: its replay does not repeat ${failure.message}`);
  }
};

/** A registry that is not told what a restore begins. */
export const withoutRestorations = (registry: Registry["Type"]): Registry["Type"] => ({
  ...registry,
  commit: (claim, incarnation, changes, options) => {
    const told = changes.map((c) => (c._tag === "Begin" ? { ...c, restores: false } : c));
    return registry.commit(claim, incarnation, told, options);
  },
});

/** A registry without mutual exclusion: any claim is given, and any write is taken. */
export const withoutClaims = (registry: Registry["Type"]): Registry["Type"] => ({
  ...registry,
  claim: (session, { attempted }) => registry.claim(session, { attempted, force: true }),
  commit: (claim, incarnation, changes, options) =>
    Effect.flatMap(registry.claim(claim.session, { attempted: "twin", force: true }), (stolen) =>
      registry.commit({ ...stolen, fenceDue: false }, incarnation, changes, options),
    ),
});
