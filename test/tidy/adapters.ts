/**
 * adapters: the files in which the world may be touched, each with what it may touch.
 *
 * A file is listed when it is an adapter behind a port, or the main of a program. An entry that
 * its file does not use is a finding, so the list tells the truth and only grows on purpose.
 */

/** A thing of the world that the rest of the code knows only through a port or through Effect. */
export type World =
  | "clock"
  | "chance"
  | "timer"
  | "environment"
  | "files"
  | "processes"
  | "run"
  | "fork";

/** Which file may use what. */
export const adapters: Readonly<Record<string, ReadonlyArray<World>>> = {
  "packages/tmux/src/ControlClient.ts": ["files", "processes"],
  "packages/tmux/src/ControlLink.ts": ["chance"],
  "packages/tmux/src/ProcessTransport.ts": ["processes"],
  "packages/tmux/src/SnapshotList.ts": ["chance"],
  "packages/tmux/src/SocketPath.ts": ["files"],
  "packages/sqlite/src/HomeFiles.ts": ["files"],
  "packages/node/src/FileSnapshots.ts": ["files"],
  "packages/node/src/DirectoryWatch.ts": ["files"],
  "packages/node/src/LinuxProcessTable.ts": ["files", "processes"],
  "packages/node/src/ProcFile.ts": ["files"],
  "packages/node/src/NodeAwakeClock.ts": ["clock"],
  "packages/node/src/NodeHost.ts": ["environment", "files"],
  "packages/node/src/KernelRandom.ts": ["chance", "files"],
  "packages/node/src/NodeOutputFiles.ts": ["files"],
  "packages/node/src/NodeServerSocket.ts": ["files"],
  "packages/node/src/RecorderProcess.ts": ["files"],
  "packages/node/src/ServerScope.ts": ["environment", "files", "processes"],
  "packages/node/src/ServiceUnit.ts": ["files"],
  "packages/node/src/TmuxProcess.ts": ["files"],
  "packages/node/src/Undecodable.ts": ["files"],
  "packages/node/src/TmuxLocation.ts": ["environment", "files"],
  "examples/ask-tmux.ts": ["run"],
  "examples/back-up.ts": ["run"],
  "examples/cli/src/GivenFile.ts": ["files"],
  "examples/cli/src/Handover.ts": ["files", "processes"],
  "examples/cli/src/Leaving.ts": ["files", "timer"],
  "examples/cli/src/doctor/FileLocks.ts": ["files"],
  "examples/cli/src/doctor/Machine.ts": ["files"],
  "examples/cli/src/main.ts": ["environment", "files", "run"],
  "examples/cli/src/demo/CutOffDelete.ts": ["processes"],
  "examples/cli/src/demo/Proof.ts": ["files"],
  "examples/cli/src/demo/Throwaway.ts": ["files"],
  "examples/fake-tmux.ts": ["run"],
  "examples/host-app/test/Service.ts": ["timer"],
  "examples/quickstart.ts": ["run"],
  "examples/watch-events.ts": ["run"],
};
