/**
 * InputCommands: what is typed and pasted into panes, and the mode that takes it away.
 *
 * The terminal of a pane meets the input when the command list has ended. A dead pane takes
 * keys without a word; a paste into one crashes those servers that it crashes. Of copy mode only
 * that a pane is in it is modelled: keys in it are outside of the model, a paste passes.
 */
import { decodeBytes } from "../ByteOrder.js";
import type { CommandResult, CommandRun, CommandSpec } from "../Command.js";
import { keyText } from "../Keys.js";
import { outsideTheModel } from "../OutsideTheModel.js";
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
  if (run.target.pane?.inCopyMode) outsideTheModel("keys in copy mode");
  const keys = args.texts().map((word) => typed(run, word));
  for (let time = 0; time < times; time++) for (const key of keys) type(run, key);
  return "normal";
};

const copyMode = ({ args, target }: CommandRun): CommandResult => {
  for (const flag of ["e", "H", "M", "s", "u"]) {
    if (args.has(flag)) outsideTheModel(`copy-mode -${flag}`);
  }
  if (target.pane !== null) target.pane.inCopyMode = !args.has("q");
  return "normal";
};

// Tabs pass; what else is a control character would come as its name.
const checkClean = ({ args, server }: CommandRun, text: string): void => {
  const { pasteIsCleaned } = server.rules;
  if (args.has("S") && !pasteIsCleaned) outsideTheModel("paste-buffer -S before 3.7");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are the matter
  const odd = /[\u0000-\u0008\u000b-\u001f\u007f]/.test(text);
  if (pasteIsCleaned && !args.has("S") && odd) outsideTheModel("a paste of control characters");
};

const paste = (run: CommandRun): CommandResult => {
  const { args, server, target } = run;
  const name = args.get("b");
  const buffer = name === null ? server.buffers.top() : server.buffers.find(name);
  if (name !== null && buffer === null) return run.fail(`no buffer ${name}`);
  if (buffer === null || target.pane === null) return "normal";
  if (!target.pane.open && server.rules.deadPasteCrashes) server.crash();
  const separator = args.get("s") ?? (args.has("r") ? "\n" : "\r");
  const data = decodeBytes(buffer.data);
  checkClean(run, data);
  const text = data.replaceAll("\n", separator);
  const brackets = args.has("p") && target.pane.screen.bracketedPaste;
  type(run, brackets ? `\u001b[200~${text}\u001b[201~` : text);
  if (args.has("d")) server.buffers.remove(buffer);
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
    shape: { template: "db:prSs:t:", least: 0, most: 0 },
    target: pane,
    run: paste,
  },
  {
    name: "copy-mode",
    usage: "[-eHMuq] [-s src-pane] [-t target-pane]",
    shape: { template: "eHMs:t:uq", least: 0, most: 0 },
    target: pane,
    run: copyMode,
  },
];
