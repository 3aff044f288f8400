/**
 * TextRules: what every module and document opens with, shows and must not tell.
 *
 * A module opens with a comment that says what it is; an exported name has a comment that says
 * what its type cannot. TypeScript in a README is an excerpt of a program that is run. No text
 * knows the machine it was written on.
 */
import { homedir } from "node:os";
import {
  isClassDeclaration,
  isFunctionDeclaration,
  isInterfaceDeclaration,
  isTypeAliasDeclaration,
  isVariableStatement,
  type Node,
  type SourceFile,
  SyntaxKind,
} from "typescript/unstable/ast";
import { eachSource, type Finding, type Rule } from "./Rule.js";
import { lineAt, type Source } from "./Source.js";

const isModule = (path: string): boolean =>
  /^(packages\/[^/]+\/src|examples|test)\/.*\.ts$/.test(path);

/** The lines of the comment that a text opens with. */
const headerOf = ({ text }: Source): ReadonlyArray<string> => {
  const header = /^(?:#!.*\n)?\/\*\*([\s\S]*?)\*\//.exec(text)?.[1] ?? "";
  return header === "" ? [] : header.trim().split("\n");
};

const smallModule = 40;

const headers: Rule = {
  sentence: "every module opens with a comment: what it is, how it behaves, what it is not",
  check: eachSource((source) => {
    const { lines, path } = source;
    if (!isModule(path) || path.endsWith(".test.ts")) return [];
    const { length } = headerOf(source);
    const least = lines.length <= smallModule ? 1 : 3;
    const message = `a header of ${length} lines, not ${least} to 8`;
    return length < least || length > 8 ? [{ path, line: 1, message }] : [];
  }),
  sample: { "packages/core/src/A.ts": 'import { Effect } from "effect";\n' },
};

/** The name that an exported declaration gives, or `null` for anything else. */
const exportedName = (node: Node): string | null => {
  if (isVariableStatement(node)) {
    const exported = node.modifiers?.some((m) => m.kind === SyntaxKind.ExportKeyword) ?? false;
    return exported ? (node.declarationList.declarations[0]?.name.getText() ?? null) : null;
  }
  const declared =
    isFunctionDeclaration(node) ||
    isClassDeclaration(node) ||
    isInterfaceDeclaration(node) ||
    isTypeAliasDeclaration(node);
  if (!declared || !(node.modifiers?.some((m) => m.kind === SyntaxKind.ExportKeyword) ?? false)) {
    return null;
  }
  return node.name?.text ?? null;
};

/** Whether a comment stands right above; one comment may stand above a group without gaps. */
const hasComment = (text: string, start: number, tree: SourceFile): boolean => {
  const before = text.slice(0, start);
  if (before.trimEnd().endsWith("*/")) return true;
  const above = tree.statements.find((node) => node.end === before.trimEnd().length);
  return above !== undefined && exportedName(above) !== null && /[^\n]\n$/.test(before)
    ? hasComment(text, above.getStart(tree), tree)
    : false;
};

const undocumented = ({ path, text, tree }: Source): ReadonlyArray<Finding> => {
  if (tree === null || !/^packages\/[^/]+\/src\/|^examples\//.test(path)) return [];
  const seen = new Set<string>();
  return tree.statements.flatMap((node) => {
    const name = exportedName(node);
    if (name === null || seen.has(name)) return [];
    seen.add(name);
    const start = node.getStart(tree);
    if (hasComment(text, start, tree)) return [];
    return [{ path, line: lineAt(tree, start), message: name }];
  });
};

const documented: Rule = {
  sentence: "every exported name has a comment",
  check: eachSource(undocumented),
  sample: {
    "packages/core/src/A.ts": "/** What it is. */\n\nexport const a = 1;\n\nexport const b = 2;\n",
  },
};

const dedent = (text: string): string => {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const indent = Math.min(...lines.map((line) => line.length - line.trimStart().length));
  return text
    .split("\n")
    .map((line) => line.slice(indent).trimEnd())
    .join("\n")
    .trim();
};

/** Every marked region of a text. */
const regionsOf = ({ text }: Source): ReadonlyArray<string> =>
  [...text.matchAll(/^[ \t]*\/\/ #region .*\n([\s\S]*?)^[ \t]*\/\/ #endregion/gm)].map((match) =>
    dedent(match[1] ?? ""),
  );

const excerpts: Rule = {
  sentence: "every ts block of a README is a marked region of an example",
  check: (sources) => {
    const regions = new Set(
      sources.filter(({ path }) => path.startsWith("examples/")).flatMap(regionsOf),
    );
    return sources
      .filter(({ path }) => /(^|\/)README\.md$/.test(path))
      .flatMap(({ path, text }) =>
        [...text.matchAll(/^```(?:ts|typescript)\b.*\n([\s\S]*?)^```/gm)]
          .filter((match) => !regions.has(dedent(match[1] ?? "")))
          .map((match) => ({
            path,
            line: text.slice(0, match.index).split("\n").length,
            message: "this block is no region of any example",
          })),
      );
  },
  sample: {
    "README.md": "```ts\nconst a = 1;\n```\n",
  },
  beside: { "examples/a.ts": "// #region other\nconst a = 2;\n// #endregion\n" },
};

const literally = (path: string): RegExp =>
  new RegExp(`${path.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?![\\w.-])`);

/** What tells of this machine, or of any; the patterns do not match this text. */
const machine = (top: string): ReadonlyArray<RegExp> => [
  ...[top, homedir()].filter((path) => path.length > 5).map(literally),
  /(?<![\w.$}])\/(?:Users|root)\/[\w.-]+/,
  /\bregistry\.(?:npmjs|yarnpkg)\b/,
  /"resolved": "(?!file:|packages|examples)[a-z+]+:/,
  /^(?:@[\w-]+:)?registry\s*=/,
];

const places = (top: string): Rule => ({
  sentence: "no text knows a path of a machine or the host of a registry",
  check: eachSource(({ lines, path }) =>
    lines.flatMap((text, index) =>
      machine(top).some((pattern) => pattern.test(text))
        ? [{ path, line: index + 1, message: text.trim().slice(0, 80) }]
        : [],
    ),
  ),
  sample: {
    "docs/a.md": `see ${["", "Users", "ann", "troupe"].join("/")}\n`,
    ".npmrc": `${"registry"}=https://mirror.example/\n`,
  },
});

/** Every rule about text; `top` is where the repository lies on this machine. */
export const textRules = (top: string): ReadonlyArray<Rule> => [
  headers,
  documented,
  excerpts,
  places(top),
];
