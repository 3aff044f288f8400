/**
 * StressLog: the log of a home that programs write to at this moment, seen from outside.
 *
 * Read past the library, in a process that has no other connection to the registry. It may stay
 * open while programs die; it writes nothing.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import type { Stage } from "../support/Stage.js";

/** The registry of a stage. */
export class StressLog {
  private database: Database.Database | null = null;

  constructor(private readonly stage: Stage) {}

  /** The number of the newest event. */
  get newest(): number {
    const file = join(this.stage.home, "registry.db");
    if (this.database === null && !existsSync(file)) return 0;
    this.database ??= new Database(file, { timeout: 0 });
    try {
      const found = this.database.prepare("SELECT max(sequence) FROM events").pluck().get();
      return Number(found ?? 0);
    } catch (error) {
      // The file is there before its tables are.
      if (error instanceof Error && error.message.startsWith("no such table")) return 0;
      throw error;
    }
  }

  /** Whether nobody is writing at this moment. */
  get isFree(): boolean {
    try {
      this.database?.exec("BEGIN IMMEDIATE; ROLLBACK");
      return true;
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "SQLITE_BUSY") return false;
      throw error;
    }
  }

  close(): void {
    this.database?.close();
  }
}
