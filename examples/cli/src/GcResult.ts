/**
 * GcResult: the schemas of what `gc`, `server status` and `server stop` answer.
 *
 * Like those in `Results`: times are ISO 8601 in UTC, and what there is not is `null`.
 */
import { ReconcileResult } from "@troupe/core";
import { Schema } from "effect";
import { ErrorResult } from "./ErrorSchema.js";
import { Instant } from "./Results.js";

/** One thing and why it went or stayed; `session` and `generation` where it is of one. */
export const GcItem = Schema.Struct({
  what: Schema.String,
  session: Schema.NullOr(Schema.String),
  generation: Schema.NullOr(Schema.Int),
  why: Schema.String,
});

/**
 * What `gc` answers. With `dryRun` nothing was done, and the rest tells what would be. `repaired`
 * is what was brought up to date first. What `failed` is in `kept`, too. `server` is `unknown`
 * when its end could not be shown.
 */
export const GcResult = Schema.Struct({
  dryRun: Schema.Boolean,
  repaired: Schema.Array(ReconcileResult),
  deleted: Schema.Array(GcItem),
  forgotten: Schema.Array(GcItem),
  kept: Schema.Array(GcItem),
  failed: Schema.Array(
    Schema.Struct({
      what: Schema.String,
      session: Schema.NullOr(Schema.String),
      error: ErrorResult,
    }),
  ),
  server: Schema.Literal("stopped", "kept", "none", "unknown"),
});

/**
 * What `server status` answers; `server` is `null` when none answers at the socket. `sessions`
 * are those of this home, `foreign` all others. `unit` is the systemd unit that it lives in.
 */
export const ServerStatusResult = Schema.Struct({
  socket: Schema.String,
  server: Schema.NullOr(
    Schema.Struct({
      pid: Schema.Int,
      startedAt: Instant,
      version: Schema.String,
      sessions: Schema.Array(Schema.String),
      foreign: Schema.Array(Schema.String),
      unit: Schema.NullOr(Schema.String),
    }),
  ),
  detail: Schema.NullOr(Schema.String),
});

/** What `server stop` answers; with `none` there was no server to stop. */
export const ServerStopResult = Schema.Struct({ server: Schema.Literal("stopped", "none") });
