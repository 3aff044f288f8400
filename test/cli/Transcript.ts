/**
 * Transcript: calls and what they print, as a document that is the same at every run.
 *
 * Pids, ages and ids are replaced and tables are aligned again, because a pid has as many digits as
 * it likes. Everything else is what the command wrote.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { callIn } from "../support/InProcess.js";
import { lives } from "../support/Processes.js";
import { type Stage, troupe } from "../support/Stage.js";
import { Terminal } from "../support/Terminal.js";
import { waitFor } from "../support/Waiting.js";

const WIDTH = 96;

/** The words of a shell line that has single quotes at most. */
const wordsOf = (line: string): ReadonlyArray<string> =>
  (line.match(/(?:'[^']*'|[^\s'])+/g) ?? []).map((word) => word.replaceAll("'", ""));

const GAP = / {2,}/;

/** Lines of as many columns each, one behind the other, aligned again. */
const aligned = (lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  const rows = lines.map((line) => line.split(GAP));
  const widths = (rows[0] ?? []).map((_, at) =>
    Math.max(...rows.map((row) => row[at]?.length ?? 0)),
  );
  return rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join("  ")
      .trimEnd(),
  );
};

const alignedTables = (text: string): string => {
  const columns = (line: string) => (line.startsWith(" ") ? 1 : line.split(GAP).length);
  const groups: Array<Array<string>> = [];
  for (const line of text.split("\n")) {
    const group = groups.at(-1);
    const joins = group?.[0] !== undefined && columns(line) > 1;
    if (joins && columns(group[0] ?? "") === columns(line)) group.push(line);
    else groups.push([line]);
  }
  return groups
    .flatMap((group) => (columns(group[0] ?? "") > 1 ? aligned(group) : group))
    .join("\n");
};

/** Mutable; of one stage. */
export class Transcript {
  private readonly parts: Array<string> = [];
  private readonly pids = new Map<string, string>();

  constructor(private readonly stage: Stage) {}

  /** The document. */
  get text(): string {
    return `${this.parts.join("\n\n")}\n`;
  }

  title(text: string): void {
    this.parts.push(`# ${text}`);
  }

  heading(text: string): void {
    this.parts.push(`## ${text}`);
  }

