/**
 * Runs every bench, each in a process of its own, one after the other, and writes what they print
 * to RESULTS.md beside this file, with the machine and the versions. They run in plain node on the
 * packages as they are built: what compiles sources makes a process larger, and each fork slower.
 *
 * Names as arguments run only these, and write nothing. What a bench measures and against whom
 * stands in its header; a table is from one run, so its ratios can be trusted where its times
 * cannot.
 */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { cpus, getPriority, loadavg } from "node:os";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const questions: ReadonlyArray<readonly [file: string, title: string]> = [
  ["embedded", "A session is made and deleted, embedded"],
  ["start-up", "A call of the command line"],
  ["listing", "A listing"],
  ["reconcile", "A reconcile of every name"],
  ["messages", "Messages of actors"],
  ["idle", "Names that rest"],
  ["registry", "The registry on a disk"],
  ["output", "Output"],
  ["input", "Input"],
  ["explorer", "The explorer"],
];

const machine = (): string => {
  const [cpu] = cpus();
  const tmux = spawnSync("tmux", ["-V"], { encoding: "utf8" }).stdout.trim();
  const manifest = readFileSync(here("../node_modules/effect/package.json"), "utf8");
  const { version } = JSON.parse(manifest);
  const cores = `${cpus().length} cores (${cpu?.model})`;
  const load = loadavg()[0]?.toFixed(1);
  const versions = `Node ${process.version}, ${tmux}, effect ${version}`;
  return `${cores}, load ${load} at the start, niceness ${getPriority()}; ${versions}.`;
};

const intro = `# Results

Written by \`npm run bench\`, from one run. A ratio is the median of the ratios of the rounds, in
which each way is measured once, in turns, with where eight of ten of them lie; the first way of a
table's part is 1. On a machine that does much else ratios are wider, and worse for whoever takes
more than one process. A goal that is missed is told as that.
`;

const tabled = (text: string): string =>
  text.startsWith("|") ? text : `\`\`\`text\n${text}\n\`\`\``;

await build({
  entryPoints: questions.map(([file]) => here(`${file}.ts`)),
  ...{ outdir: here("dist"), outExtension: { ".js": ".mjs" } },
  ...{ bundle: true, packages: "external", platform: "node", target: "node20", format: "esm" },
});

const chosen = process.argv.slice(2).filter((word) => !word.startsWith("-"));
const sections = [intro, machine()];
let failed = false;
for (const [file, title] of questions) {
  if (chosen.length > 0 && !chosen.includes(file)) continue;
  const done = spawnSync(process.execPath, [here(`dist/${file}.mjs`)], {
    cwd: here(".."),
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = done.status === 0 ? "" : `\n\nIt did not end well: ${done.signal ?? done.status}.`;
  failed ||= ended !== "";
  const section = `## ${title}\n\n${tabled(done.stdout.trim())}${ended}`;
  console.log(`${section}\n`);
  sections.push(section, `What is measured: bench/${file}.ts.`);
}
if (chosen.length === 0) writeFileSync(here("RESULTS.md"), `${sections.join("\n\n")}\n`);
process.exitCode = failed ? 1 : 0;
