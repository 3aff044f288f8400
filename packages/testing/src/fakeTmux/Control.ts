/**
 * Control: what a test does to a fake tmux beside asking it, and sees of it.
 *
 * Every effect takes place in one step, at the time of the clock.
 */
import type { LookupFailed } from "@troupe/core";
import type { OpenControl, TmuxReply, TmuxRequest } from "@troupe/tmux";
import { Effect } from "effect";
import { AttachedClient } from "./AttachedClient.js";
import { clientLeft, detachClient, showSession } from "./Attaching.js";
import { fakeOpenControl } from "./ControlMode.js";
import type { Delivery } from "./Delivery.js";
import type { TableTrouble } from "./FakeProcessTable.js";
import type { FaultRule } from "./Faults.js";
import type { Gate, GateRule } from "./Gates.js";
import type { CommandTally, Machine } from "./Machine.js";
import type { ModelTime } from "./ModelTime.js";
import { outsideTheModel } from "./OutsideTheModel.js";
import type { Pane } from "./Pane.js";
import { paneLost } from "./PaneEnd.js";
import type { PanePipe } from "./PanePipe.js";
import { checkSignal, type FakeProcess, type SignalName } from "./ProcessTree.js";

/** A process that a test adds or sees. */
export interface ProcessSpec {
  /** The pid of one that is gone, which the kernel gives again; else one that was never given. */
  readonly pid?: number;
  readonly parent: number;
  readonly program: string;
  /** The process whose session it is in; it leads one of its own when that is left out. */
  readonly leader?: number;
  readonly environment?: Readonly<Record<string, string>>;
  readonly catchesTerm?: boolean;
  /** HUP does nothing to it, as under `nohup`. */
  readonly ignoresHup?: boolean;
  /** No signal reaches it, KILL included, until `unstick`. */
  readonly stuck?: boolean;
}

/** The fake's other side. Panes are named by id (`%0`) or by the name of a session. */
export interface FakeTmuxControl {
  /** Every request that came to tmux, the ones that a fault caught included. */
  readonly requests: Effect.Effect<ReadonlyArray<TmuxRequest>>;
  /** How often each command has succeeded and failed, by its full name. */
  readonly commands: Effect.Effect<ReadonlyMap<string, CommandTally>>;
  /**
   * A client of somebody else: no hook, fault, gate or record. It is answered by a stopped server,
   * too, as if the server ran for it alone.
   */
  readonly client: (
    argv: ReadonlyArray<string>,
    stdin?: string,
  ) => Effect.Effect<TmuxReply, LookupFailed>;
  /** A fault for runs to come. */
  readonly inject: (rule: FaultRule) => Effect.Effect<void>;
  /** No run meets a fault that was given before. */
  readonly clearFaults: Effect.Effect<void>;
  /** A gate at which runs to come are held; it says who has come and lets them go on. */
  readonly hold: (rule: GateRule) => Effect.Effect<Gate>;
  /** From now on the server answers nobody but `client`, until `release` or until it dies. */
  readonly stop: Effect.Effect<void>;
  /** Everything that hangs goes on. */
  readonly release: Effect.Effect<void>;
  /** The server dies at once; its socket stays as a file that nobody listens at. */
  readonly crash: Effect.Effect<void>;
  /** The file of the socket goes; the server lives on, out of reach. */
  readonly unlinkSocket: Effect.Effect<void>;
  /** Nobody may connect any more, or may again. */
  readonly denySocket: (denied: boolean) => Effect.Effect<void>;
  /** The directory of the socket goes, with the socket. */
  readonly removeSocketDirectory: Effect.Effect<void>;
  /** Sessions that are killed from now on stay for so many more clients. */
  readonly linger: (clients: number) => Effect.Effect<void>;
  /** The program of a pane ends. `unreaped`: the server does not learn how, until it gets CHLD. */
  readonly exitProgram: (
    pane: string,
    code: number,
    options?: { readonly unreaped?: boolean },
  ) => Effect.Effect<void>;
  /** Somebody types into a pane. */
  readonly type: (pane: string, text: string) => Effect.Effect<void>;
  /** A client of this name, in control mode, shows a session. */
  readonly attach: (session: string, name: string) => Effect.Effect<void>;
  /** That client leaves. */
  readonly detach: (name: string) => Effect.Effect<void>;
  /** Clients in control mode that send lines, for a transport over a connection. */
  readonly openControl: Effect.Effect<OpenControl>;
  /** Every process, zombies included. */
  readonly processes: Effect.Effect<ReadonlyArray<FakeProcess>>;
  /** Adds a process that is no program of a pane; tells its pid. */
  readonly spawn: (spec: ProcessSpec) => Effect.Effect<number>;
  /** Somebody sends a signal to a process. */
  readonly signal: (pid: number, signal: SignalName) => Effect.Effect<void>;
  /** Signals reach the process again. */
  readonly unstick: (pid: number) => Effect.Effect<void>;
  /** While a reason is given, the table of processes cannot be read. */
  readonly failProcessTable: (reason: LookupFailed["reason"] | null) => Effect.Effect<void>;
  /** Every pipe that was ever opened, with what was written to it. */
  readonly pipes: Effect.Effect<ReadonlyArray<PanePipe>>;
}

const findPane = (machine: Machine, name: string): Pane => {
  for (const server of machine.servers) {
    const session = server.findSession(name);
    const pane = session?.current.window.active ?? server.panes().find(({ id }) => id === name);
    if (pane !== null && pane !== undefined) return pane;
  }
  return outsideTheModel(`a pane ${name} that is not there`);
};

