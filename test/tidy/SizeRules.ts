/**
 * SizeRules: nothing is longer than a reader can hold.
 *
 * Files, functions, lines and documents have caps; the modules of the packages also have a median
 * and a 95th percentile. A line may be longer than the cap only when a literal or an address that
 * cannot be broken reaches over it. The callback of a `describe` is a chapter and not a function.
 */
import {
  isArrowFunction,
  isCallExpression,
  isFunctionLikeDeclaration,
  isNoSubstitutionTemplateLiteral,
  isRegularExpressionLiteral,
  isStringLiteral,
  isTemplateExpression,
  type Node,
} from "typescript/unstable/ast";
import { eachNode, eachSource, type Rule } from "./Rule.js";
import { lineAt, nodesOf, type Source } from "./Source.js";

const fileLines = 300;
const functionLines = 70;
const columns = 100;
const code = /\.(ts|mts|js|mjs|sh)$|^\.ci\/run$/;

const documentLines: ReadonlyArray<readonly [path: RegExp, lines: number]> = [
  [/^README\.md$/, 140],
  [/^ARCHITECTURE\.md$/, 150],
  [/^CONTRIBUTING\.md$/, 80],
  [/^AGENTS\.md$/, 40],
  [/^docs\/decisions\/.*\.md$/, 40],
];

const files: Rule = {
  sentence: `no file of code has more than ${fileLines} lines`,
  check: eachSource(({ lines, path }) =>
    code.test(path) && lines.length > fileLines
      ? [{ path, line: lines.length, message: `${lines.length} lines` }]
      : [],
  ),
  sample: { "packages/core/src/Long.ts": "// line\n".repeat(fileLines + 1) },
};

const isChapter = (node: Node): boolean =>
  isArrowFunction(node) &&
  isCallExpression(node.parent) &&
  /^(describe|layer|it\.layer)\b/.test(node.parent.expression.getText());

const functions: Rule = {
  sentence: `no function has more than ${functionLines} lines`,
  check: eachNode((node, { tree }) => {
    if (tree === null || !isFunctionLikeDeclaration(node) || isChapter(node)) return null;
    const lines = lineAt(tree, node.end) - lineAt(tree, node.getStart(tree)) + 1;
    return lines > functionLines ? `a function of ${lines} lines` : null;
  }),
  sample: { "test/a.ts": `export const f = () => {\n${"  g();\n".repeat(functionLines)}};\n` },
};

const isLiteral = (node: Node): boolean =>
  isStringLiteral(node) ||
  isNoSubstitutionTemplateLiteral(node) ||
  isTemplateExpression(node) ||
  isRegularExpressionLiteral(node);

/** Whether something that cannot be broken lies over the cap of this line. */
const isUnbreakable = ({ lines, tree }: Source, line: number): boolean => {
  const address = /\S*:\/\/\S+/.exec(lines[line - 1] ?? "");
  if (address !== null && address.index + address[0].length > columns) return true;
  if (tree === null) return false;
  const cap = (tree.getLineStarts()[line - 1] ?? 0) + columns;
  return [...nodesOf(tree)].some((n) => isLiteral(n) && n.getStart(tree) < cap && n.end > cap);
};

const widths: Rule = {
  sentence: `no line of code has more than ${columns} columns`,
  check: eachSource((source) =>
    !code.test(source.path)
      ? []
      : source.lines.flatMap((text, index) =>
          text.length > columns && !isUnbreakable(source, index + 1)
            ? [{ path: source.path, line: index + 1, message: `${text.length} columns` }]
            : [],
        ),
  ),
  sample: { "test/a.ts": `// ${"wide ".repeat(columns / 4)}\n` },
};

const documents: Rule = {
  sentence: "no document is longer than its reader's patience",
  check: eachSource(({ lines, path }) =>
    documentLines
      .filter(([pattern, cap]) => pattern.test(path) && lines.length > cap)
      .map(([, cap]) => ({
        path,
        line: lines.length,
        message: `${lines.length} lines, cap ${cap}`,
      })),
  ),
  sample: { "AGENTS.md": "word\n".repeat(41) },
};

const shares: ReadonlyArray<readonly [share: number, lines: number]> = [
  [0.5, 100],
  [0.95, 200],
];

const modules: Rule = {
  sentence: "half of the modules have at most 100 lines and 95 % of them at most 200",
  check: (sources) => {
    const sorted = sources
      .filter(({ path }) => /\/src\/.*\.ts$/.test(path))
      .sort((a, b) => a.lines.length - b.lines.length);
    return shares.flatMap(([share, cap]) => {
      const source = sorted[Math.floor(share * (sorted.length - 1))];
      if (source === undefined || source.lines.length <= cap) return [];
      const { lines, path } = source;
      const message = `${100 * share} % of the modules reach ${lines.length} lines, cap ${cap}`;
      return [{ path, line: 1, message }];
    });
  },
  sample: { "packages/core/src/A.ts": "// line\n".repeat(101) },
};

/** Every rule about size. */
export const sizeRules: ReadonlyArray<Rule> = [files, functions, widths, documents, modules];
