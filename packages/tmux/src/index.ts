/**
 * `@troupe/tmux`: core's `Tmux` over a transport, and the transports.
 *
 * @module @troupe/tmux
 */

// The port below: a process for each command list, and one connection for many
export * from "./TmuxTransport.js";
export * from "./ProcessTransport.js";
export * from "./ControlTransport.js";
export * from "./ControlClient.js";
export * from "./ControlConnection.js";
export * from "./ControlParser.js";
export * from "./ControlLine.js";
export * from "./Keeper.js";
export * from "./SocketPath.js";

// The typed client above it
export * from "./TmuxClient.js";
export * from "./TmuxServer.js";

// What is sent and how answers are believed
export * from "./TmuxCommand.js";
export * from "./TmuxFailure.js";
export * from "./TmuxFormat.js";
export * from "./CreateList.js";
export * from "./Recorder.js";
export * from "./KillList.js";
export * from "./ListingList.js";
export * from "./CaptureList.js";
export * from "./SnapshotList.js";
export * from "./StopList.js";
export * from "./IntroductionList.js";
export * from "./AdoptList.js";
export * from "./AttachList.js";
export * from "./KeyBindings.js";
export * from "./LoadList.js";
export * from "./SendList.js";
