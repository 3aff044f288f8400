/**
 * `@troupe/node`: `Troupe.layer`, the wiring for Node, and the live adapters it is made of.
 *
 * @module @troupe/node
 */

export * from "./AwakeCount.js";
export * from "./FileSnapshots.js";
export * from "./LinuxProcessTable.js";
export * from "./NodeAwakeClock.js";
export * from "./NodeHost.js";
export * from "./NodeIds.js";
export * from "./NodeOutputFiles.js";
export * from "./NodePatterns.js";
export * from "./NodeServerSocket.js";
export * from "./ProcStat.js";
export * from "./ServerScope.js";
export * from "./ServiceUnit.js";
export * from "./TmuxLocation.js";
export * from "./Troupe.js";
export * from "./Undecodable.js";
