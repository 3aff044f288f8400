/**
 * InputCommands: what is typed and pasted into panes, and the buffers that are pasted.
 *
 * The terminal of a pane meets the input when the command list has ended. A dead pane takes
 * keys without a word; a paste into one crashes those servers that it crashes.
 */
import { decodeBytes } from "../ByteOrder.js";
import type { CommandResult, CommandRun, CommandSpec } from "../Command.js";
import { isTrue } from "../FormatComparison.js";
import { extrasOf, formatContext } from "../FormatContext.js";
import { expandFormat } from "../FormatExpander.js";
import { keyText } from "../Keys.js";
import { outsideTheModel } from "../OutsideTheModel.js";
import type { PasteBuffer } from "../PasteBuffers.js";
import { strtonum, uintMaximum } from "../Strtonum.js";

const pane = { flag: "t", kind: "pane" } as const;

const typed = (run: CommandRun, word: string): string => {
  if (run.args.has("H")) {
    const code = /^\s*[+-]?(0x)?[0-9a-f]+$/i.test(word) ? Number.parseInt(word, 16) : -1;
    return code < 0 || code > 0xff ? "" : String.fromCharCode(code);
  }
  return run.args.has("l") ? word : (keyText(word) ?? word);
};

// The terminal answers when the list has ended, to all that was typed in it at once.
const type = ({ server, target: { pane } }: CommandRun, text: string): void => {
  if (pane === null || pane.tty === null) return;
  const { tty } = pane;
  if (pane.typed === "") {
    server.machine.timers.after(0, () => {
      const all = pane.typed;
      pane.typed = "";
      tty.input(all);
    });
  }
  pane.typed += text;
};

const sendKeys = (run: CommandRun): CommandResult => {
  const { args } = run;
  for (const flag of ["F", "M", "X", "R"]) {
    if (args.has(flag)) outsideTheModel(`send-keys -${flag}`);
  }
  let times = 1;
  if (args.has("N")) {
    const text = args.get("N");
    const count = text === null ? "missing" : strtonum(text, 1, uintMaximum);
    if (typeof count === "string") return run.fail(`repeat count ${count}`);
    times = count;
  }
  const keys = args.texts().map((word) => typed(run, word));
  for (let time = 0; time < times; time++) for (const key of keys) type(run, key);
  return "normal";
};

const paste = (run: CommandRun): CommandResult => {
  const { args, server, target } = run;
  const name = args.get("b");
  const buffer = name === null ? server.buffers.top() : server.buffers.find(name);
  if (name !== null && buffer === null) return run.fail(`no buffer ${name}`);
  if (buffer === null || target.pane === null) return "normal";
  if (!target.pane.open && server.rules.deadPasteCrashes) server.crash();
  const separator = args.get("s") ?? (args.has("r") ? "\n" : "\r");
  const text = decodeBytes(buffer.data).replaceAll("\n", separator);
  const brackets = args.has("p") && target.pane.screen.bracketedPaste;
  type(run, brackets ? `\u001b[200~${text}\u001b[201~` : text);
  if (args.has("d")) server.buffers.remove(buffer);
  return "normal";
};

const namedOrTop = (run: CommandRun, name: string | null): PasteBuffer | CommandResult => {
  const { buffers } = run.server;
  if (name === null) return buffers.top() ?? run.fail("no buffer");
  return buffers.find(name) ?? run.fail(`unknown buffer: ${name}`);
};

const set = (run: CommandRun): CommandResult => {
  const { args, server } = run;
  const name = args.get("b");
  const old = name === null ? null : server.buffers.find(name);
  if (args.has("n")) {
    const buffer = namedOrTop(run, name);
    if (typeof buffer === "string") return buffer;
    const error = server.buffers.rename(buffer.name, args.get("n"));
    return error === null ? "normal" : run.fail(error);
  }
  const data = args.text(0);
  if (data === null) return run.fail("no data specified");
  if (data === "") return "normal";
  const before = args.has("a") && old !== null ? decodeBytes(old.data) : "";
  const error = server.setBuffer(before + data, name);
  return error === null ? "normal" : run.fail(error);
};

const load = (run: CommandRun): CommandResult => {
  const { args, client, server } = run;
  const path = run.format(args.text(0) ?? "");
  if (path !== "-") outsideTheModel(`load-buffer ${path}`);
  const error = server.setBuffer(client.takeStdin(), args.get("b"));
  // A failure is told, but the list goes on: the command had already ended when it was known.
  if (error !== null) run.fail(error);
  return "normal";
};

const show = (run: CommandRun): CommandResult => {
  const { args, client, server } = run;
  const name = args.get("b");
  const buffer = name === null ? server.buffers.top() : server.buffers.find(name);
  if (buffer === null) return run.fail(name === null ? "no buffers" : `no buffer ${name}`);
  client.writeFile(decodeBytes(buffer.data));
  return "normal";
};

const remove = (run: CommandRun): CommandResult => {
  const { args, server } = run;
  const name = args.get("b");
  const buffer = namedOrTop(run, name);
  if (typeof buffer === "string") return buffer;
  server.buffers.remove(buffer);
  return "normal";
};

const bufferLine = '#{buffer_name}: #{buffer_size} bytes: "#{buffer_sample}"';

const list = (run: CommandRun): CommandResult => {
  const { args, server } = run;
  const filter = args.get("f");
  for (const buffer of server.buffers.newestFirst()) {
    const expand = (template: string) =>
      expandFormat(formatContext(server, { buffer }, extrasOf(run)), template, false);
    if (filter !== null && !isTrue(expand(filter))) continue;
    run.print(expand(args.get("F") ?? bufferLine));
  }
  return "normal";
};

/** In no particular order. */
export const inputCommands: ReadonlyArray<CommandSpec> = [
  {
    name: "send-keys",
    usage: "[-FHlMRX] [-N repeat-count] [-t target-pane] key ...",
    shape: { template: "FHlMN:Rt:X", least: 0, most: null },
    target: pane,
    run: sendKeys,
  },
  {
    name: "paste-buffer",
    usage: "[-dpr] [-s separator] [-b buffer-name] [-t target-pane]",
    shape: { template: "db:prs:t:", least: 0, most: 0 },
    target: pane,
    run: paste,
  },
  {
    name: "set-buffer",
    usage: "[-aw] [-b buffer-name] [-n new-buffer-name] [-t target-client] data",
    shape: { template: "ab:t:n:w", least: 0, most: 1 },
    client: { flag: "t", canFail: true },
    run: set,
  },
  {
    name: "load-buffer",
    usage: "[-b buffer-name] [-t target-client] path",
    shape: { template: "b:t:w", least: 1, most: 1 },
    client: { flag: "t", canFail: true },
    run: load,
  },
  {
    name: "show-buffer",
    usage: "[-b buffer-name]",
    shape: { template: "b:", least: 0, most: 0 },
    run: show,
  },
  {
    name: "delete-buffer",
    usage: "[-b buffer-name]",
    shape: { template: "b:", least: 0, most: 0 },
    run: remove,
  },
  {
    name: "list-buffers",
    usage: "[-F format] [-f filter]",
    shape: { template: "F:f:", least: 0, most: 0 },
    run: list,
  },
];
