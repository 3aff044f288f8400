/**
 * CommandGrammar: a text of commands, or an argv, taken apart into commands and their words.
 *
 * The language is that of tmux's configuration files without its conditions (`%if`). It is only
 * the shape: whether a command exists and takes these words is decided in `CommandBuilder`.
 */
import { CommandTokens, isWord } from "./CommandTokens.js";
import { BadWord, isAssignment, type WordEnvironment } from "./WordReader.js";

/** A word, or commands in braces. */
export type ParsedWord = string | ReadonlyArray<ParsedCommand>;

/** A command before its name is looked up. Commands of one line fail together. */
export interface ParsedCommand {
  readonly line: number;
  readonly words: ReadonlyArray<ParsedWord>;
}

/** A text that is no list of commands. */
export class SyntaxFailure {
  constructor(
    readonly line: number,
    readonly message: string,
  ) {}
}

/** What a text may refer to and set while it is read. */
export interface GrammarEnvironment extends WordEnvironment {
  /** `NAME=value` before a command sets the server's global environment at once. */
  readonly assign: (assignment: string, hidden: boolean) => void;
}

class Parser {
  private readonly tokens: CommandTokens;

  constructor(
    text: string,
    line: number,
    private readonly environment: GrammarEnvironment,
  ) {
    this.tokens = new CommandTokens(text, line, environment);
  }

  parse(): ReadonlyArray<ParsedCommand> | SyntaxFailure {
    try {
      return this.block(false);
    } catch (error) {
      if (!(error instanceof BadWord)) throw error;
      return new SyntaxFailure(this.tokens.source.line, error.message ?? "syntax error");
    }
  }

  private block(inBraces: boolean): Array<ParsedCommand> {
    const commands: Array<ParsedCommand> = [];
    for (;;) {
      const token = this.tokens.peek();
      if (token === "\n") this.tokens.next();
      else if (token === (inBraces ? "}" : "end")) {
        this.tokens.next();
        return commands;
      } else if (token === "hidden") this.hidden();
      else if (isWord(token)) commands.push(...this.statement(inBraces));
      else throw new BadWord(null);
    }
  }

  private hidden(): void {
    this.tokens.next();
    const token = this.tokens.next();
    if (!isWord(token) || !isAssignment(token.word)) throw new BadWord(null);
    this.environment.assign(token.word, true);
  }

  private statement(inBraces: boolean): Array<ParsedCommand> {
    let commands: Array<ParsedCommand> = [];
    for (;;) {
      const command = this.command();
      const separated = this.tokens.peek() === ";";
      if (command.words.length > 0) commands.push(command);
      // An assignment behind a `;` drops what stood before it, as in tmux.
      else commands = [];
      while (this.tokens.peek() === ";") this.tokens.next();
      const token = this.tokens.peek();
      if (token === "\n" || (inBraces && token === "}")) return commands;
      if (!isWord(token) || !separated) throw new BadWord(null);
    }
  }

  private command(): ParsedCommand {
    const words: Array<ParsedWord> = [];
    const first = this.tokens.peek();
    if (isWord(first) && isAssignment(first.word)) {
      this.environment.assign(first.word, false);
      this.tokens.next();
    }
    const name = this.tokens.peek();
    if (isWord(name) && !isAssignment(name.word)) {
      words.push(name.word);
      this.tokens.next();
      for (;;) {
        const token = this.tokens.peek();
        if (isWord(token)) words.push(token.word);
        else if (token !== "{") break;
        this.tokens.next();
        if (token === "{") words.push(this.block(true));
      }
    }
    // The token behind the command has been read by now, as tmux's parser has.
    this.tokens.peek();
    return { line: this.tokens.source.line, words };
  }
}

/** The commands of a text, whose first line has this number. */
export const parseCommandText = (
  text: string,
  line: number,
  environment: GrammarEnvironment,
): ReadonlyArray<ParsedCommand> | SyntaxFailure => new Parser(text, line, environment).parse();

/** The commands of an argv: an element that ends in `;` ends its command, `\;` is a plain `;`. */
export const parseArgv = (argv: ReadonlyArray<string>): ReadonlyArray<ParsedCommand> => {
  const commands: Array<ParsedCommand> = [];
  let words: Array<string> = [];
  for (const element of argv) {
    const ends = element.endsWith(";") && !element.endsWith("\\;");
    const word = element.endsWith("\\;")
      ? `${element.slice(0, -2)};`
      : ends
        ? element.slice(0, -1)
        : element;
    if (!ends || word !== "") words.push(word);
    if (!ends) continue;
    commands.push({ line: 0, words });
    words = [];
  }
  return words.length === 0 ? commands : [...commands, { line: 0, words }];
};
