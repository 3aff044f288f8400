/**
 * Fish: the script with which fish completes the command line. Pure.
 *
 * A function walks the words in front of the cursor to the place that they lead to; each word and
 * option is one of fish's own lines, with a condition on the place.
 */
import type { Option } from "../Options.js";
import { type Place, type Values, valuedIn, valuesOf } from "./Words.js";

const quoted = (text: string): string => `'${text.replace(/[\\']/g, "\\$&")}'`;

const generated = (values: Values): string => {
  if (values === "file") return "-r -F";
  if (values === "directory") return "-x -a '(__fish_complete_directories)'";
  return values === "anything" ? "-x" : `-x -a ${quoted(values.join(" "))}`;
};

const lineOf = (place: string, rest: string, help: string): string =>
  `complete -c troupe -n ${quoted(`__troupe_at ${quoted(place)}`)} ${rest} -d ${quoted(help)}`;

const optionOf = (place: string, option: Option): string => {
  const values = valuesOf(option);
  return lineOf(place, `-l ${option.name}${values ? ` ${generated(values)}` : ""}`, option.help);
};

/** The script. */
export const fish = (places: ReadonlyArray<Place>): string => {
  const valued = valuedIn(places);
  const steps = places.flatMap(({ name, words }) => words.map(({ word }) => `'${name} ${word}'`));
  const lines = places.flatMap(({ name, options, words }) => [
    ...words.map(({ help, word }) => lineOf(name, `-a ${quoted(word)}`, help)),
    ...options.map((option) => optionOf(name, option)),
  ]);
  return `# fish: troupe --completions fish | source
function __troupe_at
    set -l place ''
    set -l skip
    for word in (commandline -opc)[2..-1]
        if set -q skip[1]
            set -e skip
            continue
        end
        switch $word
            case --
                test $argv[1] = --
                return
            case ${[...valued.keys()].join(" ")}
                set skip $word
            case '-*'
            case '*'
                switch "$place $word"
                    case ${steps.join(" ")}
                        set place (string trim "$place $word")
                end
        end
    end
    test "$place" = "$argv[1]"
end
complete -c troupe -f
complete -c troupe -n '__troupe_at --' -F
${lines.join("\n")}
`;
};
