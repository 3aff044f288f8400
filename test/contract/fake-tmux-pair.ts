/**
 * A fake tmux and a real one, asked the same in turn.
 *
 * Two answers are the same when they differ in nothing but pids, times and the numbers of
 * terminals. Programs end and servers exit a moment later in the real one, which is waited for.
 */
import { FakeTmux, type FakeTmuxOptions } from "@troupe/testing";
import { type OpenControl, TmuxTransport } from "@troupe/tmux";
import { Effect, Exit, Layer, Scope } from "effect";
import { isClient, type RealTmux, type Reply, surroundings } from "./fake-tmux-real.js";
import { attachedSession, calm, listStep, type Step } from "./fake-tmux-script.js";
import { addTallies, type Tally, tallySince } from "./fake-tmux-tally.js";
import { lastClient } from "./fake-tmux-words.js";

/** Asks one of the two. */
export type Ask = (argv: ReadonlyArray<string>, stdin: string | null) => Reply;

/** A fake tmux, asked from outside of Effect. */
export interface SyncFake {
  readonly ask: Ask;
  /** A client of this name, in control mode, shows a session. */
  readonly attach: (session: string, name: string) => void;
  readonly tally: () => Tally;
  readonly openControl: OpenControl;
  readonly end: () => void;
}

/** Answers that should have been the same. */
export interface Mismatch {
  readonly fake: Reply;
  readonly real: Reply;
}

const panesNow = [
  "list-panes",
  "-a",
  "-F",
  "#{session_id}:#{window_index} #{pane_id} #{pane_dead} #{pane_dead_status} " +
    "#{pane_dead_signal} #{pane_current_command} #{cursor_x} #{cursor_y} #{history_size} " +
    "#{session_attached} #{session_attached_list}",
];

const date = /[A-Z][a-z]{2} [A-Z][a-z]{2} [ 0-9][0-9] [0-9]{2}:[0-9]{2}:[0-9]{2} [0-9]{4}/g;

const withoutTimes = (text: string): string => {
  const now = Date.now() / 1000;
  const isNow = (digits: string) => Math.abs(Number(digits) - now) < 86_400;
  return text
    .replace(date, "<date>")
    .replace(/[0-9]{10}/g, (digits) => (isNow(digits) ? "<time>" : digits))
    .replace(/\/dev\/pts\/[0-9]+/g, "<tty>");
};

const firstPid = 3_000_001;
const fakePid = /(30000[0-9]{2})/;
const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Which pid of the real one a pid of the fake stands for; each stands for one. */
class PidMap {
  private readonly realOf = new Map<string, string>();

  /** Whether the texts are the same but for pids, which are then known. */
  matches(fake: string, real: string): boolean {
    const parts = fake.split(fakePid);
    const unknown = [...new Set(parts.filter((_, at) => at % 2 === 1))].filter(
      (pid) => !this.realOf.has(pid),
    );
    const seen = new Set<string>();
    const pattern = parts.map((part, at) => {
      if (at % 2 === 0) return escaped(part);
      const known = this.realOf.get(part);
      if (known !== undefined) return known;
      const group = unknown.indexOf(part) + 1;
      if (seen.has(part)) return `\\${group}(?![0-9])`;
      seen.add(part);
      return "([0-9]+)";
    });
    const match = new RegExp(`^${pattern.join("")}$`).exec(real);
    if (match === null) return false;
    unknown.forEach((pid, at) => {
      this.realOf.set(pid, match[at + 1] ?? "");
    });
    return true;
  }
}

const sameText = (a: Reply, b: Reply): boolean =>
  a.exitCode === b.exitCode && a.stdout === b.stdout && a.stderr === b.stderr;

const mapped = (reply: Reply, map: (text: string) => string): Reply => ({
  ...reply,
  stdout: map(reply.stdout),
  stderr: map(reply.stderr),
});

const silent: Reply = { exitCode: 0, stdout: "", stderr: "" };
const immortal: Reply = { exitCode: -1, stdout: "", stderr: "the server did not end" };
const unattached: Reply = { exitCode: -1, stdout: "", stderr: "no client came" };

/** Both, from nothing. */
export class Pair {
  private readonly pids = new PidMap();
  private fakeServer = "";
  /** Names of the clients that came and are not known to have left. */
  private clients: ReadonlyArray<string> = [];
  private client = "client-1";
  /** What the steps did so far. */
  tally: Tally = new Map();

  constructor(
    private readonly fake: SyncFake,
    private readonly real: RealTmux,
  ) {}

  private readonly askReal: Ask = (argv, stdin) => this.real.run(argv, stdin);

  private ask(argv: ReadonlyArray<string>, stdin: string | null): Mismatch {
    return { fake: this.fake.ask(argv, stdin), real: this.askReal(argv, stdin) };
  }

  private same({ fake, real }: Mismatch): boolean {
    const [a, b] = [mapped(fake, withoutTimes), mapped(real, withoutTimes)];
    if (sameText(a, b)) return true;
    const { pids } = this;
    return (
      a.exitCode === b.exitCode &&
      pids.matches(a.stdout, b.stdout) &&
      pids.matches(a.stderr, b.stderr)
    );
  }

