/**
 * slim: what the bundler is told so that a call reads and evaluates little.
 *
 * Each edit keeps what a source means, and is made for the versions that are pinned: one that finds
 * nothing to edit ends the build, so that none is lost unnoticed. A tree that was compiled and not
 * bundled runs from the sources as they are.
 */
import { readFileSync } from "node:fs";
import promises from "node:fs/promises";
import { lateParseResult, lateSchema } from "./late.mjs";

const idle = new Set();

/** An edit of the sources whose path matches. */
const edit = (filter, change) => {
  idle.add(String(filter));
  const onLoad = ({ path }) => {
    const source = readFileSync(path, "utf8");
    const contents = change(source);
    if (contents !== source) idle.delete(String(filter));
    return { contents, loader: "js" };
  };
  return { name: String(filter), setup: (build) => build.onLoad({ filter }, onLoad) };
};

/** Fails when an edit had no effect on any source. */
export const requireEdits = () => {
  if (idle.size > 0) throw new Error(`there is nothing to edit any more in ${[...idle]}`);
};

const fromBarrel = (name) => {
  const [theirs, ours = theirs] = name.split(" as ");
  return /^[A-Z]/.test(theirs)
    ? `import * as ${ours} from "effect/${theirs}";`
    : `import { ${name} } from "effect/Function";`;
};

/** Only of what is imported from the module itself does the bundler see which parts are used. */
const direct = (source) =>
  source.replace(/^import \{([^}]+)\} from "effect";/gm, (_, names) =>
    (names.match(/\w[^,]*\w/g) ?? []).map(fromBarrel).join(" "),
  );

/** What few calls need is in a file of its own, with a copy of what it imports. */
const isSeldom = (id) => /^\.{1,2}\/(completions|demo)\//.test(id);

const found = new Set();

/** What is in that file, by what it is imported as. */
export const seldom = () => [...found];

/** What is loaded later gets a scope of its own with all that it imports: here it is in ours. */
const whole = (source) => {
  const imports = [];
  const body = source.replace(/\bimport\("([^"]+)"\)/g, (_, id) => {
    if (isSeldom(id)) {
      found.add(id);
      return `__load("seldom")["${id}"]()`;
    }
    imports.push(`import * as late${imports.length} from "${id}";`);
    return `Promise.resolve(late${imports.length - 1})`;
  });
  return imports.join(" ") + body;
};

/** What is done to our own sources, behind what one bundle alone wants. */
const own = (change = (source) => source) =>
  edit(/(packages\/\w+|examples\/cli)\/dist\/.*\.js$/, (source) => whole(direct(change(source))));

/** The source changed, which it must be somewhere. */
const changed = (what, source, pattern, change) => {
  const contents = source.replace(pattern, change);
  if (contents !== source) idle.delete(what);
  return contents;
};

/** Only these commands, and nothing that hosts sessions, which none of them does. */
const fewer = (words) => {
  const [commands, hosting] = ["the list of commands", "what hosts sessions"];
  idle.add(commands).add(hosting);
  return (source) => {
    const guest = changed(hosting, source, /(export const Troupe = \{[^}]*?)\n +layer,/, "$1");
    if (!source.includes("export const commands = [")) return guest;
    const kept = [];
    const imported = /^import \{ (\w+) \} from "\.\/commands\/(\w+)\.js";\n/gm;
    const alone = source.replace(imported, (line, name, word) => {
      if (!words.includes(word)) return "";
      kept.push(name);
      return line;
    });
    return changed(commands, alone, /(export const commands = )\[[^\]]*\]/, `$1[${kept}]`);
  };
};

