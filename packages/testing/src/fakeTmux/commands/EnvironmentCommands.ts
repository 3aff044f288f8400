/**
 * EnvironmentCommands: the variables of the server and of sessions.
 *
 * What is set is for programs that start later; those that run keep theirs. A value with newlines
 * is listed as it is.
 */
import type { CommandResult, CommandRun, CommandSpec } from "../Command.js";
import type { Environment, Variable } from "../Environment.js";

const target = { flag: "t", kind: "session", canFail: true } as const;

const environmentOf = (run: CommandRun): Environment | CommandResult => {
  const { args, server, target: found } = run;
  if (args.has("g")) return server.environment;
  if (found.session !== null) return found.session.environment;
  const text = args.get("t");
  return run.fail(text === null ? "no current session" : `no such session: ${text}`);
};

const set = (run: CommandRun): CommandResult => {
  const { args } = run;
  const name = args.text(0) ?? "";
  if (name === "") return run.fail("empty variable name");
  if (name.includes("=")) return run.fail("variable name contains =");
  const text = args.text(1);
  const value = text !== null && args.has("F") ? run.format(text) : text;
  const environment = environmentOf(run);
  if (typeof environment === "string") return environment;
  const removes = args.has("u") ? "u" : args.has("r") ? "r" : null;
  if (removes !== null) {
    if (value !== null) return run.fail(`can't specify a value with -${removes}`);
    if (removes === "u") environment.unset(name);
    else environment.clear(name);
    return "normal";
  }
  if (value === null) return run.fail("no value specified");
  environment.set(name, value, args.has("h"));
  return "normal";
};

const print = (run: CommandRun, { hidden, name, value }: Variable): void => {
  if (run.args.has("h") !== hidden) return;
  if (!run.args.has("s")) run.print(value === null ? `-${name}` : `${name}=${value}`);
  else if (value === null) run.print(`unset ${name};`);
  else run.print(`${name}="${value.replace(/[$`"\\]/g, "\\$&")}"; export ${name};`);
};

const show = (run: CommandRun): CommandResult => {
  const { args, target: found } = run;
  const text = args.get("t");
  if (text !== null && found.session === null) return run.fail(`no such session: ${text}`);
  const environment = environmentOf(run);
  if (typeof environment === "string") return environment;
  const name = args.text(0);
  if (name === null) {
    for (const variable of environment.list()) print(run, variable);
    return "normal";
  }
  const variable = environment.find(name);
  if (variable === null) return run.fail(`unknown variable: ${name}`);
  print(run, variable);
  return "normal";
};

/** In no particular order. */
export const environmentCommands: ReadonlyArray<CommandSpec> = [
  {
    name: "set-environment",
    usage: "[-Fhgru] [-t target-session] name [value]",
    shape: { template: "Fhgrt:u", least: 1, most: 2 },
    target,
    run: set,
  },
  {
    name: "show-environment",
    usage: "[-hgs] [-t target-session] [name]",
    shape: { template: "hgst:", least: 0, most: 1 },
    target,
    run: show,
  },
];
