/**
 * KillMatrix: what a home comes to when an operation dies by SIGKILL at one boundary of it.
 *
 * The boundaries are every call to tmux, before and after it took effect, and every commit to the
 * registry; `late` is a call that takes effect when another program has reconciled already, as that
 * of a client does which was killed while the server was busy. A cell has a home of its own.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ReconcileItem } from "@troupe/core";
import { Effect } from "effect";
import { disagreement } from "../explore/Agreement.js";
import { Stage } from "../support/Stage.js";
import { waitFor } from "../support/Waiting.js";
import { Keeper, stray } from "./Keeper.js";
import type { KilledOperation } from "./KilledOperations.js";

/** Where a program dies. */
export interface Boundary {
  readonly at: number;
  readonly of: "call" | "commit";
  readonly when: "before" | "after" | "late";
}

/** What came of a cell: `ended` by itself, before it came to the boundary; or what is wrong. */
export type Outcome = "held" | "ended" | { readonly wrong: string };

/** For NODE_OPTIONS of a program: counts its commits, see there. */
export const countsCommits = `--require=${fileURLToPath(
  new URL("./commits.cjs", import.meta.url),
)}`;

/** A tmux that counts its calls, in files, and kills its caller at one. */
const killer = (stage: Stage, boundary: Boundary | null): string => {
  const at = boundary?.of === "call" ? boundary.at : 0;
  return stage.wrapper(
    "killer",
    `set -C
n=1
while ! { true > "$STAGE/call.$n"; } 2>/dev/null; do n=$((n + 1)); done
set +C
if [ $n = ${at} ]; then
  case ${boundary?.when} in
    before) kill -9 $PPID; exit ;;
    after) $REAL "$@"; kill -9 $PPID; exit ;;
    late) cat > "$STAGE/input"; kill -9 $PPID
      while [ ! -e "$STAGE/go" ]; do sleep 0.01; done
      $REAL "$@" < "$STAGE/input" > "$STAGE/late.out" 2>&1; touch "$STAGE/late.done"; exit ;;
  esac
fi
exec $REAL "$@"`,
  );
};

const run = (stage: Stage, operation: KilledOperation, boundary: Boundary | null) => {
  const at = boundary?.of === "commit" ? { DIE_AT: `${boundary.when} ${boundary.at}` } : {};
  const env = { NODE_OPTIONS: countsCommits, COMMITS: join(stage.directory, "commits") };
  const words = ["--tmux", killer(stage, boundary), ...operation.words];
  return stage.start(words, { env: { ...env, ...at } }).ended;
};

const letGo = async (stage: Stage): Promise<void> => {
  writeFileSync(join(stage.directory, "go"), "");
  await waitFor("the late call", () => existsSync(join(stage.directory, "late.done")));
};

const failureIn = (items: ReadonlyArray<ReconcileItem>): string | null => {
  const failed = items.find(({ outcome }) => outcome._tag === "Left");
  return failed?.outcome._tag === "Left" ? `${failed.session}: ${failed.outcome.left}` : null;
};

/** What is wrong with the home behind one reconcile, and whether a second one finds work. */
const wrongWith = async (keeper: Keeper, { name }: KilledOperation): Promise<string | null> => {
  const failed = failureIn(await Effect.runPromise(keeper.sessions.reconcileAll));
  if (failed !== null) return `reconcile failed: ${failed}`;
  const ending = await keeper.ending({ forgets: name === "gc" });
  const odd = disagreement(ending) ?? stray(ending);
  if (odd !== null) return odd;
  const again = await Effect.runPromise(keeper.sessions.reconcileAll);
  const due = again.find(({ outcome }) => outcome._tag === "Left" || outcome.right.changed);
  return due === undefined ? null : `a second reconcile finds work: ${JSON.stringify(due)}`;
};

/** Plays with a keeper, and clears everything. */
const onHome = async <A>(play: (stage: Stage, keeper: Keeper) => Promise<A>): Promise<A> => {
  const stage = new Stage();
  const keeper = new Keeper(stage);
  try {
    return await play(stage, keeper);
  } finally {
    await keeper.close();
    stage.close();
  }
};

/** How often an operation calls tmux and commits when nothing kills it. */
export const countBoundaries = (operation: KilledOperation) =>
  onHome(async (stage, keeper) => {
    await operation.arrange(keeper, stage);
    const { code, stderr, stdout } = await run(stage, operation, null);
    if (code !== 0) throw new Error(`${operation.name} ended with ${code}: ${stdout}${stderr}`);
    const odd = await wrongWith(keeper, operation);
    if (odd !== null) throw new Error(`${operation.name}: ${odd}`);
    const calls = readdirSync(stage.directory).filter((name) => /^call\.\d+$/.test(name)).length;
    return { calls, commits: Number(readFileSync(join(stage.directory, "commits"), "utf8")) };
  });

/** One cell: the death, one reconcile by another program, and how things are then. */
export const dieAt = (operation: KilledOperation, boundary: Boundary): Promise<Outcome> =>
  onHome(async (stage, keeper): Promise<Outcome> => {
    await operation.arrange(keeper, stage);
    const { code, signal, stderr } = await run(stage, operation, boundary);
    const died = signal === "SIGKILL";
    if (!died && code !== 0) return { wrong: `it ended with ${code}: ${stderr}` };
    let wrong = await wrongWith(keeper, operation);
    if (wrong === null && died && boundary.when === "late") {
      await letGo(stage);
      wrong = await wrongWith(keeper, operation);
    }
    if (wrong !== null) return { wrong };
    return died ? "held" : "ended";
  });

/** The same without the reconcile: what does not agree then. */
export const leftBy = (operation: KilledOperation, boundary: Boundary): Promise<string | null> =>
  onHome(async (stage, keeper) => {
    await operation.arrange(keeper, stage);
    await run(stage, operation, boundary);
    return disagreement(await keeper.ending());
  });
