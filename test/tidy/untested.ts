/**
 * untested: the modules of core that have code and no test file of their own name.
 *
 * The list may only shrink: a module that is tested, gone or without code makes its entry a
 * finding. A module is listed when the tests of its users show all that it does.
 */

/** Names of modules in packages/core/src, without the ending. */
export const untestedModules: ReadonlyArray<string> = [
  "Adopt",
  "Writers",
  "OrphanRows",
  "IdleWriters",
  "EndRows",
  "ClientGuard",
  "AttachmentState",
  "AttachmentRow",
  "AttachRows",
  "AttachRefusal",
  "Creation",
  "GcReport",
  "Identity",
  "MemoryStore",
  "LeaseError",
  "LeaseService",
  "OpenHandle",
  "Registry",
  "RegistryChanges",
  "RegistryMemory",
  "RegistryMemoryClaims",
  "RegistryMemoryCommit",
  "RegistryMemoryEvents",
  "RegistryMemoryForgetting",
  "RegistryMemoryLeases",
  "Session",
  "SessionError",
  "SessionHandle",
  "SessionReads",
  "Settings",
  "TurnHandle",
  "Undo",
  "WaitEnd",
  "WaitScreen",
  "WaitTimeout",
];
