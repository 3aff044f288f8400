/**
 * FormatTrim: cutting text to a width, as tmux cuts it in `#{=N:}`.
 *
 * Columns are counted, not characters: `##` is one and a style (`#[…]`) none. A wide character that
 * would be cut in half is left out. It knows nothing of what the text means.
 */
import { cellWidth } from "./CellWidth.js";
import { skipTo } from "./FormatText.js";

interface Piece {
  readonly text: string;
  readonly width: number;
}

// A run of hashes, then what it leaves for the style behind it.
const hashes = (
  text: string,
): { readonly pieces: Array<Piece>; readonly length: number } | null => {
  const run = /^#+/.exec(text)?.[0].length ?? 0;
  const styled = text.charAt(run) === "[";
  const width = styled ? Math.floor(run / 2) : Math.ceil(run / 2);
  const pieces: Array<Piece> =
    run === 1 && !styled
      ? [{ text: "#", width: 1 }]
      : Array.from({ length: width }, () => ({ text: "##", width: 1 }));
  if (!styled || run % 2 === 0) return { pieces, length: run };
  const end = skipTo(text, run + 1, "]");
  if (end === null) return null;
  pieces.push({ text: text.slice(run - 1, end + 1), width: 0 });
  return { pieces, length: end + 1 };
};

const piecesOf = (text: string): ReadonlyArray<Piece> => {
  const pieces: Array<Piece> = [];
  for (let at = 0; at < text.length; ) {
    if (text.charAt(at) === "#") {
      const found = hashes(text.slice(at));
      if (found === null) break;
      pieces.push(...found.pieces);
      at += found.length;
      continue;
    }
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
    const width = cellWidth(character);
    if (width >= 0) pieces.push({ text: character, width });
    at += character.length;
  }
  return pieces;
};

/** The beginning, at most this wide. */
export const trimLeft = (text: string, limit: number): string => {
  let width = 0;
  let out = "";
  for (const piece of piecesOf(text)) {
    if (width >= limit) break;
    if (width + piece.width <= limit) out += piece.text;
    width += piece.width;
  }
  return out;
};

/** The end, at most this wide. */
export const trimRight = (text: string, limit: number): string => {
  const pieces = piecesOf(text);
  const skip = pieces.reduce((sum, { width }) => sum + width, 0) - limit;
  if (skip <= 0) return text;
  let width = 0;
  let out = "";
  for (const piece of pieces) {
    if (width >= skip || piece.width === 0) out += piece.text;
    width += piece.width;
  }
  return out;
};
