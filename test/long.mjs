/**
 * `npm run long`: what takes minutes. Without a word it does all its parts, one after the other.
 *
 * `npm run long -- stress --seed 7` does one; a seed that failed is repeated so. `--calls` says how
 * many calls a stress run has, `--only` and `--files` which places of `hostile` and what is run
 * there. A part that fails does not keep the others from running.
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const top = fileURLToPath(new URL("..", import.meta.url));
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: "string", default: String(Math.trunc(Date.now() / 1000)) },
    calls: { type: "string", default: "3000" },
    only: { type: "string" },
    files: { type: "string" },
  },
});

const run = (name, args, env) =>
  spawnSync(`${top}node_modules/.bin/${name}`, args, {
    cwd: top,
    env: { ...process.env, ...env },
    stdio: "inherit",
  });

const vitest = (project, file, env) => run("vitest", ["run", "--project", project, file], env);

const programs = (name, env) => vitest("programs", `test/multi-process/${name}.test.ts`, env);

const seed = { TROUPE_SEED: values.seed };

const hostile = () => {
  const chosen = ["only", "files"].filter((name) => values[name] !== undefined);
  const words = chosen.map((name) => `--${name}=${values[name]}`);
  return spawnSync(process.execPath, [`${top}test/hostile.mjs`, ...words], { stdio: "inherit" });
};

const parts = {
  explore: () =>
    run("vite-node", ["--config", "vitest.config.ts", "test/explore-worlds.ts", "--", "--walks=5"]),
  cycles: () => vitest("real", "test/real/cycles.test.ts", { TROUPE_CYCLES: "500" }),
  kills: () => programs("kills", { ...seed, TROUPE_KILLS: "all" }),
  stress: () => programs("stress", { ...seed, TROUPE_STRESS: values.calls }),
  beside: () => programs("beside", { TROUPE_BESIDE: "100" }),
  hostile,
  docs: () => spawnSync("npm", ["run", "docs"], { cwd: top, stdio: "inherit" }),
  packed: () => spawnSync(process.execPath, [`${top}test/packed.mjs`], { stdio: "inherit" }),
};

const chosen = positionals.length === 0 ? Object.keys(parts) : positionals;
const unknown = chosen.filter((name) => !(name in parts));
if (unknown.length > 0) {
  console.error(`no part ${unknown.join(", ")}; there are ${Object.keys(parts).join(", ")}`);
  process.exit(2);
}

const outcomes = chosen.map((name) => {
  const startedAt = Date.now();
  const { signal, status } = parts[name]();
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(0);
  const ended = status === 0 ? "ok" : `FAILED (${signal ?? `exit code ${status}`})`;
  return { ok: status === 0, line: `── ${name}: ${ended}, ${seconds} s, seed ${values.seed}` };
});
for (const { line } of outcomes) console.log(line);
process.exitCode = outcomes.every(({ ok }) => ok) ? 0 : 1;
