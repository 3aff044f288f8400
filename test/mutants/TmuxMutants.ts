/**
 * TmuxMutants: what is said to tmux and what its answers are worth: marks, identities and fences in
 * the list that acts, and readers that believe nothing but what they asked for.
 *
 * What several guards keep at once has a test of the list or of the text instead of a world.
 */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is the text of source
import { type Killer, type Mutant, world } from "./Mutant.js";

const tmux = "packages/tmux/src";

const contract = (test: string): Killer => ({
  test,
  in: "test/contract/tmux.fake.test.ts",
  writtenIn: "packages/testing/src/TmuxContract.ts",
});

/** Every text of tmux has a test of its own. */
const texts: Killer = {
  test: "${JSON.stringify(text)} means ${expected}",
  in: "test/core/TmuxFailure.test.ts",
};

/** Edits of the tmux client. */
export const tmuxMutants: ReadonlyArray<Mutant> = [
  {
    name: "no-mark",
    removes: "The list that makes a session marks it.",
    file: `${tmux}/CreateList.ts`,
    from: "`set-option -t ${target} @troupe-inc ${incarnation}`,",
    to: "`set-option -t ${target} @troupe-not ${incarnation}`,",
    killedBy: [world("create, with a lost reply")],
  },
  {
    name: "create-on-any-server",
    removes: "A session is made only in the server that its row names.",
    file: `${tmux}/CreateList.ts`,
    from: "when(both(fence, serverIs(request.server)), found,",
    to: "when(fence, found,",
    killedBy: [world("create ∥ another server")],
  },
  {
    name: "create-past-the-fence",
    removes: "A create that was overtaken, or is done late, makes nothing.",
    file: `${tmux}/CreateList.ts`,
    from: "when(both(fence, serverIs(request.server)), found,",
    to: "when(serverIs(request.server), found,",
    killedBy: [world("create, with a late list")],
  },
  {
    name: "change-past-the-fence",
    removes: "A change that was overtaken, or is done late, does nothing.",
    file: `${tmux}/TmuxCommand.ts`,
    from: "return both(fencePasses(target), both(serverIs(server), identity));",
    to: "return both(serverIs(server), identity);",
    killedBy: [world("add, with a late list")],
  },
  {
    name: "change-in-any-server",
    removes: "A change is made only in the server that issued the ids that it names.",
    file: `${tmux}/TmuxCommand.ts`,
    from: "both(serverIs(server), identity)",
    to: "both(identity, server.pid > 0 ? identity : identity)",
    killedBy: [
      contract(
        "a kill is bound to the server, the id and the mark, and a second one finds it gone",
      ),
    ],
  },
  {
    name: "change-without-the-mark",
    removes: "A change is made only in a session that has the mark.",
    file: `${tmux}/TmuxCommand.ts`,
    from: "`#{==:#{session_id}/#{@troupe-inc},${sessionId}/${incarnation}}`;",
    to: "`#{==:#{session_id},${sessionId}}${incarnation.slice(0, 0)}`;",
    // Panes of another incarnation are guests, whom a kill spares.
    and: [
      {
        file: `${tmux}/KillList.ts`,
        from: "both(guarded(target), withoutGuests(target))",
        to: "guarded(target)",
      },
    ],
    killedBy: [
      contract(
        "a kill is bound to the server, the id and the mark, and a second one finds it gone",
      ),
    ],
  },
  {
    name: "kill-behind-the-fence-alone",
    removes: "A session is killed in its own server, by its id and its mark, and nowhere else.",
    file: `${tmux}/KillList.ts`,
    from: "when(condition, kill,",
    to: "when(fence, kill,",
    killedBy: [world("delete ∥ the server restarts")],
  },
  {
    name: "terminal-killed-behind-the-fence-alone",
    removes: "A terminal is killed in its session and its server, and nowhere else.",
    file: `${tmux}/KillTerminalList.ts`,
    from: "when(guarded(target), kill,",
    to: "when(fence, kill,",
    killedBy: [contract("a terminal is added and killed only in its session, server and epoch")],
  },
  {
    name: "terminal-added-behind-the-fence-alone",
    removes: "A terminal is added in its own session of its own server, and nowhere else.",
    file: `${tmux}/AddTerminalList.ts`,
    from: "when(guarded(request), found,",
    to: "when(fence, found,",
    killedBy: [world("add ∥ the server restarts")],
  },
  {
    name: "epochs-compared-as-text",
    removes: "Epochs are compared as numbers.",
    file: `${tmux}/TmuxCommand.ts`,
    from: "`#{e|<=:#{${fenceOption(fence)}},${fence.epoch}}`;",
    to: "`#{<=:#{${fenceOption(fence)}},${fence.epoch}}`;",
    killedBy: [world("epochs of two digits")],
  },
  {
    name: "fence-lets-equals-out",
    removes: "Whoever raised the fence may act at its own epoch.",
    file: `${tmux}/TmuxCommand.ts`,
    from: "`#{e|<=:#{${fenceOption(fence)}},${fence.epoch}}`;",
    to: "`#{e|<:#{${fenceOption(fence)}},${fence.epoch}}`;",
    killedBy: [world("delete, with a silent client")],
  },
  {
    name: "fence-only-said",
    removes: "A raised fence is set in tmux, before the listing.",
    file: `${tmux}/ListingList.ts`,
    from: "return `${raise}\\n${LISTING_LINE}\\n`;",
    to: "return `${raise.slice(0, 0)}${LISTING_LINE}\\n`;",
    killedBy: [world("create, with a late list")],
  },
  {
    name: "kill-believed-anywhere",
    removes: "The answer to a kill counts only from the server that has the session.",
    file: `${tmux}/KillList.ts`,
    from: "if (!sameServer(hello.server, target.server)) return",
    to: "if (!sameServer(hello.server, hello.server)) return",
    killedBy: [world("delete ∥ a user's server takes the socket")],
  },
  {
    name: "terminal-kill-believed-anywhere",
    removes: "The answer to a terminal's kill counts only from the server that has it.",
    file: `${tmux}/KillTerminalList.ts`,
    from: "if (!sameServer(hello.server, target.server)) return",
    to: "if (!sameServer(hello.server, hello.server)) return",
    killedBy: [contract("a terminal is added and killed only in its session, server and epoch")],
  },
  {
    name: "kill-rows-not-counted",
    removes: "The rows behind a kill are counted, so that one that was lost is missed.",
    file: `${tmux}/KillList.ts`,
    from: "const counted = endsWith(rest.at(-1), rows.length);",
    to: "const counted = rows.length >= 0;",
    killedBy: [world("delete, lingering, with an answer that is cut short")],
  },
  {
    name: "silence-is-a-kill",
    removes: "A client that ended with 0 and said nothing has shown nothing.",
    file: `${tmux}/KillList.ts`,
    from: 'return failure === "no-server" ? elsewhere(reply.stderr.trim()) : Either.left(failure);',
    to: 'return failure === "no-server" ? elsewhere(reply.stderr.trim()) : Either.right({ _tag: "Gone" });',
    killedBy: [
      world("delete, with a silent client"),
      world("delete, with a socket that is denied"),
    ],
  },
  {
    name: "listing-rows-not-counted",
    removes: "The sessions of a listing are counted, so that one that was lost is missed.",
    file: `${tmux}/ListingList.ts`,
    from: "if (!complete || !endsWith(lines.at(-1), listed.rows)) {",
    to: "if (listed === null) {",
    killedBy: [world("reconcile, with an answer that is cut short")],
  },
  {
    name: "panes-not-counted",
    removes: "The windows and panes of a session are counted, so that none is missed.",
    file: `${tmux}/TmuxFormat.ts`,
    from: "if (!all.every(isWhole)) return null;",
    to: "",
    killedBy: [world("reconcile, with an answer that is cut short")],
  },
  {
    name: "greeting-is-an-empty-server",
    removes: "A listing that breaks off behind its greeting is not a server without sessions.",
    file: `${tmux}/ListingList.ts`,
    from: "lines.length === 1 && reply.exitCode === 1 && reply.stderr",
    to: "lines.length === 1 || reply.stderr",
    killedBy: [world("reconcile, with an answer that is cut short")],
  },
  {
    name: "denied-is-no-server",
    removes: "A socket that we may not use is not the absence of a server.",
    file: `${tmux}/TmuxFailure.ts`,
    from: '[/^error connecting to .* \\(Permission denied\\)$/, "permission"],',
    to: '[/^error connecting to .* \\(Permission denied\\)$/, "no-server"],',
    killedBy: [texts],
  },
  {
    name: "unknown-text-is-no-server",
    removes: "A text that is not in the table says nothing.",
    file: `${tmux}/TmuxFailure.ts`,
    from: '?.[1] ?? "unclear";',
    to: '?.[1] ?? "no-server";',
    killedBy: [texts],
  },
  {
    name: "signalled-client-answered",
    removes: "A client that a signal ended has said nothing, whatever it printed.",
    file: `${tmux}/ProcessTransport.ts`,
    from: 'if (signal !== null) done(notBelieved(request, "signalled", `the client ended with ${signal}`));',
    to: 'if (signal !== null) done({ exitCode: 0, stdout: "", stderr: "" });',
    killedBy: [
      {
        test: "a look whose client a signal ended is taken again, and nothing else is",
        in: "test/real/client.test.ts",
        project: "real",
      },
    ],
  },
  {
    name: "window-with-a-peer",
    removes: "A window in which another terminal has a pane is not killed with one of them.",
    file: `${tmux}/KillTerminalList.ts`,
    from: "const one = when(alone, `kill-window -t ${paneId}`, `kill-pane -t ${paneId}`, paneId);",
    to: "const one = when(alone, `kill-window -t ${paneId}`, `kill-window -t ${paneId}`, paneId);",
    killedBy: [
      {
        test: "terminals of the same name in one window are never taken for each other",
        in: "test/real/moved.test.ts",
        project: "real",
      },
    ],
  },
  {
    name: "found-by-a-name-that-a-hook-changes",
    removes: "Where a hook may rename what is made, it is found by its id.",
    file: `${tmux}/Hooked.ts`,
    from: "const isFound = expected === null ? unhooked(hooks) :",
    to: "const isFound = expected === null ? unhooked(hooks.slice(0, 0)) :",
    killedBy: [
      {
        test: "is made by the second list, and by the next where others come in between",
        in: "test/core/Hooked.test.ts",
      },
    ],
  },
  {
    name: "next-id-taken-for-granted",
    removes: "A list that goes by the next id is refused when another has that.",
    file: `${tmux}/Hooked.ts`,
    from: "`#{==:${format},${expected}}`;",
    to: "`#{==:${expected},${expected}}`;",
    killedBy: [
      {
        test: "is made by the second list, and by the next where others come in between",
        in: "test/core/Hooked.test.ts",
      },
    ],
  },
  {
    name: "values-stay-in-tmux",
    removes: "What the creator supplied is unset in the session by the list that makes it.",
    file: `${tmux}/CreateList.ts`,
    from: "    ...forget,\n",
    to: "    ...forget.slice(0, 0),\n",
    killedBy: [
      {
        test: "are forgotten by tmux also when the list that made the session broke off",
        in: "test/core/RollBack.test.ts",
      },
    ],
  },
  {
    name: "server-stopped-with-sessions",
    removes: "A server is stopped only while it has no session, in the list that stops it.",
    file: `${tmux}/StopList.ts`,
    from: "both(`#{==:${ANY_SESSION},}`, serverIs(server)),",
    to: "serverIs(server),",
    killedBy: [world("create ∥ stop the server")],
  },
];
