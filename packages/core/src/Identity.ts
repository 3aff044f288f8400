/**
 * Identity: what makes a thing this very thing and not its successor.
 *
 * Names come back after a delete, tmux ids start again with a new server, and the kernel reuses
 * pids. Each type here is the smallest key that does not: nothing is killed, changed or declared
 * gone by a name, an id or a pid alone.
 */
import { Schema } from "effect";

/** One creation of one name; never used twice. It is the mark `@troupe-inc` in tmux. */
export const IncarnationId = Schema.String.pipe(
  Schema.pattern(/^[A-Za-z0-9-]{8,64}$/),
  Schema.brand("IncarnationId"),
);
export type IncarnationId = typeof IncarnationId.Type;

/** One terminal of an incarnation: a tmux window with the pane that was made in it. */
export const TerminalId = Schema.String.pipe(
  Schema.pattern(/^[A-Za-z0-9-]{1,64}$/),
  Schema.brand("TerminalId"),
);
export type TerminalId = typeof TerminalId.Type;

/**
 * One life of a tmux server: its pid with its start time in whole seconds since 1970, as the
 * server itself prints them (`#{pid}`, `#{start_time}`). Ids `$n @n %n` mean something only
 * together with it.
 */
export const ServerId = Schema.Struct({ pid: Schema.Int, startTime: Schema.Int });
export type ServerId = typeof ServerId.Type;

/**
 * One life of a process. `startTime` is in clock ticks since boot (field 22 of /proc/PID/stat),
 * which the kernel does not repeat for a reused pid within one boot. `bootId` is the boot, with a
 * `.` and the namespace that its pids are counted in where there are namespaces: what is known of
 * a pid in one says nothing in another.
 */
export const ProcessId = Schema.Struct({
  pid: Schema.Int,
  startTime: Schema.Int,
  bootId: Schema.String,
});
export type ProcessId = typeof ProcessId.Type;

/** Whether two boot ids are of the same boot, in whatever namespaces. */
export const sameBoot = (a: string, b: string): boolean => a.split(".")[0] === b.split(".")[0];

/** Whether two server identities are the same life of the same server. */
export const sameServer = (a: ServerId, b: ServerId): boolean =>
  a.pid === b.pid && a.startTime === b.startTime;

/** Whether two process identities are the same life of the same process. */
export const sameProcess = (a: ProcessId, b: ProcessId): boolean =>
  a.pid === b.pid && a.startTime === b.startTime && a.bootId === b.bootId;
