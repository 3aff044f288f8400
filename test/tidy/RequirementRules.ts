/**
 * RequirementRules: what tests are said to show: the map from requirements to tests is whole, and
 * true as far as names go.
 *
 * Each number of the requirements about create, teardown, destroy, reconcile, leases and
 * attachments, and each case that people report, has one row, and each test that a row names stands
 * in its file under exactly that title. A row names a title alone or with the titles around it; one
 * that fits two tests is a finding. Whether the test shows what its row says is for a reader to
 * judge.
 */
import {
  isCallExpression,
  isIdentifier,
  isNoSubstitutionTemplateLiteral,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isStringLiteral,
  isTemplateExpression,
  type Node,
} from "typescript/unstable/ast";
import { eachSource, type Finding, type Rule } from "./Rule.js";
import type { Source } from "./Source.js";

const map = "test/requirements.md";

/** The numbers whose tests come with what they are about. One that has a row is a finding. */
const unmapped: ReadonlyArray<string> = [];

const range = (letter: string, first: number, last: number): ReadonlyArray<string> =>
  Array.from({ length: last - first + 1 }, (_, index) => `${letter}${first + index}`);

/** The cases that people report, and what was measured: numbers that have gaps. */
const cases: ReadonlyArray<string> = [
  "01 02 03 04 05 06 07 08 09 11 12 13 14 15 17 18 19 22 23 24 25 27 28 29 30 31 33 35 37 38",
  "39 42 44 45 46 48 49 50 51 53 55 58",
]
  .flatMap((line) => line.split(" "))
  .map((number) => `C${number}`)
  .concat("L5", "L6");

const numbers: ReadonlyArray<string> = [
  ...range("T", 1, 100),
  ...range("D", 1, 34),
  ..."ABCDEFGHIJKLM",
  ...cases,
  ...range("R", 1, 63),
];

/** A row of the map: its number, what stands in its second cell, and its line. */
interface Row {
  readonly number: string;
  readonly cell: string;
  readonly line: number;
}

const rowsOf = ({ lines }: Source): ReadonlyArray<Row> =>
  lines.flatMap((text, index) => {
    const [, number, cell] = /^\| ([TDR]\d+|C\d\d|L\d|[A-M]) \| (.*) \|$/.exec(text) ?? [];
    return number === undefined || cell === undefined ? [] : [{ number, cell, line: index + 1 }];
  });

const eachMap = (check: (rows: ReadonlyArray<Row>) => ReadonlyArray<Omit<Finding, "path">>) =>
  eachSource((source) =>
    source.path === map ? check(rowsOf(source)).map((finding) => ({ path: map, ...finding })) : [],
  );

const whole: Rule = {
  sentence: "every number of the requirements has one row in the map",
  check: eachMap((rows) => {
    const counted = numbers.flatMap((number) => {
      const [first, second] = rows.filter((row) => row.number === number);
      const line = second?.line ?? first?.line ?? 1;
      if (second !== undefined) return [{ line, message: `${number} has two rows` }];
      if ((first === undefined) === unmapped.includes(number)) return [];
      const message = first === undefined ? "has no row" : "need not be listed as unmapped";
      return [{ line, message: `${number} ${message}` }];
    });
    const unknown = rows
      .filter(({ number }) => !numbers.includes(number))
      .map(({ line, number }) => ({ line, message: `${number} is no number of these` }));
    return [...counted, ...unknown];
  }),
  sample: {
    [map]: `${numbers.map((n) => `| ${n === "D7" ? "D6" : n} | cannot arise: no |`).join("\n")}\n`,
  },
};

/** `it` or `test` under any chain of properties and calls, or the word for a case of a contract. */
const isNaming = (node: Node): boolean =>
  isPropertyAccessExpression(node) || isCallExpression(node)
    ? isNaming(node.expression)
    : isIdentifier(node) && /^(it|test|named)$/.test(node.text);

const literalOf = (node: Node | undefined): string | null => {
  if (node === undefined) return null;
  if (isStringLiteral(node) || isNoSubstitutionTemplateLiteral(node)) return node.text;
  return isTemplateExpression(node) ? node.getText().slice(1, -1) : null;
};

/** The titles that the tests of a text go by, each alone and behind the titles around it. */
const titlesIn = (node: Node, around: string): ReadonlyArray<string> => {
  const call = isCallExpression(node) ? node : null;
  const literal = literalOf(call?.arguments[0]);
  const own: Array<string> = [];
  if (call !== null && literal !== null && isNaming(call.expression)) own.push(literal);
  if (isPropertyAssignment(node) && /^(name|sentence)$/.test(node.name.getText())) {
    own.push(literalOf(node.initializer) ?? "");
  }
  const chapter = call !== null && /^describe\b/.test(call.expression.getText());
  const inside = chapter && literal !== null ? `${around}${literal} ` : around;
  const children: Array<Node> = [];
  node.forEachChild((child) => {
    children.push(child);
    return undefined;
  });
  return [
    ...own.flatMap((title) => (around === "" ? [title] : [title, around + title])),
    ...children.flatMap((child) => titlesIn(child, inside)),
  ];
};

const entry = /^(\S+\.ts) › "([^"]+)"$/;

const verdictOf = (text: string, sources: ReadonlyMap<string, Source>): string | null => {
  if (/^cannot arise: ./.test(text)) return null;
  const [, path, title] = entry.exec(text) ?? [];
  if (path === undefined || title === undefined) return `not PATH › "TITLE": ${text}`;
  const tree = sources.get(path)?.tree ?? null;
  if (tree === null) return `there is no ${path}`;
  const found = titlesIn(tree, "").filter((own) => own === title).length;
  if (found === 1) return null;
  return found === 0 ? `no test of ${path} is "${title}"` : `"${title}" fits ${found} in ${path}`;
};

const named: Rule = {
  sentence: "every test that the map names exists",
  check: (sources) => {
    const byPath = new Map(sources.map((source) => [source.path, source]));
    return eachMap((rows) =>
      rows
        .flatMap(({ cell, line }) =>
          cell.split("<br>").map((text) => ({ text: text.trim(), line })),
        )
        .flatMap(({ line, text }) => {
          const message = verdictOf(text, byPath);
          return message === null ? [] : [{ line, message }];
        }),
    )(sources);
  },
  sample: { [map]: '| T1 | test/core/A.test.ts › "runs away" |\n' },
  beside: { "test/core/A.test.ts": 'it.effect("runs", () => undefined);\n' },
};

const promises: Rule = {
  sentence: "every promise of the README names a test that exists",
  check: (sources) => {
    const paths = new Set(sources.map(({ path }) => path));
    return eachSource(({ lines, path }) => {
      if (path !== "README.md") return [];
      const start = lines.indexOf("## What you can rely on");
      const end = lines.findIndex((text, index) => index > start && text.startsWith("## "));
      return lines.flatMap((text, index) => {
        if (index < start || index > end || !text.startsWith("- ")) return [];
        const [, test = ""] = /\]\((test\/[^)]+)\)/.exec(text) ?? [];
        return paths.has(test) ? [] : [{ path, line: index + 1, message: text }];
      });
    })(sources);
  },
  sample: { "README.md": "## What you can rely on\n\n- It is fast.\n\n## Install\n" },
};

/** Every rule about what tests are said to show. */
export const requirementRules: ReadonlyArray<Rule> = [whole, named, promises];
