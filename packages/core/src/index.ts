/**
 * `@troupe/core`: sessions, their actors and their lifecycle, over ports.
 *
 * In the order of the flow. What is not here is core's own.
 *
 * @module @troupe/core
 */

// What a caller says and gets
export * from "./SessionName.js";
export * from "./Identity.js";
export * from "./Session.js";
export * from "./SessionError.js";
export * from "./AttachError.js";
export * from "./Lease.js";
export * from "./LeaseError.js";
export * from "./EndReason.js";
export * from "./SessionView.js";
export * from "./Input.js";
export { keyNames, keyOf } from "./Keys.js";
export * from "./SessionEvents.js";
export * from "./SessionOutput.js";
export * from "./EventLog.js";
export * from "./WaitCondition.js";
export * from "./WaitTimeout.js";
export { Waited } from "./Wait.js";
export type { RestoreOptions } from "./Restore.js";
export type { AttachCommand, AttachFrom, AttachOptions, AttachTo } from "./Attach.js";
export * from "./GcReport.js";
export * from "./ServerStatus.js";
export type { StopServer } from "./StopServer.js";

// The service, and the bounds that it runs under
export * from "./SessionOptions.js";
export * from "./SessionFailures.js";
export * from "./Sessions.js";
export * from "./EventSubscription.js";
export * from "./Settings.js";
export { countRetry, Telemetry, timed } from "./Telemetry.js";

// The actor behind it
export * from "./MailboxQueues.js";
export { Reply } from "./Reply.js";
export * from "./Mailboxes.js";
export * from "./SessionActor.js";
export { CONFIRM } from "./Send.js";
export { endedAs } from "./OutputReader.js";
export { joiningListings } from "./JoinedListing.js";
export * from "./Unfinished.js";
export * from "./TimeLimits.js";

// Who may run turns
export type { LeaseWriter } from "./HeldLeases.js";
export { HeldLease, HeldLeases } from "./HeldLeases.js";
export type { ClaimRefused } from "./LeaseClaims.js";
export { NameLocks } from "./NameLocks.js";
export * from "./Leases.js";
export * from "./TurnGate.js";
export * from "./TurnSeat.js";
export type { TurnBody, TurnHandle } from "./TurnHandle.js";
export * from "./Turns.js";
export type { EndFailure } from "./EndSession.js";
export type { SessionHandle } from "./SessionHandle.js";
export type { HandleOptions } from "./OpenHandle.js";
export type { HandlePorts, SessionReclaimed } from "./Writers.js";
export * from "./SessionHandles.js";
export type { TakeOverFailure, TakeOverOptions } from "./TakeOver.js";
export type { TakeLease } from "./TakeLease.js";
export { type SessionUnderLease, whileCurrent } from "./UnderLease.js";

// Who is at a session, and what becomes of a writer that nobody is at
export * from "./SessionClient.js";
export type { AttachElement } from "./AttachElement.js";
export type { ElementsFailure, ElementsOptions } from "./AttachStream.js";
export type { Attachment, AttachmentOptions } from "./Arrival.js";
export type { AttachRefused } from "./AttachRefusal.js";
export type { AttachToFailure, AttachToOptions, ClientLeft } from "./HandleAttach.js";
export * from "./AttachmentState.js";
export * from "./AttachmentTable.js";
export type { AttachmentRow } from "./AttachmentRow.js";
export * from "./OrphanDecision.js";
export * from "./Eviction.js";
export type { ClientsOf } from "./NativeClients.js";
export * from "./ClientGuard.js";

// What its flows decide
export * from "./Lifecycle.js";
export * from "./LeaseState.js";
export * from "./Environment.js";
export * from "./SessionScopes.js";
export * from "./LookUntil.js";
export { UNRECORDED } from "./ClearName.js";

// The ports
export * from "./Tmux.js";
export * from "./PaneInput.js";
export * from "./SessionMarks.js";
export * from "./AttachClient.js";
export * from "./Registry.js";
export * from "./RegistryLeases.js";
export * from "./LeaseRows.js";
export * from "./RegistryChanges.js";
export * from "./MemoryStore.js";
export * from "./RegistryMemory.js";
export { childOwner } from "./RegistryMemoryLeases.js";
export * from "./ProcessTable.js";
export * from "./ServerSocket.js";
export * from "./AwakeClock.js";
export * from "./OutputFiles.js";
export * from "./Patterns.js";
export * from "./Snapshots.js";
export * from "./Host.js";
export * from "./Ids.js";
