/**
 * FlowCommands: commands about the running of commands: the server itself, messages, conditions,
 * sourced texts, and waiting.
 *
 * A condition is always a format: one that needs a shell is outside of the model, as is a file that
 * is not stdin.
 */

import type { ArgumentValue } from "../Arguments.js";
import { bestClient } from "../Attaching.js";
import { decodeBytes } from "../ByteOrder.js";
import type { CommandList, CommandResult, CommandRun, CommandSpec } from "../Command.js";
import { CommandBuilder, ParseFailure } from "../CommandBuilder.js";
import { formatDated } from "../FormatContext.js";
import { outsideTheModel } from "../OutsideTheModel.js";
import { strtonum, uintMaximum } from "../Strtonum.js";

const message =
  "[#{session_name}] #{window_index}:#{window_name}, current pane #{pane_index} - (%H:%M %d-%b-%y)";

// The client of the target's session; the one that the command is about, if it shows that.
const clientOf = ({ server, target: { session }, targetClient }: CommandRun) => {
  if (targetClient !== null && targetClient.session === session) return targetClient;
  return session === null ? null : bestClient(server, session);
};

const displayMessage = (run: CommandRun): CommandResult => {
  const { args, server, target } = run;
  for (const flag of ["I", "a", "v"]) {
    if (args.has(flag)) outsideTheModel(`display-message -${flag}`);
  }
  if (args.has("F") && args.words.length > 0) {
    return run.fail("only one of -F or argument must be given");
  }
  if (args.has("d")) {
    const text = args.get("d");
    const delay = text === null ? "missing" : strtonum(text, 0, uintMaximum);
    if (typeof delay === "string") return run.fail(`delay ${delay}`);
  }
  const missing = target.session === null && args.get("t") !== null;
  if (missing && server.machine.quirks.displayMessageFailsOnMissingTarget) {
    return run.fail(`can't find session: ${args.get("t")}`);
  }
  const client = clientOf(run);
  const parts = { client, session: target.session, link: target.link, pane: target.pane };
  const text = formatDated(run, parts, args.text(0) ?? args.get("F") ?? message);
  if (args.has("p")) run.print(text);
  return "normal";
};

const branch = (run: CommandRun, value: ArgumentValue): CommandList | ParseFailure => {
  if (typeof value !== "string") return value;
  const { file, line } = run.command;
  return new CommandBuilder(run.server, { file, line, oneGroup: true }).text(value);
};

const ifShell = (run: CommandRun): CommandResult => {
  const { args } = run;
  if (!args.has("F")) outsideTheModel("if-shell with a shell command");
  const condition = run.format(args.text(0) ?? "");
  const value = args.words[condition === "" || condition.startsWith("0") ? 2 : 1];
  if (value === undefined) return "normal";
  const list = branch(run, value);
  if (list instanceof ParseFailure) return run.fail(list.message);
  run.insert(list);
  return "normal";
};

const sourceFile = (run: CommandRun): CommandResult => {
  const { args, client, server } = run;
  for (const path of args.texts()) {
    if (path !== "-" || args.has("n") || args.has("v")) {
      outsideTheModel(`source-file ${args.texts().join(" ")}`);
    }
  }
  const failures: Array<string> = [];
  const lists: Array<CommandList> = [];
  for (const _ of args.words) {
    const text = decodeBytes(client.takeStdin());
    if (text === "") continue;
    const builder = new CommandBuilder(server, { file: "-", line: 1, oneGroup: false });
    const list = builder.text(text);
    if (list instanceof ParseFailure) failures.push(list.message);
    else lists.push(list);
  }
  client.source(lists, failures);
  return "normal";
};

const waitFor = ({ args, client, server, ...run }: CommandRun): CommandResult => {
  const channel = args.text(0) ?? "";
  const goOn = () => client.resume();
  if (args.has("S")) server.waits.signal(channel);
  else if (args.has("L")) return server.waits.lock(channel, goOn) ? "normal" : "wait";
  else if (args.has("U")) {
    if (!server.waits.unlock(channel)) return run.fail(`channel ${channel} not locked`);
  } else return server.waits.wait(channel, goOn) ? "normal" : "wait";
  return "normal";
};

const nothing = { template: "", least: 0, most: 0 };

/** In no particular order. */
export const flowCommands: ReadonlyArray<CommandSpec> = [
  {
    name: "start-server",
    usage: "",
    shape: nothing,
    startsServer: true,
    run: () => "normal",
  },
  {
    name: "kill-server",
    usage: "",
    shape: nothing,
    run: ({ server }) => {
      server.ending = true;
      return "normal";
    },
  },
  {
    name: "display-message",
    usage: "[-aINpv] [-c target-client] [-d delay] [-F format] [-t target-pane] [message]",
    shape: { template: "ac:d:INpt:F:v", least: 0, most: 1 },
    target: { flag: "t", kind: "pane", canFail: true },
    client: { flag: "c", canFail: true },
    run: displayMessage,
  },
  {
    name: "if-shell",
    usage: "[-bF] [-t target-pane] shell-command command [command]",
    shape: { template: "bFt:", least: 2, most: 3, commandsAt: [1, 2] },
    target: { flag: "t", kind: "pane", canFail: true },
    run: ifShell,
  },
  {
    name: "source-file",
    usage: "[-Fnqv] path ...",
    shape: { template: "Fnqv", least: 1, most: null },
    run: sourceFile,
  },
  {
    name: "wait-for",
    usage: "[-L|-S|-U] channel",
    shape: { template: "LSU", least: 1, most: 1 },
    run: waitFor,
  },
];
