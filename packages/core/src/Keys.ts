/**
 * Keys: the names of keys that can be pressed in a terminal, as one table.
 *
 * tmux types a word that is no key as text, and drops some keys that it knows without a word
 * (`C-Enter`, `C-1`; measured on 3.3a: each row here sends something, and nothing else is in it).
 * So a name is looked up here before anything is done. Names are tmux's, in any case; `C-`, `M-`
 * and `S-` stand in front of them.
 */

const editing = ["Enter", "Escape", "Space", "Tab", "BTab", "BSpace"];

const moving = [
  ...["Up", "Down", "Left", "Right", "Home", "End", "IC", "Insert", "DC", "Delete"],
  ...["PPage", "PageUp", "PgUp", "NPage", "PageDown", "PgDn"],
  ...Array.from({ length: 12 }, (_, index) => `F${index + 1}`),
];

const canonical = new Map([...editing, ...moving].map((name) => [name.toLowerCase(), name]));

/** The names of keys, without modifiers; a character is a key as well. */
export const keyNames: ReadonlyArray<string> = [...canonical.values()];

/** Whether the key sends something with these modifiers, which are in order. */
const isSent = (modifiers: string, key: string): boolean => {
  if (moving.includes(key)) return true;
  const controlled = key === "Space" || /^[A-Za-z@[\\\]^_?]$/.test(key);
  return ["", "M"].includes(modifiers) || (controlled && ["C", "CM"].includes(modifiers));
};

/** The key as tmux names it; `null` for a word that is none. */
export const keyOf = (word: string): string | null => {
  const [, front = "", rest = ""] = /^((?:[CMS]-)*)(.+)$/.exec(word) ?? [];
  const key = /^[!-~]$/.test(rest) ? rest : canonical.get(rest.toLowerCase());
  const modifiers = ["C", "M", "S"].filter((modifier) => front.includes(`${modifier}-`));
  if (key === undefined || front.length !== 2 * modifiers.length) return null;
  if (!isSent(modifiers.join(""), key)) return null;
  return [...modifiers, key].join("-");
};
