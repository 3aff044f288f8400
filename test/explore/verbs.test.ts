/**
 * Every two verbs that change more than one name's one session, at once, each in a program of its
 * own: there is one door, and no verb goes round it.
 *
 * The sessions' own code on the fake tmux, every schedule of a total cost up to 1, once on a name
 * that is held and once on a free one beside an empty server. The twin has no claims.
 */
import { Explore } from "@troupe/testing";
import { describe, expect, it, vi } from "vitest";
import { create, fails, remove, withoutClaims } from "./SessionCalls.js";
import { type Call, sessionWorld } from "./SessionWorld.js";

vi.setConfig({ testTimeout: 120_000 });

const spec = { session: "a", command: ["sleep", "100000"], cwd: "/" };

/** What `npm run explore` does not hold against each other. */
const verbs: ReadonlyArray<Call> = [
  create,
  { name: "create, replacing", run: (s) => s.create({ ...spec, replace: true }) },
  { name: "delete, by force", run: (s) => s.delete("a", { graceMs: 0, force: true }) },
  { name: "reconcile all", run: (s) => s.reconcileAll },
  { name: "stop the server", run: (s) => s.stopServer },
];

const pairs = verbs.flatMap((first, index) =>
  verbs.slice(index).map((second) => [first, second] as const),
);

/** On a free name only a new session and the end of the server have anything to do. */
const onFree = verbs.filter(({ name }) => /^create|server/.test(name));

describe.each([
  ["a name that is held", [create], verbs],
  ["a free name beside an empty server", [create, remove], onFree],
] as const)("two verbs at once on %s", (_, before, those) => {
  it.each(those)("leave tmux and the registry in agreement: $name and any other", (verb) => {
    let schedules = 0;
    for (const programs of pairs.filter(([a, b]) => a === verb && those.includes(b))) {
      const name = programs.map((call) => call.name).join(" ∥ ");
      const world = sessionWorld({ name, before, programs: programs.map((call) => [call]) });
      const report = Explore.verify(world, { cost: 1 });
      expect(report.budgets.every(({ exhausted }) => exhausted)).toBe(true);
      schedules += report.budgets.reduce((sum, budget) => sum + budget.schedules, 0);
    }
    expect(schedules).toBeGreaterThan(1);
  });
});

describe("two verbs at once without claims", () => {
  it("do not", () => {
    const programs = [[create], [remove]];
    const world = { name: "create ∥ delete, twin", before: [create, remove], programs };
    fails({ ...world, registry: withoutClaims }, 2);
  });
});
