/**
 * GridReflow: the lines of a pane laid out for another width.
 *
 * A line that is too long is split, and one that was continued takes from the next what fits, as
 * tmux does it: line by line, keeping what is exactly right.
 */
import { GridLine, widthOfCell } from "./GridLine.js";

/** Lays out lines for so many columns. The lines that are given are used up. */
export class GridReflow {
  readonly result: Array<GridLine> = [];
  private readonly dead = new Set<GridLine>();

  constructor(
    private readonly lines: ReadonlyArray<GridLine>,
    private readonly columns: number,
    /** How many lines came into the history by scrolling. */
    public scrolled: number,
  ) {
    lines.forEach((line, at) => {
      if (!this.dead.has(line)) this.line(line, at);
    });
  }

  private line(line: GridLine, at: number): void {
    let width = 0;
    let fits = line.used;
    line.cells.forEach((cell, column) => {
      if (fits === line.used && width + widthOfCell(cell) > this.columns) fits = column;
      width += widthOfCell(cell);
    });
    if (width > this.columns) this.split(line, at, fits);
    else {
      this.result.push(line);
      if (width < this.columns && line.wrapped) this.join(line, at, width);
    }
  }

  private split(line: GridLine, at: number, fits: number): void {
    const rest = line.cells.slice(fits);
    const { wrapped } = line;
    const before = this.result.length;
    line.keep(0, fits);
    line.wrapped = true;
    this.result.push(line);
    let last = new GridLine();
    this.result.push(last);
    let width = 0;
    for (const cell of rest) {
      if (width + widthOfCell(cell) > this.columns) {
        last.wrapped = true;
        last = new GridLine();
        this.result.push(last);
        width = 0;
      }
      width += widthOfCell(cell);
      last.put(last.used, cell, this.columns);
    }
    if (wrapped) last.wrapped = true;
    if (at <= this.scrolled) this.scrolled += this.result.length - before - 1;
    if (width < this.columns && wrapped) this.join(last, at, width);
  }

  // Takes from the lines behind the one at this place what still fits on the target.
  private join(target: GridLine, at: number, start: number): void {
    let width = start;
    let consumed = 0;
    let wrapped = true;
    let want = 0;
    let from: GridLine | null = null;
    for (;;) {
      const next = this.lines[at + 1 + consumed];
      if (next === undefined) break;
      if (!next.wrapped) wrapped = false;
      if (next.used === 0) {
        if (!wrapped) break;
        consumed++;
        continue;
      }
      if (width + widthOfCell(next.cells[0] ?? "") > this.columns) break;
      from = next;
      for (want = 0; want < next.used; want++) {
        const cell = next.cells[want] ?? "";
        if (width + widthOfCell(cell) > this.columns) break;
        width += widthOfCell(cell);
        target.put(target.used, cell, this.columns);
      }
      consumed++;
      if (!wrapped || want !== next.used || width === this.columns) break;
    }
    if (consumed === 0 || from === null) return;
    if (want !== from.used) {
      from.keep(want, from.used);
      consumed--;
    } else if (!wrapped) target.wrapped = false;
    for (let line = at + 1; line < at + 1 + consumed; line++) {
      const gone = this.lines[line];
      if (gone !== undefined) this.dead.add(gone);
    }
    const to = this.result.length - 1;
    if (this.scrolled > to + consumed) this.scrolled -= consumed;
    else if (this.scrolled > to) this.scrolled = to;
  }
}
