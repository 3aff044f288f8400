/**
 * ShownTerminals: the terminals of a session, with their programs as tmux shows them just now.
 *
 * `state` stays what the registry knows. Pid and exit are what tmux said where it showed the
 * session, so that a program that has ended is not told as one that runs until somebody reconciles;
 * where tmux could not be asked, or has no such session, they are what was recorded.
 */
import type { SessionView, TerminalRecord } from "@troupe/core";

/** In the order in which they were made. `panePid` is `null` where tmux shows no such terminal. */
export const shownTerminals = ({ seen, terminals }: SessionView): ReadonlyArray<TerminalRecord> => {
  if (seen.state !== "present") return terminals;
  return terminals.map((record) => {
    const now = seen.terminals.find(({ terminal }) => terminal === record.terminal);
    if (now !== undefined) return { ...record, panePid: now.panePid, exit: now.exit };
    return record.state === "gone" ? record : { ...record, panePid: null };
  });
};

/** The pid of the first program that runs, of whichever terminal. */
export const runningPid = ({ seen, terminals }: SessionView): number | null => {
  const running =
    seen.state === "present"
      ? seen.terminals.find(({ exit }) => exit === null)
      : terminals.find(({ state }) => state === "running");
  return running?.panePid ?? null;
};
