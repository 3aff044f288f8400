/**
 * SocketNamed: the socket that a tmux command line names, read as tmux reads it.
 *
 * Its flags stand in front, alone or several in one word, with their value behind them or in the
 * next word (`getopt` in tmux.c, the same from 3.2 to 3.7); what follows them is a command, whose
 * flags mean something else. The last of several counts.
 */

/** The flags of tmux that have a value. */
const VALUED = "cfLST";

/** What `-S` names in these words, of which the first is the program; `null` where none does. */
export const socketNamed = (words: ReadonlyArray<string>): string | null => {
  let named: string | null = null;
  for (let at = 1; at < words.length; at++) {
    const word = words[at] ?? "";
    if (!word.startsWith("-") || word === "-" || word === "--") break;
    const flag = [...word].findIndex((letter, index) => index > 0 && VALUED.includes(letter));
    if (flag === -1) continue;
    const rest = word.slice(flag + 1);
    if (rest === "") at += 1;
    if (word[flag] === "S") named = rest === "" ? words[at] || null : rest;
  }
  return named;
};
