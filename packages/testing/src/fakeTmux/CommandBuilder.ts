/**
 * CommandBuilder: commands taken apart into words become commands that can run.
 *
 * The whole list is checked before anything runs: an unknown name, flag or number of words refuses
 * all of it. Commands of one line are one group: an error ends the group, not the list.
 */
import { type ArgumentValue, BadArguments, parseArguments, USAGE } from "./Arguments.js";
import { Command, CommandList } from "./Command.js";
import {
  type GrammarEnvironment,
  type ParsedCommand,
  type ParsedWord,
  parseArgv,
  parseCommandText,
  SyntaxFailure,
} from "./CommandGrammar.js";
import { findCommandName } from "./CommandNames.js";
import { commandSpecs } from "./CommandSpecs.js";
import { outsideTheModel } from "./OutsideTheModel.js";
import type { Server } from "./Server.js";

/** A list that does not parse. `getopt` is what the client itself prints before the error. */
export class ParseFailure {
  constructor(
    readonly message: string,
    readonly getopt: string | null = null,
  ) {}
}

/** Where a text stands, for its errors. */
export interface TextSource {
  /** `null` for text that was given as an argument of an argv. */
  readonly file: string | null;
  readonly line: number;
  /** Lines do not end groups. */
  readonly oneGroup: boolean;
}

/** Builds lists for one server. */
export class CommandBuilder {
  private line = 0;
  private inAlias = false;

  constructor(
    private readonly server: Server,
    private readonly source: TextSource,
  ) {}

  private get environment(): GrammarEnvironment {
    const { environment } = this.server;
    return {
      variable: (name) => environment.find(name)?.value ?? null,
      home: (user) =>
        user === ""
          ? environment.find("HOME")?.value || this.server.machine.settings.home
          : outsideTheModel(`~${user}`),
      assign: (assignment, hidden) => environment.put(assignment, hidden),
    };
  }

  private fail(message: string, getopt: string | null = null): ParseFailure {
    const { file } = this.source;
    return new ParseFailure(file === null ? message : `${file}:${this.line}: ${message}`, getopt);
  }

  text(text: string): CommandList | ParseFailure {
    const parsed = parseCommandText(text, this.source.line, this.environment);
    if (parsed instanceof SyntaxFailure) {
      this.line = parsed.line;
      return this.fail(parsed.message);
    }
    return this.list(parsed);
  }

  list(parsed: ReadonlyArray<ParsedCommand>): CommandList | ParseFailure {
    const commands: Array<Command> = [];
    let group = this.server.machine.nextGroup();
    let line: number | null = null;
    for (const each of parsed) {
      if (line !== null && line !== each.line && !this.source.oneGroup) {
        group = this.server.machine.nextGroup();
      }
      line = each.line;
      this.line = each.line;
      const built = this.expandAlias(each) ?? this.command(each);
      if (built instanceof ParseFailure) return built;
      for (const command of built) {
        command.group = group;
        commands.push(command);
      }
    }
    return new CommandList(commands, this.server.rules.dollar);
  }

  private expandAlias(parsed: ParsedCommand): ReadonlyArray<Command> | ParseFailure | null {
    const [name, ...rest] = parsed.words;
    if (this.inAlias) return null;
    if (typeof name !== "string") return [];
    const aliases = this.server.serverOptions.get("command-alias");
    const texts = typeof aliases === "object" && aliases !== null ? aliases.values() : [];
    const head = `${name}=`;
    const alias = [...texts].find((text) => text.startsWith(head));
    if (alias === undefined) return null;
    const inner = parseCommandText(alias.slice(head.length), this.line, this.environment);
    if (inner instanceof SyntaxFailure) return this.fail(inner.message);
    const last = inner.at(-1);
    if (last === undefined) return [];
    this.inAlias = true;
    const built = this.list([...inner.slice(0, -1), { ...last, words: [...last.words, ...rest] }]);
    this.inAlias = false;
    return built instanceof ParseFailure ? built : built.commands;
  }

  private words(words: ReadonlyArray<ParsedWord>): Array<ArgumentValue> | ParseFailure {
    const values: Array<ArgumentValue> = [];
    for (const word of words) {
      const value = typeof word === "string" ? word : this.list(word);
      if (value instanceof ParseFailure) return value;
      values.push(value);
    }
    return values;
  }

  private command(parsed: ParsedCommand): ReadonlyArray<Command> | ParseFailure {
    const words = this.words(parsed.words);
    if (words instanceof ParseFailure) return words;
    const [name] = words;
    if (typeof name !== "string") return this.fail("no command");
    const found = findCommandName(name);
    if ("error" in found) return this.fail(found.error);
    const spec = commandSpecs.get(found.name) ?? outsideTheModel(`the command ${found.name}`);
    const { flagNeedsValue, getoptErrors } = this.server.rules;
    const args = parseArguments(spec.shape, words, flagNeedsValue || getoptErrors);
    const usage = `usage: ${spec.name} ${spec.usage}`;
    if (args === USAGE) return this.fail(usage);
    if (!(args instanceof BadArguments)) {
      return [new Command(spec, args, 0, this.source.file, this.line)];
    }
    if (!getoptErrors) return this.fail(`command ${spec.name}: ${args.message}`);
    const flag = /^(?:unknown|invalid) flag -(.)$/.exec(args.message)?.[1];
    const needs = /^-(.) expects an argument$/.exec(args.message)?.[1];
    const getopt =
      flag !== undefined
        ? `tmux: unknown option -- ${flag}`
        : needs !== undefined
          ? `tmux: option requires an argument -- ${needs}`
          : null;
    return this.fail(usage, getopt);
  }
}

/** The list of an argv. */
export const buildArgv = (
  server: Server,
  argv: ReadonlyArray<string>,
): CommandList | ParseFailure => {
  const parsed = parseArgv(argv);
  const empty = parsed.some(({ words }) => words.length === 0);
  if (empty && server.rules.emptyCommandFails) return new ParseFailure("empty command");
  return new CommandBuilder(server, { file: null, line: 0, oneGroup: false }).list(parsed);
};
