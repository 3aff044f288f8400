/**
 * TmuxShowContract: what any `Tmux` must tell of what panes show: named effects, as those of
 * `TmuxContract`.
 *
 * Programs print, end and are waited for; what they print is text that tmux's own lines could be
 * taken for.
 */
import { type CapturedPane, type Listing, SessionName, TerminalId, Tmux } from "@troupe/core";
import { Effect } from "effect";
import { same } from "./RegistryContractCheck.js";
import { created, eventually, further, named, type TmuxCase } from "./TmuxContract.js";

const session = SessionName.make("contract");

const shownIn = (listing: Listing): ReadonlyArray<CapturedPane> | undefined =>
  listing._tag === "Server" ? listing.shown : undefined;

/** The cases. */
export const tmuxShowContract: ReadonlyArray<TmuxCase> = [
  named(
    "a snapshot has what each pane shows, whatever that is, and leaves out what is not there",
    Effect.gen(function* () {
      const print = "echo one; echo END; echo T1 2 3; exec sleep 600";
      const { made, server, target, tmux } = yield* created(["sh", "-c", print]);
      const added = yield* tmux.addTerminal(further(target, ["sh", "-c", "echo two; exit 3"]));
      if (added._tag !== "Added") return yield* Effect.dieMessage(`add: ${added._tag}`);
      const [first = "", second = ""] = [made.terminals[0]?.paneId, added.terminal.paneId];
      const request = { server, session, panes: [first, "%99", second], lines: 50 };
      let number = 2;
      // A server that missed the end of a program learns how it ended with that of another.
      const another = Effect.suspend(() => {
        const terminal = TerminalId.make(`t${++number}`);
        return tmux.addTerminal({ ...further(target, ["true"]), terminal });
      });
      const unsettled = ([, two]: ReadonlyArray<CapturedPane>) => two?.exit?.code === null;
      const shown = yield* eventually(
        Effect.tap(tmux.snapshot(request), (panes) => Effect.when(another, () => unsettled(panes))),
        ([one, two]) => one?.text.endsWith("3") === true && typeof two?.exit?.code === "number",
      );
      yield* same(
        "shown",
        // Before 3.3 tmux writes into a pane whose program ended that it is dead.
        shown.map(({ exit, paneId, text, truncated }) => [
          paneId,
          text.replace(/\n+Pane is dead$/, ""),
          exit?.code,
          truncated,
        ]),
        [
          [first, "one\nEND\nT1 2 3", undefined, false],
          [second, "two", 3, false],
        ],
      );
      const elsewhere = { ...request, server: { ...server, startTime: 1 } };
      yield* same("another server", yield* tmux.snapshot(elsewhere), []);
    }),
  ),
  named(
    "a listing shows panes of the same moment, all of them or none",
    Effect.gen(function* () {
      const { made, target, tmux } = yield* created(["sh", "-c", "echo one; exec sleep 600"]);
      const added = yield* tmux.addTerminal(further(target, ["sh", "-c", "echo two; exec cat"]));
      if (added._tag !== "Added") return yield* Effect.dieMessage(`add: ${added._tag}`);
      const panes = [added.terminal.paneId, made.terminals[0]?.paneId ?? ""];
      const ask = (wanted: ReadonlyArray<string>) =>
        tmux.listShowing({ session, panes: wanted, lines: 50 }, "contract");
      const textsOf = (listing: Listing) =>
        shownIn(listing)?.map(({ paneId, text }) => [paneId, text]);
      const both = [
        [panes[0], "two"],
        [panes[1], "one"],
      ];
      const isBoth = (listing: Listing) => `${textsOf(listing)}` === `${both}`;
      const listing = yield* eventually(ask(panes), isBoth);
      yield* same("shown", textsOf(listing), both);
      const plain = yield* tmux.list("contract");
      yield* same("listed", { ...listing, shown: undefined }, { ...plain, shown: undefined });
      yield* same("one is gone", yield* ask([...panes, "%99"]), plain);
      yield* tmux.kill(target);
      yield* same("all are gone", yield* ask(panes), yield* tmux.list("contract"));
    }),
  ),
  named(
    "a listing that is to show something of a server that is not there says so",
    Effect.gen(function* () {
      const tmux = yield* Tmux;
      const wanted = { session, panes: ["%0"], lines: 50 };
      yield* same("none", (yield* tmux.listShowing(wanted, "contract"))._tag, "NoServer");
    }),
  ),
  named(
    "a capture of a pane that is not there is null, also in another server",
    Effect.gen(function* () {
      const { made, server, tmux } = yield* created();
      const paneId = made.terminals[0]?.paneId ?? "";
      const pane = { server, paneId, session };
      const how = { lines: 5, join: true, ansi: false };
      yield* same("there", (yield* tmux.capture(pane, how))?.text, "");
      yield* same("absent", yield* tmux.capture({ ...pane, paneId: "%99" }, how), null);
      const other = { pid: server.pid, startTime: 1 };
      yield* same("other", yield* tmux.capture({ ...pane, server: other }, how), null);
    }),
  ),
  named(
    "a capture has the newest lines, rows or whole ones, and says when there are more above",
    Effect.gen(function* () {
      const long = "x".repeat(100);
      const print = `echo 1; echo 2; echo ${long}; exec sleep 600`;
      const { made, server, tmux } = yield* created(["sh", "-c", print]);
      const pane = { server, paneId: made.terminals[0]?.paneId ?? "", session };
      const shown = (lines: number | null, join: boolean) =>
        Effect.map(tmux.capture(pane, { lines, join, ansi: false }), (it) => [
          it?.text.split("\n").map(({ length }) => length),
          it?.truncated,
        ]);
      yield* eventually(shown(null, true), ([lengths]) => `${lengths}` === "1,1,100");
      yield* same("whole", yield* shown(null, true), [[1, 1, 100], false]);
      yield* same("rows", yield* shown(null, false), [[1, 1, 80, 20], false]);
      yield* same("enough", yield* shown(3, true), [[1, 1, 100], false]);
      yield* same("fewer", yield* shown(2, true), [[1, 100], true]);
    }),
  ),
];
