/**
 * LinkWindow: `link-window`: one more place for a window, in the same session or another.
 *
 * The window is the same in all its places. A place that is taken is refused, or freed by `-k`.
 */
import type { CommandResult, CommandRun, CommandSpec } from "../Command.js";
import type { Session, WindowLink } from "../Session.js";
import { findTarget, TargetMissing } from "../Targets.js";

const place = { flag: "t", kind: "window", windowIndex: true } as const;

/** Moves the windows from here on up by one, as far as there is no gap; gives the free index. */
export const shuffleUp = (session: Session, link: WindowLink, before: boolean): number => {
  const index = before ? link.index : link.index + 1;
  let last = index;
  while (session.linkAt(last) !== null) last++;
  for (; last > index; last--) {
    const moved = session.linkAt(last - 1);
    if (moved !== null) moved.index++;
  }
  session.sort();
  return index;
};

const link = (run: CommandRun): CommandResult => {
  const { args, server, source, current } = run;
  const found = findTarget(server, current, args.get("t"), place);
  if (found instanceof TargetMissing) return run.fail(found.message);
  const { session } = found;
  const from = source.link;
  if (session === null || from === null) return "error";
  let { index } = found;
  if (args.has("a") || args.has("b")) {
    index = shuffleUp(session, found.link ?? session.current, args.has("b"));
  }
  if (session !== from.session && session.group !== null && session.group === from.session.group) {
    return run.fail("sessions are grouped");
  }
  const taken = index < 0 ? null : session.linkAt(index);
  let select = !args.has("d");
  if (taken?.window === from.window) return run.fail(`same index: ${index}`);
  if (taken !== null && args.has("k")) {
    select = select || session.current === taken;
    server.unlink(taken);
  }
  const first = -1 - session.options.number("base-index");
  const added = session.add(from.window, index < 0 ? first : index);
  if (added === null) return run.fail(`index in use: ${index}`);
  if (!session.links.includes(session.current)) session.current = added;
  from.window.notices++;
  server.synchronize(session);
  if (select) session.select(added);
  if (!args.has("s")) server.renumber(from.session);
  return "normal";
};

/** `link-window`. */
export const linkWindow: CommandSpec = {
  name: "link-window",
  usage: "[-abdk] [-s src-window] [-t dst-window]",
  shape: { template: "abdks:t:", least: 0, most: 0 },
  source: { flag: "s", kind: "window" },
  run: link,
};
