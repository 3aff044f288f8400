/**
 * Commands for scripts: every command that the fake runs, with flags and targets of all kinds.
 *
 * What exists in tmux at a time is guessed from a small set of names and ids, so that some targets
 * are there and some are not.
 */
import { makeClientlessFormat } from "./fake-tmux-formats.js";
import { type CommandWords, WordMaker } from "./fake-tmux-word-maker.js";
import * as words from "./fake-tmux-words.js";

const optionFlags = "-g -s -w -gw -q -u -gu -o -a -p -F -U -gq";

const namedTries = 300;
const shortNames: Readonly<Record<string, string>> = {
  setw: "set-window-option",
  show: "show-options",
  showw: "show-window-options",
};

/** Makes commands from choices. */
export class CommandMaker extends WordMaker {
  private newSession(): CommandWords {
    const { choices } = this;
    if (choices.chance(0.08)) {
      const name = choices.some(0.5, () => ["-s", this.name()]);
      return ["new-session", "-d", "-t", this.target(), ...name];
    }
    const directory = () => choices.pick(["/", "/tmp", "#{version}x", "rel"]);
    const variable = () => choices.pick(["A=1", "B", "=x", "TERM=dumb", "C=a;", "é=é"]);
    const shown = () => choices.some(0.4, () => ["-F", makeClientlessFormat(choices)]);
    return [
      "new-session",
      ...this.flag(0.97, "-d"),
      ...this.flag(0.5, "-E"),
      ...choices.some(0.9, () => ["-s", this.name()]),
      ...choices.some(0.6, () => ["-n", choices.chance(0.8) ? "w" : this.name()]),
      ...choices.some(0.15, () => ["-x", choices.pick(words.sizes)]),
      ...choices.some(0.15, () => ["-y", choices.pick(words.sizes)]),
      ...choices.some(0.2, () => ["-c", directory()]),
      ...choices.some(0.2, () => ["-e", variable()]),
      ...choices.some(0.5, () => ["-P", ...shown()]),
      ...this.flag(0.02, "-A"),
      ...choices.pick(choices.chance(0.15) ? words.shortPrograms : words.longPrograms),
    ];
  }

  private newWindow(): CommandWords {
    const { choices } = this;
    return [
      "new-window",
      ...this.flag(0.5, "-d"),
      ...this.flag(0.1, "-a", "-b", "-k", "-S"),
      ...this.at(),
      ...choices.some(0.6, () => ["-n", choices.pick(["w", "w1", "w2", this.name()])]),
      ...choices.some(0.4, () => ["-P", ...this.formatted(0.7)]),
      ...choices.pick(choices.chance(0.1) ? words.shortPrograms : words.longPrograms),
    ];
  }

  private option(): string {
    const { choices } = this;
    return choices.pick(choices.chance(0.87) ? words.optionNames : words.oddOptionNames);
  }

  private setOption(): CommandWords {
    const { choices } = this;
    const option = this.option();
    // A manual size of all windows crashes the real server.
    const value = option === "window-size" ? "latest" : choices.pick(words.values);
    const command = choices.pick(["set-option", "setw", "setw", "setw"]);
    const flags = command === "setw" ? "-g -q -u -gu -o -a -F -gq -w" : optionFlags;
    return [
      command,
      ...this.flag(0.6, ...flags.split(" ")),
      ...this.at(0.6),
      option,
      ...choices.some(0.9, () => [value]),
    ];
  }

  private showOptions(): CommandWords {
    const { choices } = this;
    const command = choices.pick(["show-options", "show", "showw", "showw"]);
    // What is set for all sessions has a default that the fake does not know.
    if (choices.chance(0.07)) {
      return [command, ...this.flag(0.6, "-s", "-gw", "-w", "-q", "-v", "-p", "-sv"), ...this.at()];
    }
    const all = command === "showw" ? "-g -v -gv -g -w" : "-g -s -w -gw -q -v -gv -A -p -qv -Av";
    return [command, ...this.flag(0.6, ...all.split(" ")), this.option(), ...this.at(0.6)];
  }

  private environment(): CommandWords {
    const { choices } = this;
    const name = choices.pick(["A", "B", "HOME", "NOPE", "", "X=Y", "é"]);
    if (choices.chance(0.55)) {
      const flags = this.flag(0.4, "-g", "-h", "-s", "-gs");
      return ["show-environment", ...flags, ...this.at(0.5), ...this.flag(0.55, name)];
    }
    const flags = this.flag(0.5, "-g", "-h", "-u", "-r", "-gu", "-gh", "-F");
    const value = choices.some(0.7, () => [choices.pick(words.values)]);
    return ["set-environment", ...flags, ...this.at(0.5), name, ...value];
  }

  private buffered(probability: number): CommandWords {
    return this.choices.some(probability, () => ["-b", this.choices.pick(words.bufferNames)]);
  }

  /** A paste, of a buffer that may be there into a pane that may be. */
  paste(): CommandWords {
    const pane = this.choices.chance(0.8) ? this.near() : this.id("%");
    const flags = this.flag(0.5, "-d", "-p", "-r");
    return ["paste-buffer", ...flags, ...this.buffered(0.7), "-t", pane];
  }

  private buffer(): CommandWords {
    const { choices } = this;
    const named = (probability: number) => this.buffered(probability);
    const value = () => choices.pick(words.values);
    return choices.weighted<() => CommandWords>([
      [2, () => ["set-buffer", ...named(0.6), value()]],
      [2, () => ["set-buffer", ...this.flag(0.3, "-a"), ...named(1), value()]],
      [2, () => ["set-buffer", ...named(0.5), "-n", choices.pick(words.bufferNames)]],
      [1, () => ["set-buffer"]],
      [10, () => ["delete-buffer", ...named(0.7)]],
      [5, () => ["list-buffers"]],
      [5, () => this.paste()],
    ])();
  }

