/**
 * Table: text for people: aligned columns, and nothing in it that a terminal would obey.
 *
 * Names of directories and arguments of commands come from anywhere, so control characters are
 * shown and not sent. On a terminal the last column, which is free text, is cut to the line, and
 * then the widest of the others; into a pipe everything goes whole and without colour.
 */
import { cellsOf, fitted } from "./Cells.js";

/** Colours of the eight that every terminal has. */
export type Colour = "red" | "green" | "yellow" | "dim";

/** A cell; `colour` applies when colour is wanted at all; what went wrong is `whole`: never cut. */
export interface Cell {
  readonly text: string;
  readonly colour?: Colour | undefined;
  readonly whole?: boolean | undefined;
}

/** What is written on: whether it takes colour, and the cells of its lines; `null` is no bound. */
export interface Paper {
  readonly colour: boolean;
  readonly width: number | null;
}

/** Without colour and without bound, as a pipe is. */
export const plainPaper: Paper = { colour: false, width: null };

const codes: Readonly<Record<Colour, number>> = { red: 31, green: 32, yellow: 33, dim: 2 };

const plain = /^[ -~\n\t]*$/;

/** Made where it is needed: properties of characters take a while to look up. */
const controls = (): RegExp => /(?![\n\t])[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** The text with its control characters spelled out; line ends and tabs stay. */
export const printable = (text: string): string =>
  plain.test(text)
    ? text
    : text.replace(
        controls(),
        (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
      );

/** The same for text that must stay on its line. */
export const printableLine = (text: string): string =>
  printable(text).replaceAll("\n", "\\n").replaceAll("\t", "\\t");

const paint = ({ colour, text }: Cell, colours: boolean): string =>
  colours && colour !== undefined ? `\u001b[${codes[colour]}m${text}\u001b[0m` : text;

const GAP = "  ";

/** The least cells that are left of a column, and that the last one is given. */
const LEAST = 8;

/** The widths as they fit: of what is too much the widest column loses, but for the last. */
const fitting = (widths: ReadonlyArray<number>, width: number): ReadonlyArray<number> => {
  const fit = [...widths.slice(0, -1)];
  const last = Math.min(widths.at(-1) ?? 0, LEAST);
  const room = width - last - GAP.length * fit.length;
  for (let over = fit.reduce((a, b) => a + b, 0) - room; over > 0; over -= 1) {
    const widest = Math.max(...fit);
    if (widest <= LEAST) break;
    fit[fit.indexOf(widest)] = widest - 1;
  }
  return [...fit, ...widths.slice(-1)];
};

/** The row as it fits: what is cut is its last cell first, and never all of a cell. */
const cutTo = (
  cells: ReadonlyArray<Cell>,
  widths: ReadonlyArray<number>,
  width: number,
): ReadonlyArray<Cell> => {
  const before = widths.slice(0, cells.length - 1).reduce((sum, one) => sum + one + GAP.length, 0);
  const last = cells.length - 1;
  return cells.map((cell, column) =>
    cell.whole === true
      ? cell
      : {
          ...cell,
          text: fitted(
            cell.text,
            column === last ? Math.max(1, width - before) : (widths[column] ?? 0),
          ),
        },
  );
};

/** Lines with aligned columns; the last column is not padded. */
export const table = (rows: ReadonlyArray<ReadonlyArray<Cell>>, paper: Paper): string => {
  const clean = rows.map((cells) => cells.map((c) => ({ ...c, text: printableLine(c.text) })));
  const whole = (clean[0] ?? []).map((_, column) =>
    Math.max(...clean.map((cells) => cellsOf(cells[column]?.text ?? ""))),
  );
  const { colour, width } = paper;
  const widths = width === null ? whole : fitting(whole, width);
  return clean
    .map((cells) => (width === null ? cells : cutTo(cells, widths, width)))
    .map((cells) =>
      cells
        .map((c, column) => {
          const padding = " ".repeat(Math.max(0, (widths[column] ?? 0) - cellsOf(c.text)));
          return paint(c, colour) + (column === cells.length - 1 ? "" : padding);
        })
        .join(GAP),
    )
    .map((line) => `${line.trimEnd()}\n`)
    .join("");
};
