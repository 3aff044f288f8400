/**
 * Tty: the terminal line between a pane and what runs in it.
 *
 * Cooked at first: what is typed is echoed, held until a newline and edited with backspace and
 * Ctrl-U; Ctrl-C interrupts and Ctrl-D ends the input. What comes at once is echoed whole before
 * the program meets any of it, and a Ctrl-C in it takes back all that came before. After `setRaw`
 * bytes pass as they come.
 */

import { outsideTheModel } from "./OutsideTheModel.js";

/** What the other side of the line is. */
export interface TtyEnds {
  /** Shows bytes on the screen of the pane. */
  readonly show: (text: string) => void;
  /** Interrupts what runs in the foreground. */
  readonly interrupt: () => void;
  /** The column of the cursor. */
  readonly column: () => number;
}

// Flow control, words, quoting, job control: the line would do more with them.
const unknownKeys = new Set("\u0011\u0012\u0013\u0016\u0017\u001a\u001c");

const columnsOf = (character: string): number => (character < " " ? 2 : 1);

const controlName = (character: string): string =>
  `^${String.fromCharCode(character.charCodeAt(0) ^ 0x40)}`;

/** One line. It carries nothing after `close`. */
export class Tty {
  /** The process group in the foreground. */
  foreground = 0;
  reader: ((text: string) => void) | null = null;
  private line = "";
  private unread = "";
  private cooked = true;
  private closed = false;
  /** What the program meets of the input that is read now. */
  private met: Array<() => void> = [];
  /** Where the line began. */
  private lineColumn = 0;

  constructor(private readonly ends: TtyEnds) {}

  close(): void {
    this.closed = true;
  }

  setRaw(): void {
    this.cooked = false;
    this.read(this.line);
    this.line = "";
  }

  /** From the program: newlines become carriage return and newline. */
  output(text: string): void {
    if (!this.closed) this.ends.show(text.replaceAll("\n", "\r\n"));
  }

  /** From the pane: what was typed or pasted. */
  input(text: string): void {
    if (this.closed) return;
    if (!this.cooked) {
      this.read(text);
      return;
    }
    const interrupt = text.lastIndexOf("\u0003");
    if (interrupt >= 0) this.line = "";
    for (const character of text.slice(Math.max(0, interrupt))) this.type(character);
    for (const meet of this.met.splice(0)) meet();
  }

  private later(text: string): void {
    this.met.push(() => this.read(text));
  }

  private echo(text: string): void {
    this.ends.show(text);
  }

  private erase(): void {
    const characters = [...this.line];
    const last = characters.pop();
    if (last === undefined) return;
    this.line = characters.join("");
    if (last === "\t") this.echo("\b".repeat(this.tabWidth(characters)));
    else this.echo("\b \b".repeat(columnsOf(last)));
  }

  // How far a tab behind these characters went: to the next multiple of eight.
  private tabWidth(before: ReadonlyArray<string>): number {
    const tab = before.lastIndexOf("\t");
    const columns = before.slice(tab + 1).reduce((sum, each) => sum + columnsOf(each), 0);
    return 8 - ((columns + (tab < 0 ? this.lineColumn : 0)) % 8);
  }

  private type(character: string): void {
    if (this.line === "") this.lineColumn = this.ends.column();
    if (unknownKeys.has(character)) {
      outsideTheModel(`the key ${controlName(character)} in a cooked terminal`);
    }
    if (character === "\r" || character === "\n") {
      this.echo("\r\n");
      const line = `${this.line}\n`;
      this.line = "";
      this.later(line);
    } else if (character === "\u007f") this.erase();
    else if (character === "\u0015") while (this.line !== "") this.erase();
    else if (character === "\u0003") {
      this.echo("^C");
      this.met.push(() => this.ends.interrupt());
    } else if (character === "\u0004") {
      const line = this.line === "" ? character : this.line;
      this.line = "";
      this.later(line);
    } else {
      this.line += character;
      this.echo(character < " " && character !== "\t" ? controlName(character) : character);
    }
  }

  // A program that has not asked for input yet gets it when it does.
  private read(text: string): void {
    if (this.reader === null) this.unread += text;
    else if (text !== "") this.reader(text);
  }

  /** Hands over what came before there was a reader. */
  flush(): void {
    if (this.reader === null || this.unread === "") return;
    const text = this.unread;
    this.unread = "";
    for (const part of this.cooked ? text.split(/(?<=\n)/) : [text]) this.read(part);
  }
}
