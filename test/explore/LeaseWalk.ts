/**
 * LeaseWalk: programs, writers, turns and sessions of a walk, with what each was answered kept
 * beside, and what has to hold of that after each of its steps.
 *
 * Who was answered yes has the name's lease until he gave it back, it was taken from him or its
 * session ended; nobody hears that he lost it otherwise; a turn that was accepted runs, or its
 * caller hears why. Only what every order of steps keeps is asked.
 */
import { childOwner, type ProcessId, type SessionHandle } from "@troupe/core";
import type { FakeMachine } from "@troupe/testing";
import {
  Cause,
  Chunk,
  type Deferred,
  Effect,
  type Exit,
  type Fiber,
  Option,
  type Scope,
} from "effect";
import type { PlayedProgram } from "./PlayWorld.js";

/** A program of a walk. */
export interface WalkProgram extends PlayedProgram {
  readonly owner: string;
  readonly scope: Scope.CloseableScope;
  /** What it asks from the crash on is never answered, until all is over. */
  readonly crash: Effect.Effect<void>;
  readonly unwind: Effect.Effect<void>;
  state: "up" | "crashed" | "closed";
}

/** A writer, with what may have become of it. */
export interface WalkWriter {
  readonly what: string;
  readonly program: WalkProgram;
  readonly handle: SessionHandle;
  readonly keeps: boolean;
  /** Why it may have lost what it holds. */
  readonly causes: Set<string>;
  /** Whether somebody asked for its end, or for that of its turn. */
  isEnded: boolean;
  isStopped: boolean;
  /** Whether a client was at it: it may end by itself behind that. */
  wasAttended: boolean;
  readonly clients: Array<Effect.Effect<void>>;
}

/** A turn that was asked for. */
export interface WalkTurn {
  readonly what: string;
  readonly writer: WalkWriter;
  readonly gate: Deferred.Deferred<void>;
  fiber: Fiber.RuntimeFiber<void> | null;
  hasBegun: boolean;
  isWhole: boolean;
  isOver: boolean;
  /** Whether its caller left. */
  isLeft: boolean;
}

/** What a turn can be refused or ended with, beside its own failure and the loss of its lease. */
const refusals = ["LeaseHeld", "Closing", "NotFound", "MailboxFull", "InterruptSettling"];

/** The failure of a turn that fails by itself. */
export class OwnFailure {
  readonly _tag = "OwnFailure";
}

const tagOf = (exit: Exit.Exit<unknown, { readonly _tag: string }>): string => {
  if (exit._tag === "Success") return "ok";
  const { cause } = exit;
  const failure = Option.getOrNull(Cause.failureOption(cause));
  if (failure !== null && Chunk.isEmpty(Cause.defects(cause))) return failure._tag;
  return Cause.isInterruptedOnly(cause) ? "Interrupted" : Cause.pretty(cause);
};

/** One walk. Mutable. */
export class LeaseWalk {
  readonly programs: Array<WalkProgram> = [];
  readonly writers: Array<WalkWriter> = [];
  readonly turns: Array<WalkTurn> = [];
  readonly children: Array<ProcessId> = [];
  /** The sessions that are there, and that nobody asked to end. */
  readonly alive = new Set<string>();
  readonly history: Array<string> = [];
  odd: string | null = null;
  /** The writer that was last meant, which is meant again more often than another. */
  last: WalkWriter | null = null;
  private readonly holders = new Map<string, WalkWriter>();

  constructor(readonly machine: FakeMachine) {}

  /** Notes the first thing that is not as it has to be. */
  wrong(what: string): void {
    this.odd ??= `${what}: ${this.history.join("; ")}`;
  }

  /** The writer has the lease of this name. */
  given(session: string, writer: WalkWriter): void {
    for (const other of this.concerned(session)) if (other !== writer) other.causes.add("taken");
    if (writer.keeps) this.holders.set(session, writer);
  }

  /** The writer does not have it any more, and knows that. */
  givenUp(session: string): void {
    this.holders.delete(session);
  }

  /** A process that some turn named ends. */
  readonly childEnds = Effect.suspend(() => {
    const id = this.children.shift();
    if (id === undefined) return Effect.void;
    this.history.push("a child ends");
    const { store, tmux } = this.machine;
    return Effect.zipRight(tmux.signal(id.pid, "KILL"), store.declare(childOwner(id), "dead"));
  });

