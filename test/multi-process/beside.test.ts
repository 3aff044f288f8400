/**
 * `troupe list` and `troupe reconcile` beside a `troupe create` in its start window.
 *
 * No create is disturbed and nothing fails. TROUPE_BESIDE says how often; some are at it at once,
 * so that each reconcile also meets the creates of the others. Every second create is stopped in
 * its window, so that it surely is in it; the others go on as they do.
 */
import { describe, expect, it } from "vitest";
import { onStage, type Stage } from "../support/Stage.js";
import { waitFor } from "../support/Waiting.js";

const times = Number(process.env.TROUPE_BESIDE ?? 10);
const AT_ONCE = 5;

interface Item {
  readonly session: string;
  readonly changed: boolean;
  readonly why: string;
}

/** One create with both beside it; whether the reconcile found it in its start window. */
const createBeside = async (
  stage: Stage,
  { isStopped, name }: { readonly isStopped: boolean; readonly name: string },
): Promise<boolean> => {
  const words = ["create", name, "--start-window", "1500ms", "--", "sleep", "86400"];
  const create = stage.start(words);
  await waitFor("the session", () => stage.sessionsInTmux.includes(name));
  if (isStopped) create.child.kill("SIGSTOP");
  const [list, all, one] = await Promise.all([
    stage.json("list"),
    stage.json("reconcile"),
    stage.json("reconcile", name),
  ]);
  expect([list.code, all.code, one.code]).toEqual([0, 0, 0]);
  const sessions = list.told.result.sessions as ReadonlyArray<{ session: string }>;
  expect(sessions.map(({ session }) => session)).toContain(name);
  const items = [all, one].flatMap(({ told }) => told.result.items as ReadonlyArray<Item>);
  create.child.kill("SIGCONT");
  const own = items.filter(({ session }) => session === name);
  expect(items.filter(({ changed }) => changed)).toEqual([]);
  expect((await create.ended).code).toBe(0);
  const isMet = own.length === 2 && own.every(({ why }) => why.startsWith("held by "));
  expect(isMet || !isStopped).toBe(true);
  return isMet;
};

describe("a create that others list and reconcile beside", () => {
  it(
    `is not disturbed, ${times} times`,
    onStage(async (stage) => {
      const names = Array.from({ length: times }, (_, index) => `n${index}`);
      let met = 0;
      for (let at = 0; at < times; at += AT_ONCE) {
        const some = names.slice(at, at + AT_ONCE);
        const found = await Promise.all(
          some.map((name, index) => createBeside(stage, { name, isStopped: index % 2 === 0 })),
        );
        met += found.filter((inWindow) => inWindow).length;
      }
      console.log(`${met} of ${times} were reconciled in their start window`);
      expect([...stage.sessionsInTmux].sort()).toEqual([...names].sort());
      const { told } = await stage.json("list");
      const sessions = told.result.sessions as ReadonlyArray<Record<string, unknown>>;
      expect(sessions.map(({ seen, state }) => ({ seen, state }))).toEqual(
        names.map(() => ({
          state: "running",
          seen: expect.objectContaining({ state: "present" }),
        })),
      );
    }),
    30_000 + times * 4_000,
  );
});
