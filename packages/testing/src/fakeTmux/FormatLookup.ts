/**
 * FormatLookup: the value of a name in a format: an option, a key, a name of the command, or a
 * variable of the environment, in that order.
 *
 * An option of the server wins over one of the same name in pane, window and session.
 */
import type { FormatContext } from "./FormatContext.js";
import { type FormatValue, formatKeys } from "./FormatKeys.js";
import type { Modifier } from "./FormatModifiers.js";
import { withoutEscapes } from "./FormatText.js";
import { parseOptionName } from "./KnownOptions.js";
import type { OptionSet } from "./OptionSet.js";
import { outsideTheModel } from "./OutsideTheModel.js";
import { ctime, strftime } from "./Strftime.js";
import { strtonum } from "./Strtonum.js";

const optionValue = (context: FormatContext, key: string): string | null => {
  const { pane, server, session, window } = context;
  const name = parseOptionName(key);
  if (name === null) return null;
  const known = server.known.find(name.name);
  // Most names are keys, under which nothing is kept but by an option of the same name.
  if (known === null && formatKeys.has(key)) return null;
  const sets: ReadonlyArray<OptionSet | undefined> = [
    server.serverOptions,
    pane?.options,
    window?.options,
    server.windowOptions,
    session?.options,
    server.sessionOptions,
  ];
  for (const set of sets) {
    const value = set?.get(name.name) ?? null;
    if (value === null) continue;
    if (typeof value !== "string") return value.get(name.index) ?? "";
    return known?.kind._tag === "Flag" ? (value === "on" ? "1" : "0") : value;
  }
  return null;
};

const environmentValue = (context: FormatContext, key: string): string | null => {
  const found = context.session?.environment.find(key) ?? context.server.environment.find(key);
  return found?.value ?? null;
};

const find = (context: FormatContext, key: string, timed: boolean): FormatValue => {
  const option = optionValue(context, key);
  if (option !== null) return option;
  const keyed = formatKeys.get(key);
  if (keyed !== undefined) return keyed(context);
  const extra = context.extras.get(key);
  if (extra !== undefined) return extra;
  return timed ? null : environmentValue(context, key);
};

const timeText = (value: FormatValue, modifier: Modifier): string | null => {
  const parsed = typeof value === "string" ? strtonum(value, 0, Number.MAX_SAFE_INTEGER) : value;
  const seconds = typeof parsed === "object" && parsed !== null ? parsed.seconds : parsed;
  if (typeof seconds !== "number" || seconds === 0) return null;
  const [flags = "", format] = modifier.args;
  if (flags.includes("p")) outsideTheModel("pretty times in formats");
  if (flags.includes("f") && format !== undefined) return strftime(withoutEscapes(format), seconds);
  return ctime(seconds);
};

const directory = (path: string): string => {
  const trimmed = path.replace(/(?<=.)\/+$/, "");
  const slash = trimmed.lastIndexOf("/");
  if (slash < 0) return ".";
  return trimmed.slice(0, slash).replace(/(?<=.)\/+$/, "") || "/";
};

const base = (path: string): string => {
  if (path === "") return ".";
  const trimmed = path.replace(/(?<=.)\/+$/, "");
  return trimmed === "/" ? "/" : trimmed.slice(trimmed.lastIndexOf("/") + 1);
};

/** The value of a name, `null` when nothing has that name. */
export const lookUp = (
  context: FormatContext,
  key: string,
  modifiers: ReadonlyArray<Modifier>,
): string | null => {
  const timed = modifiers.findLast(({ name }) => name === "t");
  const value = find(context, key, timed !== undefined);
  if (timed !== undefined) return timeText(value, timed);
  if (value === null) return null;
  let text = typeof value === "string" ? value : String(value.seconds);
  for (const { args, name } of modifiers) {
    if (name === "b") text = base(text);
    if (name === "d") text = directory(text);
    if (name !== "q") continue;
    if (args.length === 0) text = text.replace(/[|&;<>()$`\\"'*?[# =%]/g, "\\$&");
    else if (/[eh]/.test(args[0] ?? "")) text = text.replaceAll("#", "##");
  }
  return text;
};
