/**
 * SessionFailures: what each method of `Sessions` can fail with.
 *
 * Unions of the errors in `SessionError`, one for each kind of call, so that a signature says it in
 * a word and a caller can name it.
 */
import type { Nested, SelfAttach } from "./AttachError.js";
import type * as SessionError from "./SessionError.js";
import type { InvalidCondition } from "./WaitCondition.js";
import type { WaitTimeout } from "./WaitTimeout.js";

/** What an operation that goes through an actor can fail with, whatever it is. */
export type ActorFailure =
  | SessionError.InvalidName
  | SessionError.Busy
  | SessionError.MailboxFull
  | SessionError.Closing
  | SessionError.LookupFailed
  | SessionError.KillUnconfirmed
  | SessionError.ProcessesSurvived
  | SessionError.RegistryFailure;

/** What `create` can fail with. */
export type CreateFailure =
  | ActorFailure
  | SessionError.InvalidCwd
  | SessionError.InvalidEnv
  | SessionError.AlreadyExists
  | SessionError.ForeignSession
  | SessionError.StartFailed
  | SessionError.TmuxRefused
  | SessionError.UnsupportedTmux;

/** What a change of a session that is there can fail with. */
export type NameFailure = ActorFailure | SessionError.NotFound;

/** What `adopt` can fail with. */
export type AdoptFailure = NameFailure | SessionError.AlreadyExists | SessionError.ForeignSession;

/** What `addTerminal` can fail with. */
export type AddTerminalFailure =
  | NameFailure
  | SessionError.InvalidCwd
  | SessionError.InvalidEnv
  | SessionError.StartFailed
  | SessionError.TmuxRefused;

/**
 * What `send` can fail with; nothing was written then. `TmuxRefused`: what was given cannot be
 * sent, or the terminal takes no input, its program having ended.
 */
export type SendFailure = NameFailure | SessionError.TmuxRefused;

/** What `attachCommand` can fail with. `TmuxRefused`: the keys, or nobody to be switched. */
export type AttachFailure =
  | ReadFailure
  | SessionError.LookupFailed
  | SessionError.ForeignSession
  | SessionError.TmuxRefused
  | Nested
  | SelfAttach;

/** What `output` can fail with. `Closing`: the service closed while the terminal lived. */
export type OutputFailure = ReadFailure | SessionError.LookupFailed | SessionError.Closing;

/** What `setEnv` can fail with. */
export type SetEnvFailure =
  | ReadFailure
  | SessionError.InvalidEnv
  | SessionError.Busy
  | SessionError.MailboxFull
  | SessionError.Closing;

/** What a read can fail with. */
export type ReadFailure =
  | SessionError.InvalidName
  | SessionError.NotFound
  | SessionError.RegistryFailure;

/** What `get` can fail with. `LookupFailed`: no row has the name, and rows may have been lost. */
export type GetFailure = ReadFailure | SessionError.LookupFailed;

/**
 * What `wait` can fail with. `NotFound`: the session or the terminal is not there, or was deleted
 * or lost meanwhile. `LookupFailed`: at the deadline tmux could not be asked whether it holds.
 */
export type WaitFailure = OutputFailure | InvalidCondition | WaitTimeout;
