/**
 * Registry: the port to what troupe remembers of one home.
 *
 * Reads need no claim, never write and never make a home. Every write is one transaction under a
 * claim: it happens only while the claim is still the newest of its name, writes its events with
 * the rows, and never contains a call to tmux. What waits, waits outside; after a bound of 10 s a
 * call fails with `RegistryUnavailable`. A move that the tables in `Lifecycle` do not have is a
 * defect, refused by the store itself.
 */
import { Context, Effect, Layer, type Option } from "effect";
import type { EventPage } from "./EventLog.js";
import type { IncarnationId, ProcessId, ServerId, TerminalId } from "./Identity.js";
import { MemoryStore } from "./MemoryStore.js";
import type { RegistryLeases } from "./RegistryLeases.js";
import { makeRegistryMemory } from "./RegistryMemory.js";
import type {
  ClaimRecord,
  SessionRecord,
  SessionSpec,
  SessionState,
  TerminalRecord,
} from "./Session.js";
import type { AlreadyExists, Busy, RegistryFailure } from "./SessionError.js";
import type { SessionName } from "./SessionName.js";

/**
 * The right to change one name, for one message. `fenceDue` tells that something asked for under
 * an older epoch may still take effect in tmux: the fence is raised before anything is looked at.
 */
export interface Claim {
  readonly session: SessionName;
  readonly owner: string;
  readonly epoch: number;
  readonly fenceDue: boolean;
}

/** A tmux server that sessions of this home were made in. */
export interface ServerRecord {
  readonly server: ServerId;
  readonly process: ProcessId;
  readonly version: string;
}

/**
 * One change of one incarnation. `Begin` makes it, once, in state `creating`; the generation is
 * counted by the registry. One that `restores` has the cause `RESTORING` until it moves. `Move`
 * keeps the session id that it does not name. `Terminal` is the terminal whole, new or known.
 * `Processes` adds to those recorded, none of which is forgotten; what is known of which terminal
 * a process is of is only added to. `Spared` says of recorded ones that its delete leaves them
 * alone, until they are recorded anew. `Cause` says anew why one is `deleting`, of which nothing is
 * told: its state is as it was. `Late` writes an event and nothing else: what appeared of an
 * incarnation that had ended was ended again.
 */
export type Change =
  | { readonly _tag: "Server"; readonly record: ServerRecord }
  | {
      readonly _tag: "Begin";
      readonly spec: SessionSpec;
      readonly server: ServerId;
      readonly requestId: string | null;
      readonly restores?: boolean | undefined;
    }
  | {
      readonly _tag: "Move";
      readonly to: SessionState;
      readonly cause: string | null;
      readonly sessionId?: string;
    }
  | { readonly _tag: "Terminal"; readonly record: TerminalRecord }
  | {
      readonly _tag: "Processes";
      readonly terminal: TerminalId | null;
      readonly processes: ReadonlyArray<ProcessId>;
    }
  | { readonly _tag: "Spared"; readonly processes: ReadonlyArray<ProcessId> }
  | { readonly _tag: "Cause"; readonly cause: string | null }
  | { readonly _tag: "Late"; readonly cause: string };

/** The incarnation that a new one of its name takes the place of, and the changes that end it. */
export interface Ending {
  readonly incarnation: IncarnationId;
  readonly changes: ReadonlyArray<Change>;
}

/** How a commit is made. With `ending`, that is written in the same transaction, first. */
export interface CommitOptions {
  readonly release: boolean;
  readonly ending?: Ending | undefined;
}

/** A row that is there and could not be understood. */
export interface Unreadable {
  readonly session: string;
  readonly detail: string;
}

/** A name of which nothing but its claim is left. */
export interface BareName {
  readonly session: SessionName;
  readonly claim: ClaimRecord;
}

/** Every incarnation that is known, by name and generation, and the names that have none. */
export interface History {
  readonly records: ReadonlyArray<SessionRecord>;
  readonly unreadable: ReadonlyArray<Unreadable>;
  readonly bare: ReadonlyArray<BareName>;
}

/** Something that a program left beside the rows; `removable` when it is proven dead. */
export interface Leftover {
  readonly what: string;
  readonly why: string;
  readonly removable: boolean;
}

