/**
 * KilledOperations: the operations that die in the kill matrix, and what each finds when it begins.
 *
 * Each is a call of the built command, on a home in which it has everything to do that it can do.
 */
import { Effect } from "effect";
import type { Stage } from "../support/Stage.js";
import { beforeList } from "../support/Wrapper.js";
import { Keeper } from "./Keeper.js";

/** An operation, and what stands in its home before. */
export interface KilledOperation {
  readonly name: string;
  readonly words: ReadonlyArray<string>;
  readonly arrange: (keeper: Keeper, stage: Stage) => Promise<unknown>;
}

const program = ["--start-window", "20ms", "--", "sleep", "86400"];

const nothing = async (): Promise<void> => {};

const withSecond = (keeper: Keeper) =>
  keeper.create("a").pipe(
    Effect.zipRight(
      keeper.sessions.addTerminal({
        session: "a",
        command: ["sleep", "86400"],
        cwd: "/",
        startWindowMs: 0,
      }),
    ),
    Effect.runPromise,
  );

/** Its program was killed, and nobody has looked since. */
const ended = (keeper: Keeper, stage: Stage) =>
  Effect.runPromise(
    Effect.map(keeper.create("a", { log: true }), ({ terminals }) => {
      stage.tmux("set-option", "-w", "-t", "=a:", "remain-on-exit", "on");
      for (const { panePid } of terminals) if (panePid !== null) process.kill(panePid, "SIGKILL");
    }),
  );

/** A session whose program has ended: it is deleted first, and then nothing is left. */
const old = (keeper: Keeper) =>
  Effect.runPromise(
    Effect.map(
      keeper.sessions.create({ session: "a", command: ["true"], cwd: "/", startWindowMs: 200 }),
      ({ state }) => {
        if (state !== "exited") throw new Error(`a is ${state}`);
      },
    ),
  );

/** A creation that was not undone, a delete that was not done, a session that vanished. */
const cutOff = async (keeper: Keeper, stage: Stage): Promise<void> => {
  const tmux = stage.wrapper("never-kills", beforeList("kill-session", "  exit 1"));
  const other = new Keeper(stage, { tmux, settings: { killBoundMs: 1 } });
  await Effect.gen(function* () {
    yield* keeper.create("b");
    yield* keeper.create("c");
    const making = { session: "a", command: ["false"], cwd: "/", startWindowMs: 200 };
    const failures = [
      yield* Effect.flip(other.sessions.create(making)),
      yield* Effect.flip(other.sessions.delete("b", { graceMs: 0, snapshot: false })),
    ].map(({ _tag }) => _tag);
    if (failures.join() !== "KillUnconfirmed,KillUnconfirmed") throw new Error(failures.join());
  }).pipe(Effect.runPromise);
  await other.close();
  stage.tmux("kill-session", "-t", "=c");
};

/** Every operation that changes something. */
export const killedOperations: ReadonlyArray<KilledOperation> = [
  { name: "create", words: ["create", "a", ...program], arrange: nothing },
  {
    name: "addTerminal",
    words: ["terminal", "add", "a", ...program],
    arrange: (keeper) => Effect.runPromise(keeper.create("a")),
  },
  { name: "deleteTerminal", words: ["terminal", "delete", "a", "t2"], arrange: withSecond },
  { name: "delete", words: ["delete", "a"], arrange: withSecond },
  { name: "restore", words: ["restore", "a", "--start-window", "20ms"], arrange: ended },
  { name: "gc", words: ["gc", "--older-than", "0", "--exited", "0"], arrange: old },
  { name: "reconcile", words: ["reconcile"], arrange: cutOff },
];