  /** A paragraph, in lines of a hundred characters at most. */
  prose(text: string): void {
    const lines = [""];
    for (const word of text.split(" ")) {
      const line = lines.at(-1) ?? "";
      if (line.length + word.length + 1 > 99) lines.push(word);
      else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`;
    }
    this.parts.push(lines.join("\n"));
  }

  /** A call, in this process, as a person sees it. */
  async runs(line: string, environment: Readonly<Record<string, string>> = {}): Promise<void> {
    const words = wordsOf(line);
    const at = words.indexOf("troupe");
    const given = Object.fromEntries(words.slice(0, at).map((word) => word.split("=", 2)));
    const options = {
      width: WIDTH,
      environment: { ...environment, ...given },
      terminal: { input: true, output: true },
    };
    const { err, exit, out } = await callIn(this.stage, words.slice(at + 1), options);
    this.tell(line, exit, out + err);
  }

  /** A call that shows the session on a terminal, until it is detached. */
  async attaches(line: string, session: string): Promise<void> {
    const terminal = new Terminal(`exec ${line.replace("troupe", troupe)}`, this.environment);
    try {
      await this.isShown(terminal, session);
      await this.stage.detach(terminal);
      this.tell(line, (await terminal.ended) ?? -1, lastWords(terminal));
    } finally {
      terminal.close();
    }
  }

  /** A shell in a session of its own, from which the same session and another are attached to. */
  async attachesInside(session: string): Promise<void> {
    const { stage } = this;
    writeFileSync(join(stage.directory, "troupe"), `#!/bin/sh\nexec ${troupe} "$@"\n`, {
      mode: 0o755,
    });
    const values = Object.entries(this.environment).flatMap(([k, v]) => ["--env", `${k}=${v}`]);
    const path = `PATH=${stage.directory}:${process.env.PATH}`;
    const shell = ["--env", path, "--env", "PS1=$ ", "--", "sh", "-i"];
    await callIn(stage, ["create", "shell", "--cols", "200", ...values, ...shell]);
    const terminal = new Terminal(`exec ${troupe} attach shell`, this.environment);
    try {
      await this.isShown(terminal, "shell");
      await callIn(stage, ["send", "shell", "troupe attach shell", "--enter"]);
      await callIn(stage, ["wait", "shell", "--text", "call it from"]);
      const { out } = await callIn(stage, ["capture", "shell", "--join"]);
      const [, ...said] = out.slice(out.indexOf("troupe attach shell")).split("\n");
      this.tell(
        "troupe attach shell",
        2,
        said.filter((one) => one.startsWith("troupe")).join("\n"),
      );
      await callIn(stage, ["send", "shell", `troupe attach ${session}`, "--enter"]);
      await this.isShown(terminal, session);
      this.tell(`troupe attach ${session}`, 0, "");
      stage.tmux("detach-client", "-s", `=${session}`);
      await terminal.ended;
    } finally {
      terminal.close();
    }
    await callIn(stage, ["delete", "shell", "--grace", "0"]);
  }

  /** The server dies, and everything in it. */
  async killsServer(): Promise<void> {
    const { stage } = this;
    const pid = stage.tmux("display-message", "-p", "#{pid}").out.trim();
    const panes = stage.tmux("list-panes", "-a", "-F", "#{pane_pid}").out.trim().split("\n");
    process.kill(Number(pid), "SIGKILL");
    for (const one of [pid, ...panes])
      await waitFor(`the end of ${one}`, () => !lives(Number(one)));
    this.tell(`kill -KILL ${pid}`, 0, "");
  }

  private async isShown(terminal: Terminal, session: string): Promise<void> {
    await terminal.draws(new RegExp(`\\[${session}\\] `));
    await waitFor(`a client that shows ${session}`, () =>
      this.stage.tmux("list-clients", "-F", "#{client_session}").out.includes(session),
    );
  }

  private get environment(): Readonly<Record<string, string>> {
    const { directory, home, socket } = this.stage;
    return { TROUPE_HOME: home, TROUPE_SOCKET: socket, HOME: directory };
  }

  private tell(line: string, exit: number, output: string): void {
    const code = exit === 0 ? "" : `\n[${exit}]`;
    const said = output.trimEnd() === "" ? "" : `\n${this.stable(output.trimEnd())}`;
    this.parts.push(`\`\`\`console\n$ ${this.placed(line)}${said}${code}\n\`\`\``);
  }

  private pidOf(pid: string): string {
    const known = this.pids.get(pid) ?? String(4711 + this.pids.size);
    this.pids.set(pid, known);
    return known;
  }

  /** With places and processes as they are anywhere. */
  private placed(text: string): string {
    const { directory, home, realTmux, socket } = this.stage;
    return text
      .replaceAll(home, "~/.local/state/troupe")
      .replaceAll(socket, "~/.local/state/troupe/tmux.sock")
      .replaceAll(directory, "~")
      .replaceAll(realTmux, "/usr/bin/tmux")
      .replaceAll(process.env.PATH ?? "", "/usr/local/bin:/usr/bin:/bin")
      .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "5f0c…")
      .replaceAll(/(?<=\bpid |^kill -KILL |^main +running +)[0-9]+/gm, (pid) => this.pidOf(pid));
  }

  /** With times, versions and widths as well, and without what is of the machine alone. */
  private stable(text: string): string {
    const plain = this.placed(text)
      .replaceAll(/\b[0-9]+s(?= {2}| ago|$)/gm, (age) => "1s".padEnd(age.length))
      .replaceAll(/1s +ago/g, "1s ago")
      .replaceAll(/\b[0-9]+ (ms|s) ago/g, "1 s ago")
      .replaceAll(/\b[0-9]+ ms\b/g, "9 ms")
      .replaceAll(/tmux [0-9]+\.[0-9]+[a-z]?/g, "tmux 3.5a")
      .replaceAll(/"(version|node)":"[^"]*"/g, '"$1":"…"')
      .replaceAll(/^unit .*$/gm, "unit  -")
      .replaceAll(/error connecting to (\S+) .*$/gm, "no server running on $1")
      .replaceAll(ofMachine, "")
      // tmux misses how a program ended now and then.
      .replaceAll("with code unknown", "with code 4");
    return alignedTables(plain)
      .split("\n")
      .map((line) => (line.endsWith("…") ? `${line.slice(0, WIDTH - 6)}…` : line.trimEnd()))
      .join("\n");
  }
}

/** Findings that depend on where the test runs, each with its lines. */
const ofMachine =
  /^(warning|note) +(home-passing|home-on-network|disk-low|server-in-service-cgroup)\n( .*\n?)*/gm;

const sequence = /^(\[[0-9;?]*[a-zA-Z]|\([B0]|[=>])/;

/** What was written behind the last screen that was taken away. */
const lastWords = ({ drawn }: Terminal): string =>
  drawn
    .slice(drawn.lastIndexOf("\x1b[?1049l"))
    .split("\x1b")
    .map((part) => part.replace(sequence, ""))
    .join("")
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join("\n");
