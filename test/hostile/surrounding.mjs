/**
 * surrounding: a tmux with sessions of somebody, in one of whose panes the suites run.
 *
 * Its sessions have the names that tests like. What it lists before and after must be the same, to
 * the byte: sessions, windows, panes and their processes, options, hooks, keys, environment and
 * buffers.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const names = ["a", "b", "build", "agent", "gone"];

const LISTINGS = [
  ["list-sessions", "-F", "#{session_id} #{session_name} #{session_created} #{session_windows}"],
  ["list-windows", "-a", "-F", "#{session_id} #{window_id} #{window_index} #{window_name}"],
  ["list-panes", "-a", "-F", "#{pane_id} #{pane_pid} #{pane_tty} #{pane_dead} #{pane_title}"],
  ["list-panes", "-a", "-F", "#{pane_id} #{history_size} #{pane_width} #{pane_in_mode}"],
  ["list-clients"],
  ["list-buffers"],
  ["list-keys"],
  ["show-options", "-s"],
  ["show-options", "-g"],
  ["show-options", "-gw"],
  ["show-hooks", "-g"],
  ["show-environment", "-g"],
  ...names.flatMap((name) => [
    ["show-options", "-t", `=${name}:`],
    ["show-environment", "-t", `=${name}:`],
    ["capture-pane", "-p", "-t", `=${name}:`],
  ]),
];

/** A place: before the command stands a client that lets it run in a pane, and waits for it. */
export const surroundingTmux = ({ directory, onEnd }, temporary) => {
  const socket = join(directory, "surrounding");
  const tmux = (...words) =>
    execFileSync("tmux", ["-u", "-S", socket, "-f", "/dev/null", ...words], { encoding: "utf8" });
  for (const name of names) tmux("new-session", "-d", "-s", name, "-n", name, "sleep 100000");
  tmux("set-buffer", "-b", "kept", "somebody's");
  tmux("new-window", "-d", "-t", "=a:", "-n", "further", "sleep 100000");
  const script = join(directory, "inside.sh");
  const [output, code] = [join(directory, "output"), join(directory, "code")];
  // $TMUX is of the pane. What the suites print stays out of it, for it is listed too.
  const lines = [
    `tmux -S ${socket} wait-for go`,
    `export TMPDIR=${temporary}`,
    `cd "$(cat ${directory}/cwd)" || exit 9`,
    `xargs -0 -a ${directory}/argv env > ${output} 2>&1; echo $? > ${code}`,
    `tmux -S ${socket} wait-for -S done; exec sleep 100000`,
  ];
  writeFileSync(script, lines.join("\n"));
  tmux("new-session", "-d", "-s", "suites", "-n", "suites", `exec sh ${script}`);
  onEnd(() => spawnSync("tmux", ["-S", socket, "kill-server"]));
  mkdirSync(temporary, { recursive: true });
  const listing = () => LISTINGS.map((words) => tmux(...words)).join("\n");
  const before = listing();
  const client = [
    `pwd > ${directory}/cwd; printf '%s\\0' "$@" > ${directory}/argv`,
    `tmux -S ${socket} wait-for -S go; tmux -S ${socket} wait-for done`,
    `cat ${output}; exit "$(cat ${code})"`,
  ];
  const check = () => {
    const now = listing().split("\n");
    const lines = before.split("\n");
    const other = now.filter((line) => !lines.includes(line));
    const gone = lines.filter((line) => !now.includes(line));
    const same = now.join("\n") === before;
    return same ? [] : [`the surrounding tmux has changed: ${[...gone, "→", ...other].join("; ")}`];
  };
  return { temporary, check, before: ["sh", "-c", client.join("; "), "sh"] };
};
