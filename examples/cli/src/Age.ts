/**
 * Age: how long ago something was, for people: in one unit, rounded down.
 *
 * Programs get the instant itself, in JSON. What is not over yet, by a clock that went back, is
 * told as just now.
 */
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The time between the two, both in milliseconds since 1970. */
export const ageText = (at: number, now: number): string => {
  const ms = Math.max(0, now - at);
  if (ms < 2 * MINUTE) return `${Math.floor(ms / SECOND)}s`;
  if (ms < 2 * HOUR) return `${Math.floor(ms / MINUTE)}m`;
  return ms < 2 * DAY ? `${Math.floor(ms / HOUR)}h` : `${Math.floor(ms / DAY)}d`;
};
