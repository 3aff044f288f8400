/**
 * Tmux: the port to one tmux server, typed.
 *
 * Reads answer with what the server printed, whole, or fail with `LookupFailed`; there is no empty
 * answer in place of "could not ask". Mutations take a `Target` or a fence, so that one built on
 * an old look, by an overtaken holder, or for a server that has died meanwhile does nothing, and
 * says so. A mutation that fails with `LookupFailed` has an unknown outcome: it may still take
 * effect later, and the caller raises the fence before it looks.
 */
import { Context, type Effect, type Redacted } from "effect";
import type { AttachClient } from "./AttachClient.js";
import type { IncarnationId, ServerId, TerminalId } from "./Identity.js";
import type { PaneInput } from "./PaneInput.js";
import type { ProgramExit, SessionSpec } from "./Session.js";
import type { LookupFailed, TmuxRefused, UnsupportedTmux } from "./SessionError.js";
import type { SessionMarks } from "./SessionMarks.js";
import type { SessionName } from "./SessionName.js";

/** Our mark on a session: options that are set by the command list that makes it. */
export interface Mark {
  readonly incarnation: IncarnationId;
  readonly home: string;
  readonly generation: number;
}

/**
 * A pane as listed with a session. `terminal` is our mark on it, `null` on one that a user made.
 * A pane that a user moved into another session is told with the one that it was made in.
 */
export interface SeenTerminal {
  readonly windowId: string;
  readonly paneId: string;
  readonly panePid: number;
  readonly terminal: TerminalId | null;
  /**
   * Whether it is somebody else's, although it is in this session: a pane of another incarnation,
   * or one that is not ours in a window that is in another session, too.
   */
  readonly stranger: boolean;
  /** Whether its window is in another session, too or instead. */
  readonly away: boolean;
  /** `null` while the program runs. */
  readonly exit: ProgramExit | null;
}

/** A session as listed; `mark` is `null` on one that no troupe made. */
export interface SeenSession {
  readonly sessionId: string;
  readonly name: string;
  readonly mark: Mark | null;
  readonly terminals: ReadonlyArray<SeenTerminal>;
}

/**
 * One listing. `NoServer` means that nothing answers at the socket (no such file, or connection
 * refused); it proves the absence of a session only together with the death of the server that
 * the session was recorded in.
 */
export type Listing =
  | {
      readonly _tag: "Server";
      readonly server: ServerId;
      readonly version: string;
      readonly sessions: ReadonlyArray<SeenSession>;
      /** What panes show at that moment, where that was asked for. */
      readonly shown?: ReadonlyArray<CapturedPane>;
    }
  | { readonly _tag: "NoServer"; readonly detail: string };

/** The fence of a name at an epoch: what was asked for under an older epoch does nothing. */
export interface Fence {
  readonly session: SessionName;
  readonly epoch: number;
}

/** A session that a mutation is meant for, and nothing else. */
export interface Target extends Fence {
  readonly server: ServerId;
  readonly sessionId: string;
  readonly incarnation: IncarnationId;
}

/**
 * Where a terminal's output is recorded, as a ring: segments of at least `segmentBytes` and less
 * than twice that, of which the newest `segments` are kept.
 */
export interface Recording {
  readonly directory: string;
  readonly segmentBytes: number;
  readonly segments: number;
}

/** A creation. Values of `environment` reach tmux over stdin and are in no argv. */
export interface CreateSession extends Fence {
  readonly server: ServerId;
  readonly mark: Mark;
  readonly terminal: TerminalId;
  readonly spec: SessionSpec;
  /** `null` records nothing. */
  readonly recording: Recording | null;
  /** What every terminal of the session has, and `show-environment` may show. */
  readonly base: ReadonlyMap<string, string>;
  /** What the creator supplied; unset in tmux again by the list that starts the program. */
  readonly environment: ReadonlyMap<string, Redacted.Redacted<string>>;
}

/** A further terminal: a window of its own in a session of ours. */
export interface AddTerminal extends Target {
  readonly terminal: TerminalId;
  readonly command: ReadonlyArray<string>;
  readonly cwd: string;
  /** `null` records nothing. */
  readonly recording: Recording | null;
  /** What the program finds beside `environment`; it may be shown. */
  readonly base: ReadonlyMap<string, string>;
  /** What the creator supplied. It is nowhere in tmux but in the program that is started. */
  readonly environment: ReadonlyMap<string, Redacted.Redacted<string>>;
}

/** A terminal that a mutation is meant for. Its window is the one that was made for it. */
export interface TerminalTarget extends Target {
  readonly terminal: TerminalId;
  readonly paneId: string;
  readonly windowId: string;
}

/**
 * What came of a mutation. `Stale`: the fence is higher than our epoch. `Elsewhere`: this server,
 * or this session in it, is not the one that was meant; nothing was done.
 */
export type Refusal =
  | { readonly _tag: "Stale" }
  | { readonly _tag: "Elsewhere"; readonly detail: string };

/** tmux made the session and told every id. */
export interface Created {
  readonly _tag: "Created";
  readonly session: SeenSession;
}

/** tmux made the window and told its ids. */
export interface Added {
  readonly _tag: "Added";
  readonly terminal: SeenTerminal;
}

