/**
 * Keeper: the session that a client in control mode has to show, and how it is told apart.
 *
 * The client makes it, without a process once its empty program has ended, in the list that it
 * begins with; nobody sees it without its mark. It goes with its client, however that ends, and
 * never takes it along to another session. Nobody's listing has it, an empty server is empty with
 * it, and its name is none that a session of ours or of a home may have.
 */
import { joined } from "./TmuxCommand.js";

/** What stands in `@troupe-gen` of a keeper, where a session of ours has a number. */
export const KEEPER = "keeper";

const NAME = /^_keeper-[0-9a-f]{16}$/;

/** Whether a session with this name and these marks is a keeper. */
export const isKeeper = (name: string, incarnation: string, generation: string): boolean =>
  generation === KEEPER && incarnation === "" && NAME.test(name);

const MARKED = `#{==:#{@troupe-gen}/#{@troupe-inc},${KEEPER}/}`;

/** The format that is empty where a server has no session but keepers. */
export const ANY_SESSION = `#{S:#{?#{&&:${MARKED},#{m:_keeper-*,#{session_name}}},,x}}`;

/** The name of the keeper of one connection. */
export const keeperName = (nonce: string): string => `_keeper-${nonce}`;

/** What a client in control mode begins with; it has no say in sizes and hears no output. */
export const keeperArgv = (name: string): ReadonlyArray<string> => {
  const program = ["-x", "80", "-y", "24", "-c", "/", "--", "/bin/sh", "-c", ":"];
  const set = (option: string, value: string) => ["set-option", "-t", `=${name}:`, option, value];
  return joined(
    ["new-session", "-E", "-f", "no-output,ignore-size", "-s", name, "-n", KEEPER, ...program],
    set("@troupe-gen", KEEPER),
    set("destroy-unattached", "on"),
    set("detach-on-destroy", "on"),
    ["set-option", "-w", "-t", `=${name}:`, "remain-on-exit", "on"],
  );
};
