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
  /** It is there whatever is cut, where the hashes before it are. */
  readonly isStyle: boolean;
}

/** What is cut in one go: a character, or a run of hashes with the style behind it. */
type Group = ReadonlyArray<Piece>;

const plain = (text: string, width: number): Piece => ({ text, width, isStyle: false });

// A run of hashes, then what it leaves for the style behind it.
const hashes = (text: string): { readonly group: Group; readonly length: number } | null => {
  const run = /^#+/.exec(text)?.[0].length ?? 0;
  const styled = text.charAt(run) === "[";
  const width = styled ? Math.floor(run / 2) : Math.ceil(run / 2);
  const group: Array<Piece> =
    run === 1 && !styled ? [plain("#", 1)] : Array.from({ length: width }, () => plain("##", 1));
  if (!styled || run % 2 === 0) return { group, length: run };
  const end = skipTo(text, run + 1, "]");
  if (end === null) return null;
  group.push({ text: text.slice(run - 1, end + 1), width: 0, isStyle: true });
  return { group, length: end + 1 };
};

// A style that is never closed ends the text.
const groupsOf = (text: string): { groups: ReadonlyArray<Group>; whole: boolean } => {
  const groups: Array<Group> = [];
  for (let at = 0; at < text.length; ) {
    if (text.charAt(at) === "#") {
      const found = hashes(text.slice(at));
      if (found === null) return { groups, whole: false };
      groups.push(found.group);
      at += found.length;
      continue;
    }
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
    const width = cellWidth(character);
    if (width >= 0) groups.push([plain(character, width)]);
    at += character.length;
  }
  return { groups, whole: true };
};

/** How wide a text is; one with a style that is never closed has no width. */
export const formatWidth = (text: string): number => {
  const { groups, whole } = groupsOf(text);
  return whole ? groups.flat().reduce((sum, { width }) => sum + width, 0) : 0;
};

/** The beginning, at most this wide. */
export const trimLeft = (text: string, limit: number): string => {
  let width = 0;
  let out = "";
  for (const group of groupsOf(text).groups) {
    if (width >= limit) break;
    for (const piece of group) {
      if (piece.isStyle || width + piece.width <= limit) out += piece.text;
      width += piece.width;
    }
  }
  return out;
};

/** The end, at most this wide. */
export const trimRight = (text: string, limit: number): string => {
  const skip = formatWidth(text) - limit;
  if (skip <= 0) return text;
  let width = 0;
  let out = "";
  for (const piece of groupsOf(text).groups.flat()) {
    if (piece.isStyle || width >= skip) out += piece.text;
    width += piece.width;
  }
  return out;
};
