/**
 * `@troupe/testing`: a fake tmux, fakes of every port, contracts and an explorer.
 *
 * For the tests of host programs as well as for troupe's own; no test framework is inside.
 *
 * @module @troupe/testing
 */
export * from "./RegistryContract.js";
export { asking } from "./RegistryContractLeaseHolders.js";
export { type TmuxCase, tmuxContract } from "./TmuxContract.js";
export * from "./TmuxShowContract.js";
export * from "./TmuxInputContract.js";
export * from "./TmuxMarksContract.js";
export * from "./TmuxHooksContract.js";
export * from "./OutputContract.js";
export * from "./FakeTmux.js";
export { Fault, type FaultRule } from "./fakeTmux/Faults.js";
export type { Gate, GateRule } from "./fakeTmux/Gates.js";
export type { FakeTmuxControl, ProcessSpec } from "./fakeTmux/Control.js";
export type { RunHooks } from "./fakeTmux/Delivery.js";
export type { FakeProcess, ProcessEnd, SignalName } from "./fakeTmux/ProcessTree.js";
export type { Program, ProgramRun } from "./fakeTmux/Program.js";
export type { FakeTmuxOptions } from "./fakeTmux/Settings.js";
export type { TmuxVersion } from "./fakeTmux/Version.js";
export { OutsideTheModel } from "./fakeTmux/OutsideTheModel.js";
export * from "./FakeMachine.js";
export * from "./FakeTroupe.js";
export * from "./FakeHost.js";
export * from "./FakeOutputFiles.js";
export * from "./FakeSnapshots.js";
export * from "./CountedIds.js";
export * from "./FakeAwakeClock.js";

// The explorer
export { Explore } from "./explore/Explore.js";
export type { Instance, World } from "./explore/World.js";
export type { Budgets } from "./explore/Exploration.js";
export type { BudgetReport, Failure, Report } from "./explore/Report.js";
export type { Finding, FindingKind } from "./explore/Finding.js";
export type { Replayed } from "./explore/Replay.js";
export type { Ending, ProgramOptions, StartedProgram } from "./explore/Program.js";
export { type Call, History } from "./explore/History.js";
export { contradictionIn, type Model } from "./explore/HistoryChecker.js";
export { exploredRegistry } from "./explore/ExploredRegistry.js";
export { exploredProcessTable } from "./explore/ExploredProcessTable.js";
export { exploredOutputFiles, exploredSnapshots } from "./explore/ExploredFiles.js";
export { exploredServerSocket } from "./explore/ExploredServerSocket.js";
export {
  exploredTransport,
  type TransportFault,
  type TransportFaults,
} from "./explore/ExploredTransport.js";
export { VirtualClock } from "./explore/VirtualClock.js";
