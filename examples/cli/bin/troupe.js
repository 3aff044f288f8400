#!/usr/bin/env -S node --
/**
 * troupe: the command, as npm links it.
 *
 * Committed, because npm links no bin that is missing at install; the program is the build. In
 * CommonJS, because that starts in two thirds of the time of modules. The dashes in the first line
 * keep node from taking an option of ours, such as --env-file, for one of its own.
 */
const { bundleExists, load } = require("./bundle.js");

const words = process.argv.slice(2);

if (words.length === 1 && words[0] === "--version") {
  // The same words as those of the program, which would take three times as long to say them.
  process.stdout.write(`troupe ${require("../package.json").version}\n`);
} else if (bundleExists()) {
  load("troupe");
} else {
  // A tree that was compiled and not bundled.
  import("../dist/main.js");
}
