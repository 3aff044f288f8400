/**
 * BufferCommands: the paste buffers of the server: set, loaded, shown, deleted and listed.
 *
 * What is loaded is what the client has on stdin; a file is outside of the model.
 */
import { decodeBytes } from "../ByteOrder.js";
import type { CommandResult, CommandRun, CommandSpec } from "../Command.js";
import { isTrue } from "../FormatComparison.js";
import { extrasOf, formatContext } from "../FormatContext.js";
import { expandFormat } from "../FormatExpander.js";
import { outsideTheModel } from "../OutsideTheModel.js";
import type { PasteBuffer } from "../PasteBuffers.js";

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
export const bufferCommands: ReadonlyArray<CommandSpec> = [
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
