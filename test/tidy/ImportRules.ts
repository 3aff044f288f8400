/**
 * ImportRules: the arrows between the packages, and between the modules that have a rank.
 *
 * A package may import what the table gives it and nothing else, and no relative path leaves it.
 * Inside core, `Lifecycle` is pure and only `Sessions` calls the actor. Type imports count: an
 * arrow in the types is an arrow.
 */
import {
  isExportDeclaration,
  isImportDeclaration,
  isStringLiteral,
  type Node,
} from "typescript/unstable/ast";
import { eachNode, type Rule } from "./Rule.js";

/** What a folder may import, beside relative paths within itself. */
const arrows: ReadonlyArray<readonly [folder: string, allowed: RegExp]> = [
  ["packages/core/src/", /^effect(\/.+)?$/],
  ["packages/tmux/src/", /^(effect(\/.+)?|@troupe\/core|node:.+)$/],
  ["packages/sqlite/src/", /^(effect(\/.+)?|@troupe\/core|better-sqlite3|node:.+)$/],
  [
    "packages/node/src/",
    /^(effect(\/.+)?|@troupe\/(core|tmux|sqlite)|@effect\/platform(-node)?\/.+|node:.+)$/,
  ],
  ["packages/testing/src/", /^(effect(\/.+)?|@troupe\/(core|tmux))$/],
  [
    "examples/cli/src/",
    /^(effect(\/.+)?|@troupe\/.+|@effect\/(cli|platform|platform-node)\/.+|get-east-asian-width|node:.+)$/,
  ],
  [
    "examples/host-app/src/",
    /^(effect(\/.+)?|@troupe\/(core|node)|@effect\/platform|@effect\/(platform-node|opentelemetry)\/.+|node:.+)$/,
  ],
  [
    "examples/host-app/",
    /^(effect(\/.+)?|@troupe\/(core|testing)|@effect\/platform|@effect\/vitest|node:.+)$/,
  ],
  ["examples/", /^(effect(\/.+)?|@troupe\/.+|node:.+)$/],
];

/** The module that an import or a re-export names. */
const moduleOf = (node: Node): string | null => {
  if (!isImportDeclaration(node) && !isExportDeclaration(node)) return null;
  const specifier = node.moduleSpecifier;
  return specifier !== undefined && isStringLiteral(specifier) ? specifier.text : null;
};

const leaves = (path: string, folder: string, module: string): boolean =>
  !new URL(module, `file:///${path}`).pathname.slice(1).startsWith(folder);

const packages: Rule = {
  sentence:
    "a package imports what its row in the table of the design allows, and core only effect",
  check: eachNode((node, { path }) => {
    const module = moduleOf(node);
    const arrow = arrows.find(([folder]) => path.startsWith(folder));
    if (module === null || arrow === undefined) return null;
    const [folder, allowed] = arrow;
    if (module.startsWith(".")) return leaves(path, folder, module) ? `${module} leaves` : null;
    return allowed.test(module) ? null : `imports ${module}`;
  }),
  sample: {
    "packages/core/src/A.ts": 'import { X } from "@troupe/tmux";\nexport const a = X;\n',
    "packages/tmux/src/B.ts": 'export * from "../../core/src/Tmux.js";\n',
  },
};

const barrel: Rule = {
  sentence: "the barrel of @effect/platform-node is not imported: it loads an HTTP client",
  check: eachNode((node) =>
    moduleOf(node) === "@effect/platform-node" ? "imports the barrel" : null,
  ),
  sample: { "test/a.ts": 'import { NodeContext } from "@effect/platform-node";\n' },
};

const pure: Rule = {
  sentence: "Lifecycle imports nothing but types",
  check: eachNode((node, { path }) =>
    path === "packages/core/src/Lifecycle.ts" &&
    isImportDeclaration(node) &&
    !/^import type\b/.test(node.getText())
      ? `imports ${moduleOf(node)}`
      : null,
  ),
  sample: { "packages/core/src/Lifecycle.ts": 'import { Effect } from "effect";\n' },
};

const actor: Rule = {
  sentence: "only Sessions and its parts ReconcileAll and Gc import SessionActor",
  check: eachNode((node, { path }) =>
    path.startsWith("packages/") &&
    !/\/(Sessions|ReconcileAll|Gc|index)\.ts$/.test(path) &&
    /\/SessionActor\.js$/.test(moduleOf(node) ?? "")
      ? "imports SessionActor"
      : null,
  ),
  sample: { "packages/core/src/A.ts": 'import type { X } from "./SessionActor.js";\n' },
};

/** Every rule about imports. */
export const importRules: ReadonlyArray<Rule> = [packages, barrel, pure, actor];
