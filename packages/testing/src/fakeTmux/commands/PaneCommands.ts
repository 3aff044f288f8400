/**
 * PaneCommands: commands about panes and the programs in them.
 *
 * Killing a pane only takes its terminal away; respawning starts a program in a pane whose own has
 * ended. A pipe records what the pane prints from then on, and starts no program.
 */

import type { CommandResult, CommandRun, CommandSpec } from "../Command.js";
import { Environment } from "../Environment.js";
import { formatDated } from "../FormatContext.js";
import { outsideTheModel } from "../OutsideTheModel.js";
import { closePipe, removePane } from "../PaneEnd.js";
import { PanePipe } from "../PanePipe.js";
import { SpawnRefused, spawnPane } from "../Spawn.js";
import { captureLines } from "./Capture.js";
import { listing } from "./Listing.js";

const target = { flag: "t", kind: "pane" } as const;

const kill = ({ args, server, target: { pane, window } }: CommandRun): CommandResult => {
  if (pane === null || window === null) return "error";
  if (!args.has("a")) removePane(server, pane);
  else for (const other of window.panes.filter((each) => each !== pane)) removePane(server, other);
  return "normal";
};

const respawn = (run: CommandRun): CommandResult => {
  const { args, target: found } = run;
  const { link, pane, session } = found;
  if (link === null || pane === null || session === null) return "error";
  const environment = new Environment();
  for (const variable of args.all("e")) environment.put(variable);
  const request = {
    run,
    session,
    argv: args.texts(),
    cwd: args.get("c"),
    environment,
    kill: args.has("k"),
  };
  const spawned = spawnPane(request, link, pane);
  if (spawned instanceof SpawnRefused) return run.fail(`respawn pane failed: ${spawned.cause}`);
  return "normal";
};

const pipe = (run: CommandRun): CommandResult => {
  const { args, server, target: found } = run;
  const { link, pane, session } = found;
  if (pane === null) return "error";
  if (!pane.open) return run.fail("target pane has exited");
  const old = pane.pipe;
  closePipe(server, pane);
  const template = args.text(0) ?? "";
  if (template === "" || (args.has("o") && old !== null)) return "normal";
  const command = formatDated(run, { client: run.targetClient, session, link, pane }, template);
  const { machine } = server;
  const process = machine.tree.spawn({
    parent: server.pid,
    leader: null,
    program: "sh",
    environment: server.environment.exported(),
  });
  process.ended.push(() => machine.tree.reap(process));
  const reads = !args.has("I") || args.has("O");
  const now = (): number => machine.timers.now;
  pane.pipe = new PanePipe({ paneId: pane.id, command, process, reads }, now);
  machine.pipes.push(pane.pipe);
  return "normal";
};

const capture = (run: CommandRun): CommandResult => {
  const { args, server } = run;
  const { pane } = run.target;
  if (pane === null) return "error";
  for (const flag of ["e", "P"]) if (args.has(flag)) outsideTheModel(`capture-pane -${flag}`);
  if (args.has("a") && !args.has("q")) return run.fail("no alternate screen");
  const text = args.has("a") ? "" : captureLines(pane.screen.grid, args);
  if (args.has("p")) {
    run.client.printRaw(text.replace(/\n$/, ""));
    run.client.printRaw("\n");
    return "normal";
  }
  const error = server.setBuffer(text, args.get("b"));
  return error === null ? "normal" : run.fail(error);
};

const size = "[#{pane_width}x#{pane_height}]";
const rest =
  "[history #{history_size}/#{history_limit}, #{history_bytes} bytes] #{pane_id}" +
  "#{?pane_active, (active),}#{?pane_dead, (dead),}";

const list = (run: CommandRun): CommandResult => {
  const { args, server, target: found } = run;
  const [links, prefix] = args.has("a")
    ? [server.links(), "#{session_name}:#{window_index}."]
    : args.has("s")
      ? [found.session?.links ?? [], "#{window_index}."]
      : [found.link === null ? [] : [found.link], ""];
  for (const link of links) {
    listing(
      run,
      link.window.panes.map((pane) => ({ session: link.session, link, pane })),
      `${prefix}#{pane_index}: ${size} ${rest}`,
    );
  }
  return "normal";
};

/** In no particular order. */
export const paneCommands: ReadonlyArray<CommandSpec> = [
  {
    name: "kill-pane",
    usage: "[-a] [-t target-pane]",
    shape: { template: "at:", least: 0, most: 0 },
    target,
    run: kill,
  },
  {
    name: "respawn-pane",
    usage: "[-k] [-c start-directory] [-e environment] [-t target-pane] [shell-command]",
    shape: { template: "c:e:kt:", least: 0, most: null },
    target,
    run: respawn,
  },
  {
    name: "pipe-pane",
    usage: "[-IOo] [-t target-pane] [shell-command]",
    shape: { template: "IOot:", least: 0, most: 1 },
    target,
    run: pipe,
  },
  {
    name: "capture-pane",
    usage: "[-aCeJNpPq] [-b buffer-name] [-E end-line] [-S start-line] [-t target-pane]",
    shape: { template: "ab:CeE:JNpPqS:t:", least: 0, most: 0 },
    target,
    run: capture,
  },
  {
    name: "clear-history",
    usage: "[-t target-pane]",
    shape: { template: "t:", least: 0, most: 0 },
    target,
    run: ({ target: { pane } }) => {
      pane?.screen.grid.clearHistory();
      return "normal";
    },
  },
  {
    name: "list-panes",
    usage: "[-as] [-F format] [-f filter] [-t target-window]",
    shape: { template: "asF:f:t:", least: 0, most: 0 },
    target: { flag: "t", kind: "window" },
    run: list,
  },
];