/** tmux has a session of that name already; nothing was made. */
export interface NameTaken {
  readonly _tag: "NameTaken";
  readonly detail: string;
}

/** What the look behind a kill saw, in the same command list. */
export type Killed = { readonly _tag: "Gone" } | { readonly _tag: "StillThere" };

/** The listing behind a kill, of the same command list. */
export interface Looked {
  readonly _tag: "Looked";
  readonly listing: Listing;
}

/** How a pane is to be read. */
export interface CaptureRequest {
  /** The newest so many; `null` is all that tmux keeps. */
  readonly lines: number | null;
  /** Rows that one line was wrapped into are one line; else each row is its own. */
  readonly join: boolean;
  /** With the escape sequences of colours and the like. */
  readonly ansi: boolean;
}

/**
 * What a pane shows. `truncated`: there is more above it, or may have been: tmux drops the oldest
 * tenth when its history is full, and from then on nobody can tell a full one from a fresh one.
 * `first` is which line the text begins with, 1 being the oldest that is kept; `null` where that is
 * not known, as where lines above it were to be joined and were not read.
 */
export interface PaneText {
  readonly text: string;
  readonly truncated: boolean;
  readonly first: number | null;
}

/**
 * What a terminal shows; `keptAt` is when it did, in milliseconds since 1970, where it is gone and
 * its snapshot is told; `null` where it is what it shows now.
 */
export interface Captured extends PaneText {
  readonly generation: number;
  readonly terminal: TerminalId;
  readonly keptAt: number | null;
}

/** Panes of a session that are to be read at once: the newest `lines` of history and the screen. */
export interface ShowRequest {
  readonly session: SessionName;
  readonly panes: ReadonlyArray<string>;
  readonly lines: number;
}

/** The same in a list of its own. */
export interface SnapshotRequest extends ShowRequest {
  readonly server: ServerId;
}

/** What a pane shows; `truncated` when its history is longer than what was asked for. */
export interface CapturedPane {
  readonly paneId: string;
  readonly exit: ProgramExit | null;
  readonly truncated: boolean;
  readonly text: string;
}

/** A tmux server of our own, and what can be asked of it. Every call has a deadline. */
export class Tmux extends Context.Tag("@troupe/core/Tmux")<
  Tmux,
  SessionMarks & {
    /** Everything the server has, in one call: consistent, because one list is atomic. */
    readonly list: (attempted: string) => Effect.Effect<Listing, LookupFailed>;
    /**
     * The same, and what these panes show then, read-only. `shown` is left out where one of them is
     * not there; a second call may have listed then.
     */
    readonly listShowing: (
      request: ShowRequest,
      attempted: string,
    ) => Effect.Effect<Listing, LookupFailed>;
    /**
     * Raises the fence (never lowers it), then lists, in one command list. What was loaded under an
     * older epoch to be sent to a terminal is removed.
     */
    readonly fence: (fence: Fence, attempted: string) => Effect.Effect<Listing, LookupFailed>;
    /** Starts the server unless it runs, and sets its options. Idempotent. */
    readonly boot: (
      attempted: string,
    ) => Effect.Effect<
      { readonly server: ServerId; readonly version: string },
      LookupFailed | UnsupportedTmux
    >;
    /** Makes a session with its mark and starts its program, in one command list. */
    readonly create: (
      request: CreateSession,
    ) => Effect.Effect<Created | NameTaken | Refusal, LookupFailed | TmuxRefused>;
    /** Kills the session and looks, in one command list. Killing what is gone answers `Gone`. */
    readonly kill: (target: Target) => Effect.Effect<Killed | Refusal, LookupFailed>;
    /** Makes a further window with its mark and starts its program, in one command list. */
    readonly addTerminal: (
      request: AddTerminal,
    ) => Effect.Effect<Added | Refusal, LookupFailed | TmuxRefused>;
    /**
     * Kills the window of the terminal, or its pane alone where a pane of another terminal is in
     * it or the pane is in a window that was not made for it; then lists, in one command list.
     * Killing what is gone does nothing and lists.
     */
    readonly killTerminal: (
      target: TerminalTarget,
    ) => Effect.Effect<Looked | Refusal, LookupFailed>;
    /** Sends input to a terminal. */
    readonly input: PaneInput;
    /** What is to be run on somebody's terminal. */
    readonly attach: AttachClient;
    /**
     * Ends the server if it is this one and has no session, checked in the list that acts.
     * `stopping` is its word; whether it is gone is to be looked at. `elsewhere`: not this server.
     */
    readonly stop: (
      server: ServerId,
    ) => Effect.Effect<"stopping" | "kept" | "elsewhere", LookupFailed>;
    /** What these panes show, in one command list; those that are not there are left out. */
    readonly snapshot: (
      request: SnapshotRequest,
    ) => Effect.Effect<ReadonlyArray<CapturedPane>, LookupFailed>;
    /**
     * What the pane shows with its history, without trailing blank lines. `null` when the pane is
     * not there.
     */
    readonly capture: (
      pane: { readonly server: ServerId; readonly paneId: string; readonly session: SessionName },
      how: CaptureRequest,
    ) => Effect.Effect<PaneText | null, LookupFailed>;
  }
>() {}
