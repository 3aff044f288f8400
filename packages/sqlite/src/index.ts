/**
 * `@troupe/sqlite`: the registry of a home in a SQLite file.
 *
 * @module @troupe/sqlite
 */
export * from "./LogWatch.js";
export * from "./ProcessIdentity.js";
export * from "./RegistryHealth.js";
export type { BackupOptions } from "./Backup.js";
export * from "./SqliteRegistry.js";