const schemaCall = /(?<![\w$./])([A-Z][\w$]*\.(?:pipe|annotations)\()/g;

/** Marks calls that only make a schema, so that schemas that nobody uses are left out. */
const pure = (line) =>
  line.trimStart().startsWith("*") ? line : line.replace(schemaCall, "/* @__PURE__ */$1");

/** Fields that are there for a type alone; a thousand classes would be given each of them. */
const isTypeAlone = (line) => /^ *static (Type|Encoded|Context);$/.test(line);

const schema = edit(/effect\/dist\/esm\/Schema\.js$/, (source) =>
  lateSchema(source)
    .split("\n")
    .filter((line) => !isTypeAlone(line))
    .map(pure)
    .join("\n"),
);

const parser = edit(/effect\/dist\/esm\/ParseResult\.js$/, lateParseResult);

/** To see how the engine inlines, a stack would be written, and the whole bundle parsed for it. */
const stackless = edit(/effect\/dist\/esm\/Utils\.js$/, (source) =>
  source.replace("new Error().stack", '""'),
);

/**
 * Effect's smaller brother is in it for a program that runs effects of it, and how long a fiber
 * lived is put among 35 lengths of time: this program has none, and counts none.
 */
const alone = edit(/effect\/dist\/esm\/internal\/fiberRuntime\.js$/, (source) =>
  source
    .replace(/^ {2}\["Micro"\]\(op\) \{[\s\S]*?^ {2}\}\n/m, "")
    .replace("count: 35", "count: 1"),
);

/** How many arguments a generator takes is told of its function, and asked by nobody. */
const lengths = edit(/effect\/dist\/esm\/internal\/core\.js$/, (source) =>
  source.replace(
    /(fnUntraced = .* => )Object\.defineProperty(\([\s\S]*?^\}), "length", \{[^}]*\}\);/m,
    "$1$2);",
  ),
);

/** How a function that may be given its first argument last takes the others. */
const others = ["a", "a, b", "a, b, c", "a, b, c, d"];
const takers = others.map(
  (a, at) => `const take${at} = (body, ${a}) => (self) => body(self, ${a});`,
);

/** One that is given all of them at once keeps none: what would keep them is made elsewhere. */
const dual = edit(/effect\/dist\/esm\/Function\.js$/, (source) => {
  const later = /return function \(self\) \{\s+return body\(self, (a(?:, [b-d])*)\);\s+\};/g;
  const edited = source.replace(later, (_, a) => `return take${others.indexOf(a)}(body, ${a});`);
  return edited === source ? source : takers.join("\n") + edited;
});

/** `performance` loads a part of node, for the origin of nanoseconds alone. */
const clock = edit(/effect\/dist\/esm\/internal\/clock\.js$/, (source) =>
  source.replace('typeof performance === "undefined"', "true"),
);

/** A module that is made here. */
const made = (id, contents) => ({
  name: id,
  setup: (build) => {
    const filter = new RegExp(`^${id}$`);
    build.onResolve({ filter }, ({ namespace }) =>
      namespace === id ? { external: true } : { path: id, namespace: id },
    );
    build.onLoad({ filter: /.*/, namespace: id }, () => ({ contents }));
  },
});

/** A module of node that the first call of one of these functions loads. */
const later = (id, functions) =>
  made(
    id,
    functions.map((f) => `export const ${f} = (...a) => require("${id}").${f}(...a);`).join("\n"),
  );

/** Most calls of the program call none of these. */
const files = later(
  "node:fs/promises",
  Object.keys(promises).filter((name) => typeof promises[name] === "function"),
);

/** It loads twenty modules of node; a reading call needs none of it. */
const crypto = later("node:crypto", ["createHash", "randomBytes", "randomUUID"]);

/** Only one command asks for its package. */
const modules = later("node:module", ["createRequire"]);

const addon = "better-sqlite3/build/Release/better_sqlite3.node";

/** The driver is in the bundle; its native part is loaded when a file is opened. */
const driver = made("bindings", `module.exports = () => require("${addon}");`);

const everywhere = [
  schema,
  parser,
  stackless,
  alone,
  lengths,
  dual,
  clock,
  files,
  crypto,
  modules,
  driver,
];

/** The edits of every file of the bundle. */
export const slim = [own(), ...everywhere];

/** Those of one that has these commands alone. */
export const slimFor = (words) => [own(fewer(words)), ...everywhere];
