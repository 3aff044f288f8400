/**
 * PaneEnvironment: the variables that tmux gives to a program of a pane.
 *
 * Those of the server, over them those of the session, then tmux's own, the pane's, and at last the
 * PATH of a client that shows no session, which wins over every other.
 */
import { Environment } from "./Environment.js";
import type { Pane } from "./Pane.js";
import type { SpawnRequest } from "./Spawn.js";

/** For a program that starts in this directory. */
export const paneEnvironment = (request: SpawnRequest, pane: Pane, cwd: string): Environment => {
  const { run, session } = request;
  const { machine, process, rules, serverOptions, environment } = run.server;
  const child = new Environment();
  child.copyFrom(environment);
  child.copyFrom(session.environment);
  child.set("TERM", serverOptions.text("default-terminal"));
  child.set("TERM_PROGRAM", "tmux");
  child.set("TERM_PROGRAM_VERSION", rules.version);
  child.set("TMUX", `${machine.settings.socket},${process.pid},${session.number}`);
  if (request.environment !== null) child.copyFrom(request.environment);
  child.set("TMUX_PANE", pane.id);
  if (run.client.path !== null) child.set("PATH", run.client.path);
  child.set("SHELL", pane.shell);
  const missing = machine.settings.missingDirectories.has(cwd);
  child.set("PWD", missing ? (environment.find("HOME")?.value ?? machine.settings.home) : cwd);
  return child;
};
