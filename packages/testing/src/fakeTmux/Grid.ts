/**
 * Grid: the lines of a pane, its history first.
 *
 * Lines that scroll out of the top go into the history, as far as there is one. A change of size
 * moves lines between the two and lays them out anew; the cursor stays with its text.
 */
import { GridLine } from "./GridLine.js";
import { GridReflow } from "./GridReflow.js";

/** A place by column, and by line from the oldest of the history. */
export interface GridPlace {
  readonly column: number;
  readonly line: number;
}

const blank = (count: number): Array<GridLine> =>
  Array.from({ length: Math.max(0, count) }, () => new GridLine());

/** Lines of one pane. */
export class Grid {
  private lines: Array<GridLine>;
  historySize = 0;
  private scrolled = 0;

  constructor(
    public columns: number,
    public rows: number,
    readonly historyLimit: number,
  ) {
    this.lines = blank(rows);
  }

  get length(): number {
    return this.lines.length;
  }

  /** A line by its number from the oldest of the history. */
  line(at: number): GridLine {
    return this.lines[at] ?? new GridLine();
  }

  /** A line of the screen. */
  row(row: number): GridLine {
    return this.line(this.historySize + row);
  }

  put(row: number, column: number, character: string, width: number): void {
    const line = this.row(row);
    line.put(column, character, this.columns);
    for (let at = column + 1; at < column + width; at++) line.put(at, "", this.columns);
  }

  clearLine(row: number, from: number, to: number): void {
    const line = this.row(row);
    if (from === 0 && to >= this.columns) {
      line.clear();
      return;
    }
    for (let column = from; column < Math.min(to, line.used); column++) line.cells[column] = " ";
    if (to >= this.columns) line.cells.length = Math.min(line.used, from);
  }

  /** Moves everything up by one line: into the history, when there is one. */
  scroll(): void {
    if (this.historyLimit === 0) this.lines.shift();
    else {
      if (this.historySize >= this.historyLimit) this.trim();
      this.row(0).compact();
      this.historySize++;
      this.scrolled++;
    }
    this.lines.push(new GridLine());
  }

  private trim(): void {
    const count = Math.min(this.historySize, Math.max(1, Math.floor(this.historyLimit / 10)));
    this.lines.splice(0, count);
    this.historySize -= count;
    this.scrolled = Math.min(this.scrolled, this.historySize);
  }

  clearHistory(): void {
    this.lines.splice(0, this.historySize);
    this.historySize = 0;
    this.scrolled = 0;
  }

  /** Clears the screen and leaves the history. */
  clearScreen(): void {
    for (let row = 0; row < this.rows; row++) this.row(row).clear();
    if (this.historySize > 0) this.line(this.historySize - 1).wrapped = false;
  }

  /** The size of all lines in the memory of tmux. */
  bytes(): number {
    return this.lines.reduce((sum, line) => sum + line.bytes(), 0);
  }

  /** Changes the size; gives the cursor's new place. */
  resize(columns: number, rows: number, cursor: GridPlace): GridPlace {
    const reflows = columns !== this.columns;
    this.columns = columns;
    const line = rows === this.rows ? cursor.line : this.changeRows(rows, cursor.line);
    return reflows ? this.reflow({ column: cursor.column, line }) : { ...cursor, line };
  }

  // A shorter screen first loses lines below the cursor, then gives lines to the history; a taller
  // one takes back what had scrolled.
  private changeRows(rows: number, cursor: number): number {
    const before = this.rows;
    this.rows = rows;
    if (rows > before) {
      const back = this.historyLimit === 0 ? 0 : Math.min(rows - before, this.scrolled);
      this.scrolled -= back;
      this.historySize -= back;
      this.lines.push(...blank(rows - before - back));
      return cursor;
    }
    const row = cursor - this.historySize;
    const spare = Math.min(before - rows, before - 1 - row);
    this.lines.splice(this.lines.length - spare, spare);
    const rest = before - rows - spare;
    if (this.historyLimit > 0) {
      this.scrolled += rest;
      this.historySize += rest;
      return cursor;
    }
    const lost = Math.min(rest, row);
    this.lines.splice(0, lost);
    this.lines.length = rows;
    return cursor - lost;
  }

  private reflow(cursor: GridPlace): GridPlace {
    const place = this.unlaid(cursor);
    const { result, scrolled } = new GridReflow(this.lines, this.columns, this.scrolled);
    this.lines = [...result, ...blank(this.rows - result.length)];
    this.historySize = this.lines.length - this.rows;
    this.scrolled = Math.min(scrolled, this.historySize);
    return this.laid(place);
  }

  // A place by logical lines: behind the end of one is `null`.
  private unlaid({ column, line }: GridPlace): { column: number | null; line: number } {
    let columns = 0;
    let logical = 0;
    for (const each of this.lines.slice(0, line)) {
      columns = each.wrapped ? columns + each.used : 0;
      if (!each.wrapped) logical++;
    }
    const behind = column >= this.line(line).used;
    return { column: behind ? null : columns + column, line: logical };
  }

  private laid(place: { column: number | null; line: number }): GridPlace {
    let line = 0;
    for (let logical = 0; line < this.lines.length - 1 && logical < place.line; line++) {
      if (!this.line(line).wrapped) logical++;
    }
    if (place.column === null) {
      while (this.line(line).wrapped) line++;
      return { column: this.line(line).used, line };
    }
    let { column } = place;
    while (this.line(line).wrapped && column >= this.line(line).used) {
      column -= this.line(line).used;
      line++;
    }
    return { column, line };
  }
}