  private untilSame(argv: ReadonlyArray<string>, stdin: string | null): Mismatch | null {
    let answers = this.ask(argv, stdin);
    const same = this.real.until(() => {
      if (this.same(answers)) return true;
      answers = this.ask(argv, stdin);
      return false;
    });
    return same ? null : answers;
  }

  /** `null` when both answer the same. */
  step(step: Step): Mismatch | null {
    if (this.wouldCrash(step) || this.mayCrash(step)) return null;
    const session = attachedSession(step);
    if (session !== null) return this.attach(session, step);
    const named = (text: string) => text.replaceAll(lastClient, this.client);
    const argv = this.calmed(step.argv.map(named));
    const stdin = step.stdin === null ? null : named(step.stdin);
    const before = this.fake.tally();
    const answers = this.ask(argv, stdin);
    this.tally = addTallies(this.tally, tallySince(before, this.fake.tally()));
    if (!this.same(answers)) return step.reads ? this.untilSame(argv, stdin) : answers;
    if (step.reads) return null;
    const mismatch = this.settle();
    if (/\b(new|neww|split|splitw|respawn)/.test(`${argv.join(" ")}${stdin ?? ""}`)) {
      this.real.awaitCommands();
    }
    return mismatch;
  }

  // A client comes to a session that is there.
  private attach(session: string, { argv }: Step): Mismatch | null {
    if (this.fake.ask(["has-session", "-t", `=${session}`], null).exitCode !== 0) return null;
    const client = this.real.attach(argv);
    if (client === null) return { fake: silent, real: unattached };
    this.client = client;
    this.clients = [...this.clients, client];
    this.fake.attach(session, client);
    return this.settle();
  }

  // The real server dies of a paste into a pane whose program has ended.
  private wouldCrash({ argv, stdin }: Step): boolean {
    if (!`${argv.join(" ")}${stdin ?? ""}`.includes("paste-buffer")) return false;
    return this.fake.ask(["list-panes", "-a", "-F", "#{pane_dead}"], null).stdout.includes("1");
  }

  // With a client, the real server that is told to end may die of a program that ends just then.
  private mayCrash({ argv, stdin }: Step): boolean {
    const text = `${argv.join(" ")}${stdin ?? ""}`;
    if (!text.includes("kill-server") || !/new-|respawn-/.test(text)) return false;
    return this.fake.ask(["list-clients"], null).stdout !== "";
  }

  // A server that this list starts is calm before it has a window.
  private calmed(argv: Step["argv"]): Step["argv"] {
    if (!argv.includes("new-session") && !argv.includes("new")) return argv;
    const alive = this.fake.ask(["display-message", "-p", "#{pid}"], null).stdout !== "";
    return alive ? argv : [...listStep(["start-server"], ...calm).argv, ";", ...argv];
  }

  // Clients that left the fake, or whose server did, have to be gone in the real one as well.
  private awaitLeaving(): void {
    if (this.clients.length === 0) return;
    const { stdout } = this.fake.ask(["list-clients", "-F", "#{client_name}"], null);
    const there = stdout.split("\n");
    this.real.until(() => {
      this.clients = this.clients.filter((each) => there.includes(each) || isClient(each));
      return this.clients.every((each) => there.includes(each));
    });
  }

  private settle(): Mismatch | null {
    const server = this.fake.ask(["display-message", "-p", "#{pid}"], null).stdout;
    if (server !== this.fakeServer) {
      const before = this.fakeServer;
      this.fakeServer = server;
      if (before !== "" && !this.real.awaitEnd()) return { fake: silent, real: immortal };
      if (server !== "") {
        this.real.noteServer();
        this.ask(listStep(...calm).argv, null);
      }
    }
    this.awaitLeaving();
    return this.untilSame(panesNow, null);
  }
}

const optionsFor = (real: RealTmux): FakeTmuxOptions => ({
  socket: real.socket,
  host: real.host,
  user: real.user.username,
  uid: real.user.uid,
  home: real.user.homedir,
  environment: surroundings,
  clientEnvironment: surroundings,
  path: surroundings.PATH,
  firstPid,
  unknownPrograms: "missing",
});

/** A fake in the surroundings of a real one. */
export const startFake = (real: RealTmux, options: FakeTmuxOptions): SyncFake => {
  const scope = Effect.runSync(Scope.make());
  const layer = FakeTmux.layer({ ...optionsFor(real), ...options });
  const context = Effect.runSync(Layer.buildWithScope(layer, scope));
  const transport = Effect.runSync(Effect.provide(TmuxTransport, context));
  const control = Effect.runSync(Effect.provide(FakeTmux, context));
  const request = {
    startsServer: true,
    path: null,
    deadlineMs: 10_000,
    session: null,
    attempted: "compare",
  };
  return {
    ask: (argv, stdin) => Effect.runSync(transport.run({ ...request, argv, stdin: stdin ?? "" })),
    attach: (session, name) => Effect.runSync(control.attach(session, name)),
    tally: () => Effect.runSync(control.commands),
    openControl: Effect.runSync(control.openControl),
    end: () => Effect.runSync(Scope.close(scope, Exit.void)),
  };
};