/** What troupe remembers. */
export class Registry extends Context.Tag("@troupe/core/Registry")<
  Registry,
  RegistryLeases & {
    /** The newest incarnation of the name. */
    readonly get: (
      session: SessionName,
    ) => Effect.Effect<Option.Option<SessionRecord>, RegistryFailure>;
    /** This incarnation, whatever came after it. */
    readonly find: (
      incarnation: IncarnationId,
    ) => Effect.Effect<Option.Option<SessionRecord>, RegistryFailure>;
    /** The newest incarnation that this request began, if one did. */
    readonly findRequest: (
      requestId: string,
    ) => Effect.Effect<Option.Option<SessionRecord>, RegistryFailure>;
    /**
     * The newest incarnation of every name, by name. Without `ended`, those in a final state are
     * left out. A row that cannot be read is in `unreadable`, never missing.
     */
    readonly list: (options: { readonly ended: boolean }) => Effect.Effect<
      {
        readonly records: ReadonlyArray<SessionRecord>;
        readonly unreadable: ReadonlyArray<Unreadable>;
      },
      RegistryFailure
    >;
    /** All that is known of this name, or of every one: also older generations. */
    readonly history: (session: SessionName | null) => Effect.Effect<History, RegistryFailure>;
    /** The servers that sessions of this home were made in, newest first. */
    readonly servers: Effect.Effect<ReadonlyArray<ServerRecord>, RegistryFailure>;
    /**
     * Events with a greater sequence number than `since`, in order, at most `limit`, and the
     * numbers that are kept then. A line that cannot be read is in `unreadable`, never missing.
     * The log keeps `Settings.eventsKept` events and at most a tenth more: older ones are
     * forgotten in the transaction that writes newer ones, and no number is used again.
     */
    readonly events: (since: number, limit: number) => Effect.Effect<EventPage, RegistryFailure>;
    /**
     * Ends when the newest event has another number than `last` (0: there is none): at once after
     * a commit of this program, within `Settings.eventSpacingMs` after one of another. Writes
     * nothing, makes no home, and holds nobody up.
     */
    readonly awaitEvents: (last: number) => Effect.Effect<void, RegistryFailure>;
    /**
     * Keeps a damaged store aside, so that the next write makes a new one: where it is kept, or
     * `null` when the store can be read, or there is none, and nothing was done. Of several
     * programs one does it. A store of a newer program is not damaged: `RegistryUnavailable`.
     */
    readonly setAside: Effect.Effect<string | null, RegistryFailure>;
    /**
     * Takes the claim, once, without waiting for its holder: `Busy` while one lives or may live,
     * unless `force`; one's own that was not ended is taken over. Each claim has an epoch of its
     * own, greater than all before it. The fence is due unless the claim before ended cleanly.
     */
    readonly claim: (
      session: SessionName,
      options: { readonly attempted: string; readonly force: boolean },
    ) => Effect.Effect<Claim, Busy | RegistryFailure>;
    /**
     * The claim of the name as it stands, for who waits for it: a look, which takes and writes
     * nothing. Without `asksLife` the holder is told as `unknown` where it is another program.
     */
    readonly seeClaim: (
      session: SessionName,
      options: { readonly asksLife: boolean },
    ) => Effect.Effect<ClaimRecord, RegistryFailure>;
    /**
     * The same claim under a new epoch, after a mutation whose outcome is unknown, or because a
     * fence of a registry that was lost stands at `atLeast`.
     */
    readonly renew: (
      claim: Claim,
      atLeast?: number,
    ) => Effect.Effect<Claim, Busy | RegistryFailure>;
    /**
     * Applies the changes in order, in one transaction, all or none; `Busy{overtaken}` when the
     * claim is no longer the newest or has ended. `AlreadyExists` answers a `Begin` while another
     * incarnation of the name has not ended; what else is refused is a defect. With `release`,
     * the claim ends cleanly with this write.
     */
    readonly commit: (
      claim: Claim,
      incarnation: IncarnationId,
      changes: ReadonlyArray<Change>,
      options: CommitOptions,
    ) => Effect.Effect<SessionRecord, AlreadyExists | Busy | RegistryFailure>;
    /**
     * Forgets an incarnation in a final state, in one transaction: its row, terminals, processes,
     * requests and events (the newest event of all stays, so that no number is used again), and
     * those of `servers` that no row is of any more. Another state is a defect; one that is not
     * there is success.
     */
    readonly forget: (
      claim: Claim,
      incarnation: IncarnationId,
      servers: ReadonlyArray<ServerId>,
    ) => Effect.Effect<void, Busy | RegistryFailure>;
    /**
     * Ends the claim and forgets it with its epochs, unless an incarnation of the name is known:
     * then `false`, and nothing is done. Only where nothing older can take effect in tmux any more.
     */
    readonly forgetName: (claim: Claim) => Effect.Effect<boolean, Busy | RegistryFailure>;
    /** What programs left beside the rows; with `remove`, what is removable of it is gone. */
    readonly leftovers: (options: {
      readonly remove: boolean;
    }) => Effect.Effect<ReadonlyArray<Leftover>, RegistryFailure>;
    /**
     * Ends the claim, cleanly unless `fenceDue`; a second time, or after it was overtaken, it does
     * nothing.
     */
    readonly release: (
      claim: Claim,
      options: { readonly fenceDue: boolean },
    ) => Effect.Effect<void, RegistryFailure>;
  }
>() {
  /**
   * A program of its own on the store, or on a new one, under this owner's name (`memory`). Two
   * programs that share a store have different names, as two programs on one home have.
   */
  static layerMemory(
    store?: MemoryStore,
    options: { readonly owner: string } = { owner: "memory" },
  ): Layer.Layer<Registry> {
    const stored = store === undefined ? MemoryStore.make : Effect.succeed(store);
    return Layer.scoped(
      Registry,
      Effect.flatMap(stored, (s) => makeRegistryMemory(s, options.owner)),
    );
  }
}
