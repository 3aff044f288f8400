/**
 * Bash: the script with which bash completes the command line. Pure.
 *
 * It walks the words in front of the cursor to the place that they lead to. Behind `--` bash does
 * what it would do without it.
 */
import { type Place, type Values, valuedIn } from "./Words.js";

const generated = (values: Values): string => {
  if (values === "directory") return 'compopt -o filenames; COMPREPLY=($(compgen -d -- "$cur"))';
  if (values === "file") return 'compopt -o filenames; COMPREPLY=($(compgen -f -- "$cur"))';
  return values === "anything" ? ":" : `COMPREPLY=($(compgen -W "${values.join(" ")}" -- "$cur"))`;
};

const wordsOf = ({ name, options, words }: Place): string =>
  [
    `      ${JSON.stringify(name)})`,
    `words="${words.map(({ word }) => word).join(" ")}"`,
    `options="${options.map((option) => `--${option.name}`).join(" ")}" ;;`,
  ].join(" ");

/** The script. */
export const bash = (places: ReadonlyArray<Place>): string => {
  const valued = valuedIn(places);
  const steps = places.flatMap(({ name, words }) => words.map(({ word }) => `"${name} ${word}"`));
  return `# bash: eval "$(troupe --completions bash)"
_troupe() {
  local cur=\${COMP_WORDS[COMP_CWORD]} place= skip= word= words= options= at
  COMPREPLY=()
  for ((at = 1; at < COMP_CWORD; at++)); do
    word=\${COMP_WORDS[at]}
    if [[ -n $skip ]]; then skip=; continue; fi
    case $word in
      --) compopt -o bashdefault -o default; return ;;
      ${[...valued.keys()].join("|")}) skip=$word ;;
      -*) ;;
      *) case "$place $word" in ${steps.join("|")}) place="\${place:+$place }$word" ;; esac ;;
    esac
  done
  case $skip in
    "") ;;
${[...valued].map(([name, values]) => `    ${name}) ${generated(values)}; return ;;`).join("\n")}
  esac
  case $place in
${places.map(wordsOf).join("\n")}
  esac
  [[ $cur == -* ]] && words=$options
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
} 2>/dev/null
complete -F _troupe troupe
`;
};
