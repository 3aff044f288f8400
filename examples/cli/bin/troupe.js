#!/usr/bin/env -S node --
/**
 * troupe: the command, as npm links it.
 *
 * Committed, because npm links no bin that is missing at install; the program is the build. In
 * CommonJS, because that starts in two thirds of the time of modules. The dashes in the first line
 * keep node from taking an option of ours, such as --env-file, for one of its own.
 */
const { bundleExists, load, nameFor } = require("./bundle.js");

const words = process.argv.slice(2);

if (words.length === 1 && words[0] === "--version") {
  // The same words as those of the program, which would take three times as long to say them.
  process.stdout.on("error", ({ code }) => {
    // A reader that went away is no failure of the command.
    if (code === "EPIPE") return;
    process.exitCode = 1;
    process.stderr.write(`troupe: standard output could not be written to: ${code}\n`);
  });
  process.stdout.write(`troupe ${require("../package.json").version}\n`);
} else if (bundleExists()) {
  // A signal that comes while the program is loaded does not end it: it hears of it when it is.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});
  load(nameFor(words[0]), words[0]);
} else {
  // A tree that was compiled and not bundled.
  import("../dist/main.js");
}
