/**
 * CallRules: what may be called only where the world is let in.
 *
 * Time, chance, the environment, files and processes belong to adapters and to the mains, each
 * listed by name with what it may use; everywhere else they come through a port or through Effect.
 * A list entry that its file does not use any more is itself a finding, so the lists only shrink.
 */
import {
  isCallExpression,
  isIdentifier,
  isImportDeclaration,
  isNewExpression,
  isPropertyAccessExpression,
  type Node,
  SyntaxKind,
} from "typescript/unstable/ast";
import { adapters, type World } from "./adapters.js";
import { eachNode, type Rule } from "./Rule.js";
import { nodesOf, type Source } from "./Source.js";

const property = (node: Node, owner: RegExp, name: RegExp): boolean =>
  isPropertyAccessExpression(node) &&
  owner.test(node.expression.getText()) &&
  name.test(node.name.text);

const called = (node: Node, name: RegExp): boolean =>
  isCallExpression(node) && isIdentifier(node.expression) && name.test(node.expression.text);

const imports = (node: Node, module: RegExp): boolean =>
  isImportDeclaration(node) && module.test(node.moduleSpecifier.getText().slice(1, -1));

/** How a use of the world looks. */
const looks: Readonly<Record<World, (node: Node) => boolean>> = {
  clock: (node) =>
    property(node, /^(Date|performance)$/, /^now$/) ||
    property(node, /^process$/, /^(hrtime|uptime)$/) ||
    (isNewExpression(node) && node.expression.getText() === "Date"),
  chance: (node) =>
    property(node, /^Math$/, /^random$/) ||
    property(node, /^crypto$/, /^random/) ||
    (imports(node, /^node:crypto$/) && /random/i.test(node.getText())),
  timer: (node) =>
    called(node, /^set(Timeout|Interval|Immediate)$/) || imports(node, /^(node:)?timers\b/),
  environment: (node) => property(node, /^process$/, /^env$/),
  files: (node) => imports(node, /^(node:)?fs(\/promises)?$/),
  processes: (node) =>
    imports(node, /^(node:)?(child_process|worker_threads|cluster)$/) ||
    property(node, /^process$/, /^kill$/),
  run: (node) => property(node, /^Effect$/, /^run(Sync|Promise|Fork|Callback)(Exit)?$/),
  fork: (node) => property(node, /^Effect$/, /^forkDaemon$/),
};

const isProduct = (path: string): boolean => /^(packages\/[^/]+\/src|examples)\//.test(path);

const used = (source: Source, world: World): boolean =>
  source.tree !== null && [...nodesOf(source.tree)].some(looks[world]);

const uses: Rule = {
  sentence: "clock, chance, timers, environment, files, processes and runs stay in their adapters",
  check: (sources) => [
    ...eachNode((node, { path }) => {
      if (!isProduct(path)) return null;
      const allowed = adapters[path] ?? [];
      const worlds = Object.keys(looks) as ReadonlyArray<World>;
      const found = worlds.find((world) => !allowed.includes(world) && looks[world](node));
      return found === undefined ? null : `${found}: ${node.getText().split("\n")[0]}`;
    })(sources),
    ...sources.flatMap((source) =>
      (adapters[source.path] ?? [])
        .filter((world) => !used(source, world))
        .map((world) => ({
          path: source.path,
          line: 1,
          message: `may use ${world}, and does not`,
        })),
    ),
  ],
  sample: {
    "packages/core/src/A.ts": "export const now = () => Date.now();\n",
    "packages/core/src/B.ts": "export const now = () => new Date();\n",
    "packages/core/src/C.ts": "export const n = Math.random();\n",
    "packages/core/src/D.ts": "setTimeout(() => undefined, 1);\n",
    "packages/core/src/E.ts": "export const home = process.env.HOME;\n",
    "packages/core/src/F.ts": 'import * as fs from "node:fs/promises";\nexport const a = fs;\n',
    "packages/core/src/G.ts": 'import { spawn } from "node:child_process";\nspawn("ls");\n',
    "packages/core/src/H.ts": "Effect.runFork(program);\n",
    "packages/core/src/I.ts": "export const a = Effect.forkDaemon(program);\n",
    "examples/quickstart.ts": "export const nothing = 1;\n",
  },
};

const any: Rule = {
  sentence: "nothing has the type any",
  check: eachNode((node) => (node.kind === SyntaxKind.AnyKeyword ? "any" : null)),
  sample: { "test/a.ts": "export const a = 1 as any;\n" },
};

/** Every rule about calls. */
export const callRules: ReadonlyArray<Rule> = [uses, any];
