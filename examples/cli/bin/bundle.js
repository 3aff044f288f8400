/**
 * bundle: the program in one file, and the code that V8 made of it when it was built.
 *
 * Without that code a call spends half of its time compiling. Another node than that of the build
 * refuses it and compiles. Nothing is written here.
 */
const { existsSync, readFileSync } = require("node:fs");
const { createRequire, wrap } = require("node:module");
const { dirname, join } = require("node:path");
const { Script } = require("node:vm");

const file = join(__dirname, "../dist/bundle/troupe.cjs");
const cache = `${file}.cache`;

/** Whether the program was bundled. */
const bundleExists = () => existsSync(file);

/** The program, compiled. */
const codeOf = () => {
  const cachedData = existsSync(cache) ? readFileSync(cache) : undefined;
  return new Script(wrap(readFileSync(file, "utf8")), { filename: file, cachedData });
};

/** Runs the program, as `require` would. */
const run = (code) => {
  const module = { exports: {} };
  code.runInThisContext()(module.exports, createRequire(file), module, file, dirname(file));
};

module.exports = { bundleExists, cache, codeOf, file, run };