const attach = (machine: Machine, name: string, client: string): void => {
  const server =
    machine.servers.find((each) => each.findSession(name) !== null) ??
    outsideTheModel(`a session ${name} that is not there`);
  const session = server.findSession(name);
  if (session === null) return;
  const { pid } = machine.tree.spawn({
    parent: 1,
    leader: null,
    program: "tmux: client",
    environment: new Map(),
  });
  const attached = new AttachedClient(client, pid, session, server.seconds());
  server.clients = [...server.clients, attached];
  showSession(server, attached, session);
};

const detach = (machine: Machine, name: string): void => {
  for (const server of machine.servers) {
    const client = server.clients.find((each) => each.name === name);
    if (client === undefined) continue;
    detachClient(client);
    clientLeft(server);
    const process = machine.tree.find(client.pid);
    if (process !== null) machine.tree.finish(process, { _tag: "Exited", code: 0 });
  }
};

const exitProgram = (machine: Machine, name: string, code: number, unreaped: boolean): void => {
  const pane = findPane(machine, name);
  const server = machine.servers.find((each) => each.panes().includes(pane));
  const { process } = pane;
  if (process === null || server === undefined) return;
  const end = { _tag: "Exited", code: code & 255 } as const;
  if (unreaped) {
    // Its end stays unheard: nobody is told, and the zombie waits.
    process.ended.splice(0);
    machine.tree.finish(process, end);
    paneLost(server, pane);
  } else machine.tree.finish(process, end);
};

const socketEffects = (machine: Machine) => ({
  unlinkSocket: () => {
    machine.socket = { _tag: "Nothing" };
  },
  denySocket: (denied: boolean) => {
    const { socket } = machine;
    if (denied && socket._tag !== "Denied") machine.socket = { _tag: "Denied", behind: socket };
    if (!denied && socket._tag === "Denied") machine.socket = socket.behind;
  },
  removeSocketDirectory: () => {
    machine.socket = { _tag: "DirectoryMissing" };
  },
});

const addProcess = (machine: Machine, spec: ProcessSpec): number => {
  const process = machine.tree.spawn({
    pid: spec.pid,
    parent: spec.parent,
    leader: spec.leader ?? null,
    program: spec.program,
    environment: new Map(Object.entries(spec.environment ?? {})),
  });
  process.stuck = spec.stuck === true;
  if (spec.catchesTerm === true) process.handlers.set("TERM", () => {});
  if (spec.ignoresHup === true) process.handlers.set("HUP", "ignore");
  return process.pid;
};

const openControl = (machine: Machine, delivery: Delivery, time: ModelTime) =>
  Effect.map(Effect.clock, (clock) =>
    fakeOpenControl(machine, delivery, (run) => {
      machine.advance(time.of(clock.unsafeCurrentTimeMillis()));
      machine.firstDefect.during(() => {
        run();
        machine.settle();
      });
    }),
  );

/** The control of one machine. */
export const makeControl = (
  machine: Machine,
  delivery: Delivery,
  time: ModelTime,
  trouble: TableTrouble,
): FakeTmuxControl => {
  const act = <A>(run: () => A): Effect.Effect<A> =>
    Effect.clockWith((clock) =>
      Effect.sync(() => {
        machine.advance(time.of(clock.unsafeCurrentTimeMillis()));
        return machine.firstDefect.during(() => {
          const result = run();
          machine.settle();
          return result;
        });
      }),
    );
  const socket = socketEffects(machine);
  return {
    requests: Effect.sync(() => [...delivery.requests]),
    commands: Effect.sync(() => new Map(machine.tally)),
    client: (argv, stdin) =>
      delivery.serve({
        argv,
        stdin: stdin ?? null,
        startsServer: true,
        path: null,
        deadlineMs: 60_000,
        session: null,
        attempted: "client",
      }),
    inject: (rule) => Effect.sync(() => delivery.faults.add(rule)),
    clearFaults: Effect.sync(() => delivery.faults.clear()),
    hold: (rule) => delivery.gates.add(rule),
    stop: delivery.stop,
    release: delivery.release,
    crash: act(() => machine.crash()),
    unlinkSocket: act(socket.unlinkSocket),
    denySocket: (denied) => act(() => socket.denySocket(denied)),
    removeSocketDirectory: act(socket.removeSocketDirectory),
    linger: (clients) =>
      act(() => {
        machine.lingerRuns = clients;
      }),
    exitProgram: (pane, code, options) =>
      act(() => exitProgram(machine, pane, code, options?.unreaped === true)),
    type: (pane, text) => act(() => findPane(machine, pane).tty?.input(text)),
    attach: (session, name) => act(() => attach(machine, session, name)),
    detach: (name) => act(() => detach(machine, name)),
    openControl: openControl(machine, delivery, time),
    processes: act(() => machine.tree.all()),
    spawn: (spec) => act(() => addProcess(machine, spec)),
    signal: (pid, signal) =>
      act(() => {
        checkSignal(signal);
        const process = machine.tree.find(pid);
        if (process !== null) machine.tree.signal(process, signal);
      }),
    unstick: (pid) =>
      act(() => {
        const process = machine.tree.find(pid);
        if (process !== null) process.stuck = false;
      }),
    failProcessTable: (reason) =>
      Effect.sync(() => {
        trouble.reason = reason;
      }),
    pipes: act(() => [...machine.pipes]),
  };
};
