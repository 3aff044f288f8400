/**
 * Screen: what a pane shows, and the little of a terminal that changes it.
 *
 * Text, carriage return, newline (also vertical tab and form feed), backspace and tab; colours are
 * taken and dropped; the cursor moves, lines are erased, bracketed paste is remembered. Any other
 * escape sequence is outside of the model.
 */
import { cellWidth } from "./CellWidth.js";
import { Grid } from "./Grid.js";
import { outsideTheModel } from "./OutsideTheModel.js";

const ESC = "\u001b";
const BEL = "\u0007";

// CSI with its mode, numbers and letter; OSC with its number and text; or a single letter.
const sequence = new RegExp(
  `^${ESC}(?:\\[([?>]?)([0-9;]*)([@-~])|\\]([0-9]+);([^${BEL}${ESC}]*)(?:${BEL}|${ESC}\\\\)|([=>78]))`,
);
const unfinished = new RegExp(`^${ESC}(?:\\[[?>]?[0-9;]*|\\][^${BEL}]*)?$`);

/** The screen of one pane. */
export class Screen {
  readonly grid: Grid;
  column = 0;
  row = 0;
  bracketedPaste = false;
  title: string | null = null;
  private pending = "";

  constructor(columns: number, rows: number, historyLimit: number) {
    this.grid = new Grid(columns, rows, historyLimit);
  }

  /** Shows text of a program. A sequence that is cut waits for its rest. */
  write(text: string): void {
    let rest = this.pending + text;
    this.pending = "";
    while (rest !== "") {
      if (rest.startsWith(ESC)) {
        const match = sequence.exec(rest);
        if (match === null && unfinished.test(rest)) {
          this.pending = rest;
          return;
        }
        if (match === null)
          outsideTheModel(`the escape sequence ${JSON.stringify(rest.slice(0, 8))}`);
        else this.escape(match);
        rest = rest.slice(match?.[0].length ?? 1);
      } else {
        const character = String.fromCodePoint(rest.codePointAt(0) ?? 0);
        this.character(character);
        rest = rest.slice(character.length);
      }
    }
  }

  private character(character: string): void {
    if (character === "\r") this.column = 0;
    else if (/[\n\v\f]/.test(character)) this.linefeed(false);
    else if (character === "\b") this.backspace();
    else if (character === "\t") this.tab();
    else if (character >= " " && character !== "\u007f") this.print(character);
  }

  // To the next multiple of eight, at most to the last column.
  private tab(): void {
    const last = this.grid.columns - 1;
    if (this.column >= last) return;
    this.column = Math.min(last, (Math.floor(this.column / 8) + 1) * 8);
  }

  // Backwards over the end of a line that continues on this one.
  private backspace(): void {
    if (this.column > 0) this.column--;
    else if (this.row > 0 && this.grid.row(this.row - 1).wrapped) {
      this.row--;
      this.column = this.grid.columns - 1;
    }
  }

  private print(character: string): void {
    const width = cellWidth(character);
    if (width < 0) return;
    if (width === 0) {
      const line = this.grid.row(this.row);
      const before = line.cells[this.column - 1];
      if (before !== undefined) line.cells[this.column - 1] = before + character;
      return;
    }
    if (this.column > this.grid.columns - width) {
      this.linefeed(true);
      this.column = 0;
    }
    this.grid.put(this.row, this.column, character, width);
    this.column += width;
  }

  /** The next line, scrolling at the bottom. `wrapped`: it continues this one. */
  linefeed(wrapped: boolean): void {
    if (wrapped) this.grid.row(this.row).wrapped = true;
    if (this.row === this.grid.rows - 1) this.grid.scroll();
    else this.row++;
  }

  private escape(match: RegExpExecArray): void {
    const [, mode, numbers = "", letter, osc, title = ""] = match;
    if (osc !== undefined) {
      if (osc === "0" || osc === "2") this.title = title;
      return;
    }
    if (letter === undefined || letter === "m") return;
    if (mode === "?") this.mode(numbers, letter);
    else this.move(letter, numbers.split(";").map(Number));
  }

  private mode(numbers: string, letter: string): void {
    for (const number of numbers.split(";")) {
      if (number === "2004") this.bracketedPaste = letter === "h";
      else if (!["1", "7", "12", "25"].includes(number)) {
        outsideTheModel(`the terminal mode ${number}`);
      }
    }
  }

  private move(letter: string, [first = 0, second = 0]: ReadonlyArray<number>): void {
    const { columns, rows } = this.grid;
    const count = Math.max(1, first);
    if (letter === "H" || letter === "f") {
      this.row = Math.min(rows, count) - 1;
      this.column = Math.min(columns, Math.max(1, second)) - 1;
    } else if (letter === "A") this.row = Math.max(0, this.row - count);
    else if (letter === "B") this.row = Math.min(rows - 1, this.row + count);
    else if (letter === "C") this.column = Math.min(columns - 1, this.column + count);
    else if (letter === "D") this.column = Math.max(0, this.column - count);
    else if (letter === "K") this.eraseLine(first);
    else if (letter === "J") this.eraseScreen(first);
    else outsideTheModel(`the escape sequence CSI ${letter}`);
  }

  private eraseLine(how: number): void {
    const { columns } = this.grid;
    if (how === 0) this.grid.clearLine(this.row, this.column, columns);
    else this.grid.clearLine(this.row, 0, how === 1 ? this.column + 1 : columns);
  }

  private eraseScreen(how: number): void {
    const [from, to] =
      how === 0 ? [this.row + 1, this.grid.rows] : [0, how === 1 ? this.row : this.grid.rows];
    for (let row = from; row < to; row++) this.grid.clearLine(row, 0, this.grid.columns);
    if (how < 2) this.eraseLine(how);
  }

  /** One line on the last row, below everything that was shown, as for a dead pane. */
  banner(text: string): void {
    this.row = this.grid.rows - 1;
    this.column = 0;
    this.linefeed(true);
    let column = 0;
    for (const character of text) {
      const width = Math.max(0, cellWidth(character));
      if (column + width > this.grid.columns) break;
      if (width > 0) this.grid.put(this.row, column, character, width);
      column += width;
    }
  }

  resize(columns: number, rows: number): void {
    const { column, row } = this;
    const before = { column, line: this.grid.historySize + row };
    const cursor = this.grid.resize(columns, rows, before);
    const seen = cursor.line >= this.grid.historySize;
    this.column = seen ? cursor.column : 0;
    this.row = seen ? cursor.line - this.grid.historySize : 0;
  }

  /** As a new program finds it: blank, above it the history that was. */
  reset(): void {
    this.grid.clearScreen();
    this.row = 0;
    this.column = 0;
    this.bracketedPaste = false;
    this.pending = "";
  }
}
