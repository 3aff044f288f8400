/**
 * CharacterSource: the characters of a command text, one at a time, as tmux's lexer reads them.
 *
 * A backslash before a newline joins the lines. Counting lines is part of it, since tmux tells
 * them in errors and groups commands by them.
 */

/** The end of the text. */
export const END_OF_TEXT = "";

/** A reader with one character of put-back. */
export class CharacterSource {
  private readonly characters: ReadonlyArray<string>;
  private at = 0;
  private escapes = 0;

  constructor(
    text: string,
    /** The line that is being read; tmux counts it when it begins the next one. */
    public line: number,
  ) {
    this.characters = [...text];
  }

  private raw(): string {
    const character = this.characters[this.at];
    if (character === undefined) return END_OF_TEXT;
    this.at++;
    return character;
  }

  /** Puts the last character back; the end of the text stays where it is. */
  back(character: string): void {
    if (character !== END_OF_TEXT && this.at > 0) this.at--;
  }

  next(): string {
    if (this.escapes > 0) {
      this.escapes--;
      return "\\";
    }
    for (;;) {
      const character = this.raw();
      if (character === "\\") {
        this.escapes++;
        continue;
      }
      if (character === "\n" && this.escapes % 2 === 1) {
        this.line++;
        this.escapes--;
        continue;
      }
      if (this.escapes > 0) {
        this.back(character);
        this.escapes--;
        return "\\";
      }
      return character;
    }
  }

  /** Reads to the end of the line and tells what ended it. */
  skipLine(): string {
    let character = this.next();
    while (character !== "\n" && character !== END_OF_TEXT) character = this.next();
    return character;
  }
}