  /** Somebody asks for the name: what is of an incarnation that ended is ended by that. */
  isAsked(session: string): void {
    const { store } = this.machine;
    const newest = [...store.records.values()].findLast((one) => one.session === session);
    for (const writer of this.concerned(session)) {
      if (writer.handle.incarnation !== newest?.incarnation) writer.isEnded = true;
    }
  }

  /** Somebody ends the session of this name, or tries to. */
  ends(session: string, by: string): void {
    for (const writer of this.concerned(session)) writer.causes.add(by);
    this.holders.delete(session);
    this.alive.delete(session);
  }

  /** A turn begins under the lease of its writer's name. */
  begins(turn: WalkTurn): void {
    const { writer } = turn;
    const { session } = writer.handle;
    for (const other of this.turns) {
      const isBeside = other !== turn && other.hasBegun && !other.isOver;
      if (!isBeside || other.writer.handle.session !== session) continue;
      const { causes, program } = other.writer;
      if (causes.size > 0 || program.state !== "up" || other.writer === writer) continue;
      if (program !== writer.program) this.wrong(`${turn.what} beside ${other.what}`);
    }
    const had = this.holders.get(session);
    const isTaken = had !== undefined && had !== writer && had.program === writer.program;
    if (isTaken && had.clients.length > 0 && had.causes.size === 0 && !had.isEnded) {
      this.wrong(`${turn.what} has the lease of ${had.what}, which a client is at`);
    }
    turn.hasBegun = true;
    writer.causes.clear();
    this.given(session, writer);
  }

  /** What became of a turn is what its caller hears. */
  told(turn: WalkTurn, exit: Exit.Exit<unknown, { readonly _tag: string }>): void {
    const { what, writer } = turn;
    const tag = tagOf(exit);
    this.history.push(`${what}: ${tag}`);
    turn.isOver = true;
    if (writer.program.state === "crashed") return;
    const own = [...writer.causes].filter((cause) => cause !== what);
    const isOther = writer.isEnded || writer.program.state !== "up" || this.hasRival(writer);
    if (tag === "ok") {
      if (!turn.isWhole) this.wrong(`${what} is told to have run, and did not`);
    } else if (tag === "LeaseLost") {
      if (own.length === 0 && !isOther) this.wrong(`${what} lost its lease to nobody`);
    } else if (tag === "TurnInterrupted") {
      const isAsked = writer.isStopped || writer.wasAttended || isOther;
      if (!isAsked && own.length === 0) this.wrong(`${what} was stopped by nobody`);
    } else if (tag === "Interrupted") {
      if (!turn.isLeft && writer.program.state === "up") this.wrong(`${what} was cut off`);
    } else if (tag !== "OwnFailure" && !refusals.includes(tag)) {
      this.wrong(`${what} ended with ${tag}`);
    }
  }

  /** What has to hold behind every step. */
  readonly look = Effect.gen(this, function* () {
    for (const [session, writer] of this.holders) {
      const row = [...this.machine.store.leases.values()].find((one) => one.session === session);
      if (row?.actor === writer.handle.actor) continue;
      this.holders.delete(session);
      const state = yield* writer.handle.state;
      const isExcused =
        this.hasRival(writer) ||
        writer.causes.size > 0 ||
        writer.isEnded ||
        writer.program.state !== "up" ||
        (writer.wasAttended && state !== "open");
      if (!isExcused) this.wrong(`${writer.what} has not the lease of ${session} any more`);
    }
    for (const writer of this.writers) {
      const { causes, handle, isEnded, program, what } = writer;
      const isLost = program.state === "up" && (yield* handle.state) === "lost";
      if (isLost && causes.size === 0 && !isEnded && !this.hasRival(writer))
        this.wrong(`${what} is lost to nobody`);
    }
    for (const session of this.alive) {
      const record = [...this.machine.store.records.values()].findLast(
        (one) => one.session === session,
      );
      if (record?.state !== "running") this.wrong(`${session} is ${record?.state}`);
    }
  });

  /** Whether a sibling that nobody is at may have taken its lease, and not begun yet. */
  private hasRival({ handle, program }: WalkWriter): boolean {
    return this.turns.some(
      ({ isOver, writer }) =>
        !isOver &&
        writer.handle !== handle &&
        writer.program === program &&
        writer.handle.session === handle.session,
    );
  }

  private concerned(session: string): ReadonlyArray<WalkWriter> {
    return this.writers.filter(
      (writer) => writer.handle.session === session || this.holders.get(session) === writer,
    );
  }
}
