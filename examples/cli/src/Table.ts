/**
 * Table: text for people: aligned columns, and nothing in it that a terminal would obey.
 *
 * Names of directories and arguments of commands come from anywhere, so control characters are
 * shown and not sent. Colour is asked for by the caller, and is never in what goes into a pipe.
 */

/** Colours of the eight that every terminal has. */
export type Colour = "red" | "green" | "yellow" | "dim";

/** A cell; `colour` applies when colour is wanted at all. */
export interface Cell {
  readonly text: string;
  readonly colour?: Colour | undefined;
}

const codes: Readonly<Record<Colour, number>> = { red: 31, green: 32, yellow: 33, dim: 2 };

const controls = /(?![\n\t])[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** The text with its control characters spelled out; line ends and tabs stay. */
export const printable = (text: string): string =>
  text.replace(
    controls,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

/** The same for text that must stay on its line. */
export const printableLine = (text: string): string =>
  printable(text).replaceAll("\n", "\\n").replaceAll("\t", "\\t");

const paint = ({ colour, text }: Cell, colours: boolean): string =>
  colours && colour !== undefined ? `\u001b[${codes[colour]}m${text}\u001b[0m` : text;

/** Lines with aligned columns; the last column is not padded. */
export const table = (rows: ReadonlyArray<ReadonlyArray<Cell>>, colours: boolean): string => {
  const clean = rows.map((cells) => cells.map((c) => ({ ...c, text: printableLine(c.text) })));
  const widths = (clean[0] ?? []).map((_, column) =>
    Math.max(...clean.map((cells) => cells[column]?.text.length ?? 0)),
  );
  return clean
    .map((cells) =>
      cells
        .map((c, column) => {
          const padding = " ".repeat(Math.max(0, (widths[column] ?? 0) - c.text.length));
          return paint(c, colours) + (column === cells.length - 1 ? "" : padding);
        })
        .join("  "),
    )
    .map((line) => `${line.trimEnd()}\n`)
    .join("");
};
