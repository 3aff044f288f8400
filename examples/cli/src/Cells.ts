/**
 * Cells: how many cells of a terminal a text takes, and what of it fits into so many.
 *
 * As terminals count: a wide character takes two, one that is drawn upon the one before it none.
 * What is drawn of several characters as one, such as a family, is counted as its parts, as most
 * terminals do.
 */
import { eastAsianWidth } from "get-east-asian-width";

const plain = /^[ -~]*$/;

/** Marks, joiners and what picks a variant of the character before. */
const isDrawnUpon = (character: string): boolean =>
  /^[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff]$/u.test(character);

const cellsOfCharacter = (character: string): number =>
  isDrawnUpon(character) ? 0 : eastAsianWidth(character.codePointAt(0) ?? 0);

/** How many cells the text takes; control characters are not expected in it. */
export const cellsOf = (text: string): number => {
  if (plain.test(text)) return text.length;
  let cells = 0;
  for (const character of text) cells += cellsOfCharacter(character);
  return cells;
};

/** The text, or its beginning and an ellipsis where it takes more than so many cells. */
export const fitted = (text: string, most: number): string => {
  if (cellsOf(text) <= most) return text;
  let kept = "";
  let cells = 0;
  for (const character of text) {
    cells += cellsOfCharacter(character);
    // One for the ellipsis.
    if (cells > most - 1) break;
    kept += character;
  }
  return `${kept}…`;
};
