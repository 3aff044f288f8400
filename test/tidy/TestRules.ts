/**
 * TestRules: tests are all run, once, and as fast as what they test.
 *
 * Nothing is left out or retried. Deterministic folders know no real time at all; the others wait
 * for facts, and the timers for that stand in one file each. A module of core that has code has
 * tests of its name; the exceptions are listed, and an entry that is not needed is a finding.
 */
import {
  isCallExpression,
  isFunctionLikeDeclaration,
  isIdentifier,
  isImportDeclaration,
  isPropertyAccessExpression,
  isPropertyAssignment,
  type Node,
} from "typescript/unstable/ast";
import { eachNode, type Rule } from "./Rule.js";
import { nodesOf, type Source } from "./Source.js";
import { untestedModules } from "./untested.js";

const isOfTests = (path: string): boolean => /^(examples\/[^/]+\/)?test\//.test(path);
const isTest = (path: string): boolean => isOfTests(path) && path.endsWith(".test.ts");
const isDeterministic = (path: string): boolean =>
  /^test\/(core|explore)\/|^examples\/[^/]+\/test\/|^test\/contract\/.*\.fake\.test\.ts$/.test(
    path,
  );

/** `it`, `test` or `describe` in front of any chain of properties. */
const isRunner = (node: Node): boolean =>
  isPropertyAccessExpression(node)
    ? isRunner(node.expression)
    : isIdentifier(node) && /^(it|test|describe|suite)$/.test(node.text);

const leftOut: Rule = {
  sentence: "no test is left out",
  check: eachNode((node, { path }) =>
    isOfTests(path) &&
    isPropertyAccessExpression(node) &&
    /^(only|skip|todo|fails)$/.test(node.name.text) &&
    isRunner(node.expression)
      ? node.getText()
      : null,
  ),
  sample: { "test/core/A.test.ts": 'it.effect.skip("runs", () => undefined);\n' },
};

const retries: Rule = {
  sentence: "no test is retried",
  check: eachNode((node, { path }) => {
    if (!isOfTests(path) && path !== "vitest.config.ts") return null;
    if (isPropertyAccessExpression(node) && node.name.text === "flakyTest") return "flakyTest";
    if (!isPropertyAssignment(node) || !/^(retry|repeats)$/.test(node.name.getText())) return null;
    return node.initializer.getText() === "0" ? null : node.getText();
  }),
  sample: { "test/real/A.test.ts": 'it("runs", { retry: 2 }, () => undefined);\n' },
};

const realTime = (node: Node): boolean =>
  (isCallExpression(node) && /^(set(Timeout|Interval))$/.test(node.expression.getText())) ||
  (isPropertyAccessExpression(node) &&
    /^(it\.(live|scopedLive)|Date\.now|performance\.now|Math\.random)$/.test(node.getText()));

const virtual: Rule = {
  sentence: "deterministic tests know neither real time nor chance",
  check: eachNode((node, { path }) =>
    isDeterministic(path) && realTime(node) ? (node.getText().split("\n")[0] ?? "") : null,
  ),
  sample: {
    "test/core/A.test.ts": 'it.live("runs", () => Effect.sleep("1 second"));\n',
    "examples/a/test/a.test.ts": "export const now = Date.now();\n",
  },
};

const sleeps: Rule = {
  sentence: "tests that meet the world wait for facts and do not sleep",
  check: eachNode((node, { path }) =>
    isTest(path) &&
    !isDeterministic(path) &&
    isCallExpression(node) &&
    /^(Effect\.(sleep|delay)|setTimeout|setInterval)$/.test(node.expression.getText())
      ? (node.getText().split("\n")[0] ?? "")
      : null,
  ),
  sample: { "test/cli/a.test.ts": 'const a = Effect.sleep("1 second");\n' },
};

const starts: Rule = {
  sentence: "deterministic tests start no process, so a run without tmux is one of folders",
  check: eachNode((node, { path }) =>
    isDeterministic(path) &&
    isImportDeclaration(node) &&
    /child_process|worker_threads|cluster/.test(node.moduleSpecifier.getText())
      ? node.getText()
      : null,
  ),
  sample: { "test/explore/A.ts": 'import { spawn } from "node:child_process";\nspawn("tmux");\n' },
};

const hasCode = ({ tree }: Source): boolean =>
  tree !== null && [...nodesOf(tree)].some(isFunctionLikeDeclaration);

const tested: Rule = {
  sentence: "every module of core that has code has a test file of its name",
  check: (sources) => {
    const paths = new Set(sources.map(({ path }) => path));
    const untested = sources
      .filter((source) => /^packages\/core\/src\/(?!index\.)/.test(source.path) && hasCode(source))
      .map(({ path }) => path.replace(/^.*\/(.*)\.ts$/, "$1"))
      .filter((module) => !paths.has(`test/core/${module}.test.ts`));
    const missing = untested.filter((module) => !untestedModules.includes(module));
    const needless = untestedModules.filter((module) => !untested.includes(module));
    return [
      ...missing.map((m) => ({
        path: `packages/core/src/${m}.ts`,
        line: 1,
        message: `wants test/core/${m}.test.ts`,
      })),
      ...needless.map((m) => ({
        path: "test/tidy/untested.ts",
        line: 1,
        message: `${m} need not be listed`,
      })),
    ];
  },
  sample: { "packages/core/src/Fresh.ts": "export const f = () => 1;\n" },
};

/** Every rule about tests. */
export const testRules: ReadonlyArray<Rule> = [leftOut, retries, virtual, sleeps, starts, tested];
