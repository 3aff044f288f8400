/**
 * How often each command succeeded and failed in a comparison, and how often it should have.
 *
 * Only what scripts asked counts, not what the comparison asks to look around. A command that a
 * run hardly met has not been compared.
 */

/** One command. */
export interface Count {
  readonly succeeded: number;
  readonly failed: number;
}

/** Every command by its full name. */
export type Tally = ReadonlyMap<string, Count>;

const none: Count = { succeeded: 0, failed: 0 };

/** Two tallies as one. */
export const addTallies = (a: Tally, b: Tally): Tally => {
  const sum = new Map(a);
  for (const [name, { failed, succeeded }] of b) {
    const before = sum.get(name) ?? none;
    sum.set(name, {
      succeeded: before.succeeded + succeeded,
      failed: before.failed + failed,
    });
  }
  return sum;
};

/** What came to a tally since it was another one. */
export const tallySince = (before: Tally, now: Tally): Tally =>
  new Map(
    [...now].map(([name, { failed, succeeded }]) => {
      const old = before.get(name) ?? none;
      return [name, { succeeded: succeeded - old.succeeded, failed: failed - old.failed }];
    }),
  );

const names = `
  capture-pane delete-buffer detach-client display-message has-session if-shell kill-pane
  kill-server kill-session kill-window link-window list-buffers list-clients list-panes
  list-sessions list-windows load-buffer new-session new-window paste-buffer pipe-pane
  rename-session rename-window resize-window respawn-pane send-keys set-buffer set-environment
  set-option set-window-option show-buffer show-environment show-options show-window-options
  source-file start-server wait-for
`;
const compared = names.trim().split(/\s+/);

const unfailing = new Set(["kill-server", "list-buffers", "list-sessions", "start-server"]);

/** How many commands a run needs for its floors to count. */
export const floorFrom = 20_000;
const successes = 200;
const failures = 50;

/** Commands that a long run met too rarely, each with what it lacks. */
export const belowFloor = (tally: Tally): ReadonlyArray<string> =>
  compared.flatMap((name) => {
    const { failed, succeeded } = tally.get(name) ?? none;
    return [
      ...(succeeded < successes ? [`${name} succeeded ${succeeded} < ${successes}`] : []),
      ...(failed < failures && !unfailing.has(name)
        ? [`${name} failed ${failed} < ${failures}`]
        : []),
    ];
  });

const margin = 1.25;

/** Commands that are not on their way to their floors after so many. */
export const lateCommands = (tally: Tally, done: number): ReadonlyArray<string> => {
  const due = (margin * done) / floorFrom;
  return compared.filter((name) => {
    const { failed, succeeded } = tally.get(name) ?? none;
    return succeeded < due * successes || (failed < due * failures && !unfailing.has(name));
  });
};

/** A line for each command. */
export const showTally = (tally: Tally): ReadonlyArray<string> =>
  [...tally].sort().map(([name, { failed, succeeded }]) => {
    const counts = `${String(succeeded).padStart(6)} ok ${String(failed).padStart(6)} failed`;
    return `${name.padEnd(20)} ${counts}`;
  });
