/**
 * NewSession: `new-session`, with and without a group.
 *
 * Without `-d` it needs a client in control mode, or a terminal, which no client of the fake has.
 */
import type { CommandResult, CommandRun, CommandSpec } from "../Command.js";
import { Environment } from "../Environment.js";
import { extrasOf, formatContext, formatFor } from "../FormatContext.js";
import { expandFormat } from "../FormatExpander.js";
import { FoundTarget } from "../FoundTarget.js";
import { hookOf } from "../Hooks.js";
import { OptionSet } from "../OptionSet.js";
import { patternMatches } from "../Pattern.js";
import type { Session, SessionGroup } from "../Session.js";
import { joinGroup } from "../SessionGroups.js";
import { checkSessionName, refusedName } from "../SessionName.js";
import { SpawnRefused, spawnWindow } from "../Spawn.js";
import { strtonum } from "../Strtonum.js";
import { findTarget, TargetMissing } from "../Targets.js";

interface Size {
  readonly columns: number;
  readonly rows: number;
  readonly given: boolean;
}

const side = (run: CommandRun, flag: "x" | "y", fallback: number): number | string => {
  const text = run.args.get(flag);
  if (!run.args.has(flag)) return fallback;
  // A client that is no terminal has the standard size.
  if (text === "-") return fallback;
  return strtonum(text ?? "", 1, 65_535);
};

const sizeOf = (run: CommandRun): Size | string => {
  const width = side(run, "x", 80);
  if (typeof width === "string") return `width ${width}`;
  const height = side(run, "y", 24);
  if (typeof height === "string") return `height ${height}`;
  const standard = /^\s*([0-9]+)x([0-9]+)/.exec(run.server.sessionOptions.text("default-size"));
  const given = run.args.has("x") || run.args.has("y");
  const columns = run.args.has("x") ? width : Number(standard?.[1] ?? width);
  const rows = run.args.has("y") ? height : Number(standard?.[2] ?? height);
  return { columns, rows, given };
};

const environmentOf = (run: CommandRun): Environment => {
  const environment = new Environment();
  const update = run.server.sessionOptions.get("update-environment");
  const own: ReadonlyArray<readonly [string, string]> = [
    ...Object.entries(run.server.machine.settings.clientEnvironment),
    ...(run.client.path === null ? [] : [["PATH", run.client.path] as const]),
  ];
  if (!run.args.has("E") && typeof update === "object" && update !== null) {
    for (const [, pattern] of [...update].sort(([a], [b]) => a - b)) {
      const found = own.find(([name]) => patternMatches(pattern, name));
      if (found === undefined) environment.clear(pattern);
      else environment.set(found[0], found[1]);
    }
  }
  for (const variable of run.args.all("e")) environment.put(variable);
  return environment;
};

interface Grouping {
  readonly with: Session | null;
  readonly group: SessionGroup | null;
  readonly prefix: string;
  readonly name: string;
}

const groupingOf = (run: CommandRun): Grouping | string | null => {
  const name = run.args.get("t");
  if (name === null) return null;
  const beside = run.target.session;
  const group = beside?.group ?? run.server.groups.find((each) => each.name === name) ?? null;
  const known = beside === null ? group : (beside.group ?? null);
  if (known !== null) return { with: beside, group: known, prefix: known.name, name };
  if (beside !== null) return { with: beside, group: null, prefix: beside.name, name };
  const prefix = checkSessionName(run.server, name);
  if (prefix === null) return `invalid session group: ${name}`;
  return { with: null, group: null, prefix, name };
};

const enterGroup = (run: CommandRun, session: Session, grouping: Grouping): void => {
  let { group } = grouping;
  if (group === null) {
    const name = grouping.with?.name ?? grouping.name;
    group = run.server.groups.find((each) => each.name === name) ?? { name, sessions: [] };
    if (!run.server.groups.includes(group)) run.server.groups.push(group);
    if (grouping.with !== null) joinGroup(group, grouping.with);
  }
  joinGroup(group, session);
  run.server.shareWindows(session);
  session.select(session.links[0]);
};

const create = (
  run: CommandRun,
  name: string | null,
  size: Size,
  grouping: Grouping | null,
): CommandResult => {
  const { args, server } = run;
  const cwd = args.get("c");
  const options = new OptionSet(server.known, server.sessionOptions);
  if (size.given) options.set("default-size", `${size.columns}x${size.rows}`);
  const session = server.createSession({
    name,
    prefix: grouping?.prefix ?? null,
    cwd: cwd === null ? server.machine.settings.clientCwd : formatFor(run, cwd, null),
    environment: environmentOf(run),
    options,
  });
  const link = spawnWindow({
    run,
    session,
    argv: args.texts(),
    cwd,
    environment: null,
    kill: false,
    name: args.get("n"),
    index: -1,
    detached: false,
  });
  if (link instanceof SpawnRefused) {
    server.destroySession(session);
    return run.fail(`create window failed: ${link.cause}`);
  }
  if (grouping !== null) enterGroup(run, session, grouping);
  if (args.has("P")) {
    const template = args.get("F") ?? "#{session_name}:";
    const parts = { client: run.client, session, link: session.current };
    run.print(expandFormat(formatContext(server, parts, extrasOf(run)), template, false));
  }
  if (!args.has("d")) run.client.show(session, args.get("f") ?? "");
  run.about(FoundTarget.ofSession(session), hookOf(run, options, "after-new-session"));
  return "normal";
};

// The name is looked up once more as a target, which it may not be. Then a terminal is needed.
const attach = (run: CommandRun, session: Session): CommandResult => {
  const kind = /[:.]/.test(session.name) ? "pane" : "session";
  const found = findTarget(run.server, run.current, session.name, { flag: "t", kind });
  if (found instanceof TargetMissing) return run.fail(found.message);
  if (found.link !== null) found.session?.select(found.link);
  run.current.copyFrom(found);
  return run.fail("open terminal failed: not a terminal");
};

const run = (command: CommandRun): CommandResult => {
  const { args, server, target } = command;
  if (args.has("t") && (args.words.length > 0 || args.has("n"))) {
    return command.fail("command or window name given with target");
  }
  const asked = args.get("s");
  let name: string | null = null;
  if (asked !== null) {
    const expanded = formatFor(command, asked, null);
    name = checkSessionName(server, expanded);
    if (name === null) return command.fail(refusedName(server, expanded));
  }
  const existing = name === null ? null : server.findSession(name);
  const attached = args.has("A") ? (name === null ? target.session : existing) : null;
  if (attached !== null) return attach(command, attached);
  if (existing !== null) return command.fail(`duplicate session: ${name}`);
  const grouping = groupingOf(command);
  if (typeof grouping === "string") return command.fail(grouping);
  const stays = args.has("d") || command.client.attaches;
  if (!stays) return command.fail("open terminal failed: not a terminal");
  const size = sizeOf(command);
  if (typeof size === "string") return command.fail(size);
  server.crashOnManualSize();
  return create(command, name, size, grouping);
};

/** `new-session`. */
export const newSession: CommandSpec = {
  name: "new-session",
  usage:
    "[-AdDEPX] [-c start-directory] [-e environment] [-F format] [-f flags] [-n window-name] " +
    "[-s session-name] [-t target-session] [-x width] [-y height] [shell-command]",
  shape: { template: "Ac:dDe:EF:f:n:Ps:t:x:Xy:", least: 0, most: null },
  target: { flag: "t", kind: "session", canFail: true },
  startsServer: true,
  run,
};
