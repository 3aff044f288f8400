/**
 * WindowCommands: commands about windows and their places in sessions.
 *
 * A window may have several places, also in one session; killing it takes it out of all of them.
 * Where an index is wanted, one that no window has is a place for a new window.
 */
import { countAttached } from "../Attaching.js";
import type { CommandResult, CommandRun, CommandSpec } from "../Command.js";
import { Environment } from "../Environment.js";
import { extrasOf, formatContext } from "../FormatContext.js";
import { expandFormat } from "../FormatExpander.js";
import { FoundTarget } from "../FoundTarget.js";
import { hookOf } from "../Hooks.js";
import { outsideTheModel } from "../OutsideTheModel.js";
import type { Session, WindowLink } from "../Session.js";
import { SpawnRefused, spawnWindow } from "../Spawn.js";
import { intMaximum, strtonum } from "../Strtonum.js";
import { vis } from "../Vis.js";
import { linkWindow, shuffleUp } from "./LinkWindow.js";
import { listing } from "./Listing.js";

const target = { flag: "t", kind: "window" } as const;
const place = { flag: "t", kind: "window", windowIndex: true } as const;

const selectNamed = (run: CommandRun, session: Session, name: string): CommandResult | null => {
  const links = session.links.filter(({ window }) => window.name === name);
  if (links.length > 1) return run.fail(`multiple windows named ${name}`);
  if (links.length === 0) return null;
  if (!run.args.has("d")) {
    session.select(links[0]);
    countAttached(run.server);
  }
  return "normal";
};

const newWindow = (run: CommandRun): CommandResult => {
  const { args, server, target: found } = run;
  const { session } = found;
  if (session === null) return "error";
  const name = args.get("n");
  if (args.has("S") && name !== null && found.index === -1) {
    const selected = selectNamed(run, session, name);
    if (selected !== null) return selected;
  }
  let { index } = found;
  if ((args.has("a") || args.has("b")) && found.link !== null) {
    index = shuffleUp(session, found.link, args.has("b"));
  }
  const environment = new Environment();
  for (const variable of args.all("e")) environment.put(variable);
  const link = spawnWindow({
    run,
    session,
    argv: args.texts(),
    cwd: args.get("c"),
    environment,
    kill: args.has("k"),
    name,
    index,
    detached: args.has("d"),
  });
  if (link instanceof SpawnRefused) return run.fail(`create window failed: ${link.cause}`);
  if (!args.has("d") || link === session.current) run.current.copyFrom(FoundTarget.ofLink(link));
  if (args.has("P")) {
    const template = args.get("F") ?? "#{session_name}:#{window_index}.#{pane_index}";
    const parts = { client: run.targetClient, session, link, pane: link.window.active };
    run.print(expandFormat(formatContext(server, parts, extrasOf(run)), template, false));
  }
  run.about(FoundTarget.ofLink(link), hookOf(run, session.options, "after-new-window"));
  return "normal";
};

const kill = ({ args, server, target: found }: CommandRun): CommandResult => {
  const { link, session } = found;
  if (link === null || session === null) return "error";
  if (!args.has("a")) {
    server.killWindow(link.window, true);
    return "normal";
  }
  for (const other of session.links.filter(({ window }) => window !== link.window)) {
    server.killWindow(other.window, false);
  }
  if (session.links.filter(({ window }) => window === link.window).length > 1) {
    server.killWindow(link.window, false);
  }
  for (const each of server.sessions) server.renumber(each);
  return "normal";
};

const rename = (run: CommandRun): CommandResult => {
  const { window } = run.target;
  if (window === null) return "error";
  window.name = vis(run.format(run.args.text(0) ?? ""), run.server.rules.dollar);
  window.options.set("automatic-rename", "off");
  window.notices++;
  return "normal";
};

const resized = (run: CommandRun): { columns: number; rows: number } | string => {
  const { args } = run;
  const { columns = 0, rows = 0 } = run.target.window ?? {};
  const by = args.text(0) === null ? 1 : strtonum(args.text(0) ?? "", 1, intMaximum);
  if (typeof by === "string") return `adjustment ${by}`;
  const given = (flag: "x" | "y", was: number) => {
    if (!args.has(flag)) return was;
    const text = args.get(flag);
    return text === null ? "missing" : strtonum(text, 1, 10_000);
  };
  const width = given("x", columns);
  if (typeof width === "string") return `width ${width}`;
  const height = given("y", rows);
  if (typeof height === "string") return `height ${height}`;
  if (args.has("L")) return { columns: width >= by ? width - by : width, rows: height };
  if (args.has("R")) return { columns: width + by, rows: height };
  if (args.has("U")) return { columns: width, rows: height >= by ? height - by : height };
  return { columns: width, rows: args.has("D") ? height + by : height };
};

const resize = (run: CommandRun): CommandResult => {
  const { window } = run.target;
  if (window === null) return "error";
  if (run.args.has("A") || run.args.has("a"))
    outsideTheModel("resize-window to the size of clients");
  const size = resized(run);
  if (typeof size === "string") return run.fail(size);
  const clamp = (value: number) => Math.min(10_000, Math.max(1, value));
  window.options.set("window-size", "manual");
  window.columns = clamp(size.columns);
  window.rows = clamp(size.rows);
  for (const pane of window.panes) pane.screen.resize(window.columns, window.rows);
  // One for the size and one for the layout.
  window.notices += 2;
  return "normal";
};

const windowLine =
  "#{window_index}: #{window_name}#{window_raw_flags} (#{window_panes} panes) " +
  "[#{window_width}x#{window_height}] ";

const placesOf = (links: ReadonlyArray<WindowLink>) =>
  links.map((link) => ({ session: link.session, link }));

const list = (run: CommandRun): CommandResult => {
  const { args, server } = run;
  if (!args.has("a")) {
    const links = run.target.session?.links ?? [];
    const standard = `${windowLine}[layout #{window_layout}] #{window_id}#{?window_active, (active),}`;
    listing(run, placesOf(links), standard);
    return "normal";
  }
  for (const { links } of server.sessions) {
    listing(run, placesOf(links), `#{session_name}:${windowLine}`);
  }
  return "normal";
};

/** In no particular order. */
export const windowCommands: ReadonlyArray<CommandSpec> = [
  {
    name: "new-window",
    usage:
      "[-abdkPS] [-c start-directory] [-e environment] [-F format] [-n window-name] " +
      "[-t target-window] [shell-command]",
    shape: { template: "abc:de:F:kn:PSt:", least: 0, most: null },
    target: place,
    run: newWindow,
  },
  {
    name: "kill-window",
    usage: "[-a] [-t target-window]",
    shape: { template: "at:", least: 0, most: 0 },
    target,
    run: kill,
  },
  {
    name: "rename-window",
    usage: "[-t target-window] new-name",
    shape: { template: "t:", least: 1, most: 1 },
    target,
    run: rename,
  },
  {
    name: "resize-window",
    usage: "[-aADLRU] [-x width] [-y height] [-t target-window] [adjustment]",
    shape: { template: "aADLRt:Ux:y:", least: 0, most: 1 },
    target,
    run: resize,
  },
  linkWindow,
  {
    name: "list-windows",
    usage: "[-a] [-F format] [-f filter] [-t target-session]",
    shape: { template: "F:f:at:", least: 0, most: 0 },
    target: { flag: "t", kind: "session" },
    run: list,
  },
];
