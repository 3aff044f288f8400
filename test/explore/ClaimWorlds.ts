/**
 * ClaimWorlds: one writer for a name, across programs and inside one: what waits, what overtakes,
 * what joins, and what is left alone.
 *
 * Where nobody reconciles behind them, the programs have to leave agreement by themselves.
 */
import { Busy, type Registry } from "@troupe/core";
import type { TmuxTransport } from "@troupe/tmux";
import { Effect } from "effect";
import type { ListedWorld } from "./NamedWorld.js";
import { create, later, programEnds, reconcile, remove, removeByForce } from "./SessionCalls.js";
import type { Call } from "./SessionWorld.js";

/** A create whose reply never comes: it is undone behind a new epoch. */
export const unheard: Call = {
  name: "a create that nobody hears of",
  run: (sessions, tmux) =>
    Effect.gen(function* () {
      yield* tmux.inject({
        fault: { _tag: "Hang", effect: "never" },
        matches: ({ stdin }) => `${stdin}`.includes("new-session"),
      });
      yield* Effect.either(create.run(sessions, tmux));
    }),
};

/** A program that stays, and does nothing. */
const idle: Call = { name: "idle", run: () => Effect.sleep("10 seconds") };

/** Somebody who lives and does nothing has the claim: only force gets past. */
const stoppedHolder = (registry: Registry["Type"]): Registry["Type"] => ({
  ...registry,
  claim: (session, options) =>
    options.force
      ? registry.claim(session, options)
      : new Busy({ ...options, session, holder: "stopped", reason: "claimed" }),
});

/** tmux whose answers to a reconcile are old when they arrive. */
const slow = (transport: TmuxTransport["Type"]): TmuxTransport["Type"] => ({
  ...transport,
  run: (request) =>
    request.attempted === "reconcile"
      ? Effect.tap(transport.run(request), () => Effect.sleep(600))
      : transport.run(request),
});

/** A program ends, and whoever knows that asks for a reconcile: the row says so behind it. */
const endsThenReconciles: Call = {
  name: "an end, and a reconcile",
  run: (sessions, tmux) =>
    Effect.gen(function* () {
      yield* programEnds.run(sessions, tmux);
      const { after, why } = yield* sessions.reconcile("a");
      const held = why.startsWith("held by");
      return after === "exited" || held ? null : yield* Effect.dieMessage(`it is ${after}`);
    }),
};

/** So many claims of the name that the next has an epoch of two digits. */
const claimed = Array.from({ length: 7 }, () => reconcile);

const alone = { recovers: false };

/** Who may change a name. */
export const claimWorlds: ReadonlyArray<ListedWorld> = [
  {
    ...alone,
    name: "create ∥ delete, with nobody behind them",
    cost: 1,
    before: [create, remove],
    programs: [[create], [later(50, remove)]],
    time: true,
    succeeds: ["create", "delete"],
  },
  {
    ...alone,
    name: "create ∥ reconcile, with nobody behind them",
    cost: 1,
    before: [create, remove],
    programs: [[create], [later(50, reconcile)]],
    time: true,
    succeeds: ["create"],
  },
  {
    ...alone,
    name: "create ∥ reconcile, with an old answer and nobody behind them",
    cost: 1,
    before: [create, remove],
    programs: [[later(50, create)], [reconcile]],
    transport: slow,
    succeeds: ["create"],
  },
  {
    ...alone,
    name: "delete ∥ delete by force, with nobody behind them",
    cost: 1,
    before: [create],
    programs: [[remove], [later(50, removeByForce)]],
    time: true,
  },
  {
    name: "delete and delete by force, of what a stopped program holds",
    cost: 0,
    before: [create],
    programs: [[remove, removeByForce]],
    registry: stoppedHolder,
    succeeds: ["delete, by force"],
  },
  {
    name: "reconcile, and another behind an end",
    cost: 2,
    before: [create],
    programs: [[reconcile, later(50, endsThenReconciles)]],
    time: true,
  },
  {
    ...alone,
    name: "delete behind a create that was refused",
    cost: 0,
    before: [create],
    programs: [[create, idle], [later(500, remove)]],
    succeeds: ["delete"],
  },
  {
    name: "epochs of two digits",
    cost: 0,
    before: [create, remove, unheard, ...claimed],
    programs: [[create]],
    succeeds: ["create"],
  },
];
