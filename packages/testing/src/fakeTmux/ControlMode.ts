/**
 * ControlMode: clients in control mode: lines go in, blocks and a few notices come out.
 *
 * A line is run at once, or when a stopped server goes on. Of all notices there are those of what
 * the client shows and of its end; which others come, and when, is outside of the model, as is a
 * line whose commands wait.
 */
import type { ControlChannel, ControlListener, OpenControl } from "@troupe/tmux";
import { AttachedClient } from "./AttachedClient.js";
import { clientLeft, detachClient, showSession } from "./Attaching.js";
import { buildArgv, CommandBuilder, ParseFailure } from "./CommandBuilder.js";
import { connect } from "./Connecting.js";
import { type ControlOwner, ControlRun } from "./ControlRun.js";
import type { Delivery } from "./Delivery.js";
import type { Machine } from "./Machine.js";
import { outsideTheModel } from "./OutsideTheModel.js";
import { Server } from "./Server.js";
import type { Session } from "./Session.js";

/** In the order in which tmux tells them. */
const knownFlags: ReadonlyArray<string> = ["ignore-size", "no-output"];

/** Mutable; one client. */
class ControlMode implements ControlOwner, ControlChannel {
  attached: AttachedClient | null = null;
  private items = 0;
  private flag = 0;
  private rest = "";
  private over = false;

  constructor(
    private readonly machine: Machine,
    private readonly server: Server,
    private readonly delivery: Delivery,
    private readonly listener: ControlListener,
    private readonly act: (run: () => void) => void,
  ) {}

  /** Runs the list that it begins with; one that shows nothing ends with it. */
  begin(argv: ReadonlyArray<string>): void {
    const list = buildArgv(this.server, argv);
    const run = new ControlRun(this.server, this);
    if (list instanceof ParseFailure) this.block(`${list.message}\n`, true);
    else {
      run.add(list);
      this.machine.runLine(this.server, run);
    }
    this.flag = 1;
    const session = run.session;
    if (session !== null) this.listener.told(`%session-changed ${session.id} ${session.name}\n`);
    this.machine.onSettled(() => this.check());
    this.check();
  }

  readonly write = (text: string): void => {
    this.delivery.unlessStopped(() => {
      if (this.over) return;
      const lines = (this.rest + text).split("\n");
      this.rest = lines.pop() ?? "";
      // What is read in one go is run, also behind a line that ends the session that is shown.
      this.act(() => {
        for (const line of lines) this.line(line);
      });
    });
  };

  readonly isCurrent = (): boolean => this.machine.reachable() === this.server;

  readonly end = (): void => this.act(() => this.leave());

  private line(text: string): void {
    if (this.over) return;
    const source = { file: null, line: 1, oneGroup: true };
    const list = new CommandBuilder(this.server, source).text(text);
    if (list instanceof ParseFailure) this.block(`parse error: ${list.message}\n`, true);
    else {
      const run = new ControlRun(this.server, this);
      run.add(list);
      this.machine.runLine(this.server, run);
    }
  }

  block(text: string, failed: boolean): void {
    const id = `${this.server.seconds()} ${this.items++} ${this.flag}`;
    this.listener.told(`%begin ${id}\n${text}${failed ? "%error" : "%end"} ${id}\n`);
  }

  show(session: Session, said: string): void {
    const { machine, server } = this;
    const flags = said.split(",").filter((flag) => flag !== "");
    const unknown = flags.find((flag) => !knownFlags.includes(flag));
    if (unknown !== undefined) outsideTheModel(`a client with the flag ${unknown}`);
    const process = machine.tree.spawn({
      parent: 1,
      leader: null,
      program: "tmux: client",
      environment: new Map(),
    });
    process.ended.push(() => this.leave());
    const name = `client-${process.pid}`;
    const told = knownFlags.filter((flag) => flags.includes(flag));
    this.attached = new AttachedClient(name, process.pid, session, server.seconds(), told);
    server.clients = [...server.clients, this.attached];
    showSession(server, this.attached, session);
  }

  // It is gone when its session is, its server, or when it was told to leave.
  private check(): void {
    const { attached, server } = this;
    if (this.over) return;
    if (attached !== null && server.alive && server.clients.includes(attached)) return;
    const crashed = !server.alive && !server.ending;
    this.leave(`%exit${crashed ? " server exited unexpectedly" : ""}\n`);
  }

  private leave(told = ""): void {
    if (this.over) return;
    this.over = true;
    const { attached, machine, server } = this;
    if (attached !== null && server.clients.includes(attached)) {
      detachClient(attached);
      clientLeft(server);
    }
    const process = attached === null ? null : machine.tree.find(attached.pid);
    if (process !== null) machine.tree.finish(process, { _tag: "Exited", code: 0 });
    this.listener.told(told);
    this.listener.left();
    this.listener.ended();
  }
}

const nobody: ControlChannel = { write: () => {}, isCurrent: () => false, end: () => {} };

/** Clients in control mode of one machine; `act` lets time pass before what is done. */
export const fakeOpenControl =
  (machine: Machine, delivery: Delivery, act: (run: () => void) => void): OpenControl =>
  (argv, listener) => {
    const request = { argv, stdin: null, startsServer: false, path: null };
    const server = delivery.isStopped() ? null : connect(machine, request);
    if (!(server instanceof Server)) {
      listener.ended();
      return nobody;
    }
    const client = new ControlMode(machine, server, delivery, listener, act);
    act(() => client.begin(argv));
    return client;
  };
