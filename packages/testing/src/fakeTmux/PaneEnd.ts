/**
 * PaneEnd: what happens to a pane when its program ends, or when it is killed.
 *
 * Killing only takes the terminal away: the programs of the pane get HUP when the command list has
 * ended, and may ignore it. A program that ended leaves a dead pane where `remain-on-exit` says
 * so, else the pane goes, with the window and the session that it was the last of.
 */

import { formatPane } from "./FormatContext.js";
import type { Pane } from "./Pane.js";
import type { ProcessEnd } from "./ProcessTree.js";
import type { Server } from "./Server.js";

/** Stops what reads the output of the pane. */
export const closePipe = (server: Server, pane: Pane): void => {
  const { pipe } = pane;
  if (pipe === null) return;
  pane.pipe = null;
  pipe.open = false;
  const { tree } = server.machine;
  server.machine.timers.after(0, () => tree.finish(pipe.process, { _tag: "Exited", code: 0 }));
};

const closeTerminal = (server: Server, pane: Pane): void => {
  if (!pane.open) return;
  pane.open = false;
  pane.tty?.close();
  const leader = pane.process?.leader;
  if (leader !== undefined) {
    server.machine.timers.after(0, () => server.machine.tree.hangUp(leader));
  }
};

/** Ends the pane as such; whether its programs end is theirs to say. */
export const closePane = (server: Server, pane: Pane): void => {
  closeTerminal(server, pane);
  closePipe(server, pane);
};

const showDead = (server: Server, pane: Pane): void => {
  if (pane.deadSince !== null) return;
  pane.deadSince = server.seconds();
  const template = server.rules.since33
    ? pane.options.text("remain-on-exit-format")
    : "Pane is dead";
  if (template !== "") pane.screen.banner(formatPane(server, pane, template));
};

/** Takes one pane out of its window; the window goes with its last. */
export const removePane = (server: Server, pane: Pane): void => {
  const { window } = pane;
  closePane(server, pane);
  window.panes = window.panes.filter((other) => other !== pane);
  if (window.active === pane) window.active = window.panes[0] ?? null;
  if (window.panes.length === 0) server.killWindow(window, true);
};

/** The terminal of a pane has gone by itself. */
export const paneLost = (server: Server, pane: Pane): void => {
  closeTerminal(server, pane);
  const remain = pane.options.text("remain-on-exit");
  if (remain !== "off" && pane.end === null) return;
  const failed = pane.end?._tag !== "Exited" || pane.end.code !== 0;
  if (remain === "on" || (remain === "failed" && failed)) showDead(server, pane);
  else removePane(server, pane);
};

/** The server has reaped the program of a pane. */
export const paneExited = (server: Server, pane: Pane, end: ProcessEnd): void => {
  pane.end = end;
  paneLost(server, pane);
};
