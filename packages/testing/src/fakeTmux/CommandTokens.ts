/**
 * CommandTokens: a text of commands as words and separators.
 *
 * Comments are dropped and lines are counted, as tmux counts them: a line begins when its first
 * token is read. Conditions (`%if`) are outside of the model.
 */
import { CharacterSource, END_OF_TEXT } from "./CharacterSource.js";
import { outsideTheModel } from "./OutsideTheModel.js";
import { BadWord, type WordEnvironment, WordReader } from "./WordReader.js";

/** A word, or what separates words and commands. */
export type Token = { readonly word: string } | "\n" | ";" | "{" | "}" | "hidden" | "end";

/** The lexer of one text, with one token of look-ahead. */
export class CommandTokens {
  readonly source: CharacterSource;
  private readonly words: WordReader;
  private endOfLine = false;
  private ended = false;
  private ahead: Token | null = null;

  constructor(text: string, line: number, environment: WordEnvironment) {
    this.source = new CharacterSource(text, line);
    this.words = new WordReader(this.source, environment);
  }

  peek(): Token {
    this.ahead ??= this.read();
    return this.ahead;
  }

  next(): Token {
    const token = this.peek();
    this.ahead = null;
    return token;
  }

  private read(): Token {
    if (this.endOfLine) this.source.line++;
    this.endOfLine = false;
    for (;;) {
      const character = this.source.next();
      if (character === END_OF_TEXT) {
        if (this.ended) return "end";
        this.ended = true;
        return "\n";
      }
      if (character === " " || character === "\t") continue;
      if (character === "\n") {
        this.endOfLine = true;
        return "\n";
      }
      if (character === ";" || character === "{" || character === "}") return character;
      if (character === "#") {
        if (this.source.skipLine() !== "\n") continue;
        this.source.line++;
        return "\n";
      }
      return character === "%" ? this.percent() : { word: this.words.read(character) };
    }
  }

  // A word that begins with % is a directive unless it is all digits and %.
  private percent(): Token {
    let word = "";
    let character = "%";
    do {
      word += character;
      character = this.source.next();
    } while (character !== END_OF_TEXT && !" \t\n".includes(character));
    this.source.back(character);
    if (/^[%0-9]+$/.test(word)) return { word };
    if (word === "%hidden") return "hidden";
    if (/^%(if|elif|else|endif)$/.test(word)) outsideTheModel(`the directive ${word}`);
    throw new BadWord(null);
  }
}

/** Whether a token is a word. */
export const isWord = (token: Token): token is { readonly word: string } =>
  typeof token === "object";
