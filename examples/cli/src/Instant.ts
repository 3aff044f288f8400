/**
 * Instant: how a time is told: ISO 8601 in UTC.
 */
import { DateTime, Schema } from "effect";

/** Milliseconds since 1970 here, ISO 8601 in UTC outside. */
export const Instant = Schema.transform(Schema.String, Schema.Int, {
  strict: true,
  decode: (iso) => DateTime.toEpochMillis(DateTime.unsafeMake(iso)),
  encode: (ms) => DateTime.formatIso(DateTime.unsafeMake(ms)),
});