  private window(): CommandWords {
    const { choices } = this;
    const width = () => choices.some(0.8, () => ["-x", choices.pick(["30", "60", "0", "x"])]);
    const height = () => choices.some(0.5, () => ["-y", choices.pick(["10", "30", "-1"])]);
    const by = () =>
      choices.some(0.2, () => [choices.pick(["-L", "-R", "-U", "-D"]), choices.pick(["5", "x"])]);
    const linked = () => [
      "-s",
      this.near(),
      "-t",
      choices.pick(["alpha:", "beta:", this.target()]),
    ];
    const command = () => choices.some(0.7, () => ["cat > /dev/null"]);
    return choices.weighted<() => CommandWords>([
      [5, () => ["kill-window", ...this.flag(0.1, "-a"), "-t", this.near()]],
      [5, () => ["kill-pane", ...this.flag(0.1, "-a"), "-t", this.near()]],
      [5, () => ["rename-window", "-t", this.near(), choices.pick(["w", "w1", this.name()])]],
      [13, () => ["resize-window", "-t", this.near(), ...width(), ...height(), ...by()]],
      [8, () => ["link-window", ...this.flag(0.3, "-d", "-k", "-a", "-b"), ...linked()]],
      [7, () => ["respawn-pane", ...this.flag(0.7, "-k"), "-t", this.near(), "sleep", "7777777"]],
      [6, () => ["pipe-pane", ...this.flag(0.3, "-o"), "-t", this.near(), ...command()]],
    ])();
  }

  private capture(): CommandWords {
    const { choices } = this;
    const line = (flag: string, ...among: ReadonlyArray<string>) =>
      choices.some(0.3, () => [flag, choices.pick(among)]);
    return [
      "capture-pane",
      "-p",
      ...this.flag(0.3, "-J", "-N", "-C", "-a", "-aq"),
      ...line("-S", "-", "-5", "0", "3", "x", "100"),
      ...line("-E", "-", "2", "-1"),
      ...this.at(),
    ];
  }

  private keys(): CommandWords {
    const { choices } = this;
    const pane = choices.chance(0.8) ? this.near() : this.id("%");
    return [
      "send-keys",
      ...this.flag(0.4, "-l", "-H", "-N"),
      "-t",
      pane,
      ...choices.pick(words.typed),
    ];
  }

  /** A client, or several, that may be there. */
  detach(): CommandWords {
    const { choices } = this;
    const whom = choices.some(0.5, () =>
      choices.weighted<() => CommandWords>([
        [2, () => ["-t", choices.chance(0.6) ? words.lastClient : this.target()]],
        [1, () => ["-s", this.near()]],
      ])(),
    );
    return ["detach-client", ...this.flag(0.4, "-a", "-P"), ...whom];
  }

  private condition(): CommandWords {
    const yes = this.choices.pick(["display-message -p yes", "display -p yes", "bogus", "bogus"]);
    const no = this.flag(0.7, "display-message -p no");
    return ["if-shell", "-F", ...this.at(0.5), this.format(), yes, ...no];
  }

  private listing(): CommandWords {
    const filter = () => this.choices.some(0.15, () => ["-f", this.format()]);
    return this.choices.weighted<() => CommandWords>([
      [5, () => ["list-sessions", ...this.formatted(0.5), ...filter()]],
      [
        4,
        () => [
          "list-windows",
          ...this.flag(0.4, "-a"),
          ...this.at(0.6),
          ...this.formatted(0.6),
          ...filter(),
        ],
      ],
      [
        4,
        () => ["list-panes", ...this.flag(0.6, "-a", "-s"), ...this.at(0.6), ...this.formatted()],
      ],
      [4, () => ["list-clients", ...this.at(0.5), ...this.formatted(0.3)]],
    ])();
  }

  private kill(): CommandWords {
    return ["kill-session", ...this.flag(0.04, "-a"), ...this.flag(0.05, "-C"), ...this.at(0.97)];
  }

  private message(): CommandWords {
    const text = this.choices.some(0.95, () => [this.format(3)]);
    const wrong = this.choices.some(0.14, () =>
      this.choices.pick([
        ["-d", "x"],
        ["-F", "x"],
      ]),
    );
    return ["display-message", "-p", ...wrong, ...this.at(0.6), ...text];
  }

  /** One command of this name, or any when none came up. */
  named(name: string): CommandWords {
    for (let tries = 0; ; tries++) {
      const command = this.command();
      const [first = ""] = command;
      if (tries === namedTries || (shortNames[first] ?? first) === name) return command;
    }
  }

  /** One command. */
  command(): CommandWords {
    const { choices } = this;
    const wait = () => ["wait-for", choices.pick(["-S", "-U"]), choices.pick(["c", "d"])];
    return choices.weighted<() => CommandWords>([
      [7, () => this.newSession()],
      [9, () => this.newWindow()],
      [7, () => ["has-session", ...this.at(0.95)]],
      [6.5, () => this.kill()],
      [21, () => this.listing()],
      [8, () => this.message()],
      [11, () => this.setOption()],
      [28, () => this.showOptions()],
      [20, () => this.environment()],
      [20, () => this.buffer()],
      [48, () => this.window()],
      [8, () => ["rename-session", ...this.at(), this.name()]],
      [5, () => this.capture()],
      [6, () => this.keys()],
      [1, () => this.detach()],
      [8, wait],
      [3, () => this.condition()],
      [1, () => ["start-server"]],
      [4, () => ["kill-server"]],
      [0.5, () => choices.pick(words.oddLists)],
    ])();
  }
}
