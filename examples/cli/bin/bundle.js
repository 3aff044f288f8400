/**
 * bundle: the program in files, each with the code that V8 made of it when it was built.
 *
 * `troupe` is what every call needs, `seldom` what few do. `frequent` is the same as `troupe` for
 * the commands that are called most, and has no others. Without that code a call spends half of its
 * time compiling; all that is read takes time, so each of these commands has its own. Another node
 * than that of the build refuses it and compiles. The files hold nothing but ASCII, and are read as
 * the bytes that they are. Nothing is written here.
 */
const { existsSync, readFileSync } = require("node:fs");
const { join } = require("node:path");
const { Script } = require("node:vm");

const fileOf = (name) => join(__dirname, "../dist/bundle", `${name}.cjs`);

/** The commands that are called most. */
const frequent = ["create", "delete", "list"];

/** The file for a call that begins with this word. */
const nameFor = (word) => (frequent.includes(word) ? "frequent" : "troupe");

/** Where the code of a file is, for a call that begins with this word. */
const cacheOf = (name, word) =>
  name === "frequent" ? `${fileOf(name)}.${word}.cache` : `${fileOf(name)}.cache`;

/** Whether the program was bundled. */
const bundleExists = () => existsSync(fileOf("troupe"));

/** A file of the program, compiled: a function of what a module is given, and of `load`. */
const codeOf = (name, word) => {
  const [file, cache] = [fileOf(name), cacheOf(name, word)];
  const cachedData = existsSync(cache) ? readFileSync(cache) : undefined;
  return new Script(readFileSync(file, "latin1"), { filename: file, cachedData });
};

/** What was loaded, by its name. */
const loaded = new Map();

/** Runs a file of the program, once, and gives what it exports. */
const load = (name, word) => {
  const found = loaded.get(name);
  if (found !== undefined) return found.module.exports;
  const [code, module] = [codeOf(name, word), { exports: {} }];
  loaded.set(name, { code, module });
  code.runInThisContext()(module.exports, require, module, fileOf(name), load);
  return module.exports;
};

module.exports = { bundleExists, cacheOf, codeOf, fileOf, frequent, load, loaded, nameFor };
