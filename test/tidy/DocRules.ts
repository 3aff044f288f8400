/**
 * DocRules: what the guides say of this repository is there.
 *
 * A guide names files, not what once stood in them: each path that it names is one of the texts, or
 * a folder of some. Each promise has a chapter with its tests. Each entry point of a package has an
 * example that imports it, and that the tests run. Decisions tell what was, and are left alone.
 */
import { eachSource, type Rule } from "./Rule.js";
import type { Source } from "./Source.js";

const isGuide = (path: string): boolean => /^(docs\/)?[\w-]+\.md$/.test(path);

/** What is made and not kept. */
const generated = /^docs\/api\b|\/dist\b/;

const named = /(?<![\w./@<>-])(?:packages|test|examples|docs|bench|\.ci)\/[\w./-]*\w/g;
const linked = /\]\((?!https?:|#)([^)#\s]+)/g;

/** A path as the guide means it: a link starts where the guide lies. */
const fromGuide = (guide: string, link: string): string =>
  new URL(link, `file:///${guide}`).pathname.slice(1);

const pathsIn = (guide: string, text: string): ReadonlyArray<string> => [
  ...[...text.matchAll(linked)].map(([, link = ""]) => fromGuide(guide, link)),
  ...[...text.replace(linked, "](").matchAll(named)].map(([path]) => path),
];

const isThere = (paths: ReadonlySet<string>, path: string): boolean =>
  paths.has(path) || [...paths].some((one) => one.startsWith(`${path.replace(/\/$/, "")}/`));

const exists: Rule = {
  sentence: "every path that a guide names exists",
  check: (sources) => {
    const paths = new Set(sources.map(({ path }) => path));
    return eachSource(({ lines, path: guide }) =>
      isGuide(guide)
        ? lines.flatMap((text, index) =>
            pathsIn(guide, text)
              .filter((path) => !generated.test(path) && !isThere(paths, path))
              .map((message) => ({ path: guide, line: index + 1, message })),
          )
        : [],
    )(sources);
  },
  sample: {
    "docs/a.md": "It stands in packages/core/src/Nowhere.ts.\n",
    "docs/b.md": "See [the text](../docs/none.md).\n",
  },
  beside: { "packages/core/src/A.ts": "/** A. */\nexport const a = 1;\n" },
};

/** The promises, in the order of their numbers. */
const promises = Array.from({ length: 11 }, (_, index) => `P${index + 1}`);
const guideOfPromises = "docs/promises.md";

/** The lines of each chapter of a text, by the first word of its title. */
const chaptersOf = ({ lines }: Source): ReadonlyMap<string, ReadonlyArray<string>> => {
  const chapters = new Map<string, Array<string>>();
  let last = "";
  for (const line of lines) {
    const [, word] = /^## (\w+)/.exec(line) ?? [];
    if (word !== undefined) chapters.set(word, []);
    last = word ?? last;
    chapters.get(last)?.push(line);
  }
  return chapters;
};

const promised: Rule = {
  sentence: "every promise has a chapter that names tests of it, and worlds",
  check: (sources) => {
    const guide = sources.find(({ path }) => path === guideOfPromises);
    const chapters = guide === undefined ? new Map() : chaptersOf(guide);
    return promises.flatMap((promise) => {
      const text = chapters.get(promise)?.join("\n") ?? "";
      const wanted: ReadonlyArray<readonly [string, RegExp]> = [
        ["tests", /\btest\/(core|real|cli|contract|multi-process)\/[\w.]+\.test\.ts/],
        ["worlds", /\btest\/explore\/\w+\.(test\.)?ts/],
      ];
      return wanted
        .filter(([, pattern]) => !pattern.test(text))
        .map(([what]) => ({ path: guideOfPromises, line: 1, message: `${promise}: no ${what}` }));
    });
  },
  sample: { [guideOfPromises]: "## P1 Delete is true\n\ntest/core/Delete.test.ts\n" },
};

/** What of a package can be imported, by the name that it is imported by. */
const entriesOf = ({ path, text }: Source): ReadonlyArray<string> => {
  const { exports = {}, name } = JSON.parse(text);
  return /^packages\/[^/]+\/package\.json$/.test(path)
    ? Object.keys(exports).map((entry) => entry.replace(/^\./, name))
    : [];
};

const shown: Rule = {
  sentence: "every entry point of a package is imported by an example that the tests run",
  check: (sources) => {
    const tests = sources.find(({ path }) => path === "test/cli/examples.test.ts")?.text ?? "";
    const run = sources.filter(({ path }) => {
      const [, name] = /^examples\/([\w-]+)\.ts$/.exec(path) ?? [];
      return name !== undefined && tests.includes(`"${name}.js"`);
    });
    return sources
      .filter(({ path }) => path.endsWith("package.json"))
      .flatMap((source) =>
        entriesOf(source)
          .filter((entry) => !run.some(({ text }) => text.includes(`from "${entry}"`)))
          .map((entry) => ({ path: source.path, line: 1, message: `${entry} has no example` })),
      );
  },
  sample: { "packages/a/package.json": '{ "name": "@troupe/a", "exports": { ".": {} } }\n' },
  beside: {
    "examples/a.ts": 'import "@troupe/a";\nimport { a } from "@troupe/a";\n',
    "test/cli/examples.test.ts": 'run("b.js");\n',
  },
};

/** Every rule about the guides. */
export const docRules: ReadonlyArray<Rule> = [exists, promised, shown];
