/**
 * GridLine: one line of a pane, as tmux stores it.
 *
 * It remembers how far it was written, whether the next one continues it, and how much memory tmux
 * has for it, which `history_bytes` shows. A wide character has its second cell empty.
 */
import { cellWidth } from "./CellWidth.js";

const lineBytes = 32;
const cellBytes = 5;
const extendedBytes = 19;

const isExtended = (cell: string | undefined): boolean =>
  cell !== undefined && (cell.length !== 1 || cell.charCodeAt(0) > 0x7f);

/** Columns of a cell; the second half of a wide character has none. */
export const widthOfCell = (cell: string): number =>
  cell === "" ? 0 : Math.max(0, cellWidth(String.fromCodePoint(cell.codePointAt(0) ?? 0x20)));

/** Mutable; owned by its grid. */
export class GridLine {
  cells: Array<string> = [];
  wrapped = false;
  allocated = 0;
  // An entry of a cell that needs more than a byte stays when the cell no longer does.
  private extended = 0;

  get used(): number {
    return this.cells.length;
  }

  put(column: number, cell: string, columns: number): void {
    while (this.cells.length < column) this.cells.push(" ");
    if (isExtended(cell) && !isExtended(this.cells[column])) this.extended++;
    this.cells[column] = cell;
    this.grow(column + 1, columns);
  }

  // tmux grows a line to a quarter, a half or all of the width.
  private grow(end: number, columns: number): void {
    if (end <= this.allocated) return;
    const quarter = Math.floor(columns / 4);
    const half = Math.floor(columns / 2);
    this.allocated = end < quarter ? quarter : end < half ? half : Math.max(end, columns);
  }

  /** Keeps these cells and no more memory than they need. */
  keep(from: number, to: number): void {
    this.cells = this.cells.slice(from, to);
    this.allocated = this.cells.length;
  }

  /** Gives back the entries that no cell needs. */
  compact(): void {
    this.extended = this.cells.filter(isExtended).length;
  }

  clear(): void {
    this.cells = [];
    this.wrapped = false;
    this.allocated = 0;
    this.extended = 0;
  }

  /** Its size in the memory of tmux. */
  bytes(): number {
    return lineBytes + this.allocated * cellBytes + this.extended * extendedBytes;
  }
}
