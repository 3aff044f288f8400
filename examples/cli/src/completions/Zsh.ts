/**
 * Zsh: the script with which zsh completes the command line. Pure.
 *
 * It walks the words in front of the cursor to the place that they lead to, and tells beside each
 * word what it does.
 */
import { type Place, type Values, valuedIn } from "./Words.js";

/** In single quotes, with the colon that ends the word. */
const described = (word: string, help: string): string =>
  `'${word}:${help.replaceAll("'", "'\\''").replaceAll(":", "\\:")}'`;

const generated = (values: Values): string => {
  if (values === "directory") return "_files -/";
  if (values === "file") return "_files";
  return values === "anything" ? "_message value" : `compadd -- ${values.join(" ")}`;
};

const wordsOf = ({ name, options, words }: Place): string =>
  [
    `    '${name}')`,
    `      found=(${words.map(({ help, word }) => described(word, help)).join(" ")})`,
    `      options=(${options.map(({ help, name }) => described(`--${name}`, help)).join(" ")})`,
    "      ;;",
  ].join("\n");

/** The script. */
export const zsh = (places: ReadonlyArray<Place>): string => {
  const valued = valuedIn(places);
  const steps = places.flatMap(({ name, words }) => words.map(({ word }) => `'${name} ${word}'`));
  return `#compdef troupe
# zsh: eval "$(troupe --completions zsh)", behind compinit
_troupe() {
  local place= skip= word= at
  local -a found options
  for ((at = 2; at < CURRENT; at++)); do
    word=\${words[at]}
    if [[ -n $skip ]]; then skip=; continue; fi
    case $word in
      --) _files; return ;;
      ${[...valued.keys()].join("|")}) skip=$word ;;
      -*) ;;
      *) case "$place $word" in ${steps.join("|")}) place="\${place:+$place }$word" ;; esac ;;
    esac
  done
  case $skip in
    '') ;;
${[...valued].map(([name, values]) => `    ${name}) ${generated(values)}; return ;;`).join("\n")}
  esac
  case $place in
${places.map(wordsOf).join("\n")}
  esac
  if [[ \${words[CURRENT]} == -* ]]; then _describe option options
  else _describe command found
  fi
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _troupe "$@"
else compdef _troupe troupe
fi
`;
};
