/**
 * TmuxMarksContract: what any `Tmux` must do with the marks of a session, as the cases of
 * `TmuxContract`.
 *
 * A session of ours is made a stranger, and is marked as one.
 */
import { type AdoptSession, IncarnationId, TerminalId } from "@troupe/core";
import { Effect } from "effect";
import { same } from "./RegistryContractCheck.js";
import { created, named, type TmuxCase } from "./TmuxContract.js";

const other = IncarnationId.make("contract-0002");
const mark = { incarnation: other, home: "contract", generation: 2 };
const spec = {
  command: ["sleep", "600"],
  cwd: "/",
  envNames: [],
  inheritEnv: false,
  log: false,
  columns: 80,
  rows: 24,
};

/** A session of ours, its pane, and what is listed of it. */
const marked = Effect.gen(function* () {
  const { made, server, target, tmux } = yield* created();
  const [paneId = ""] = made.terminals.map((t) => t.paneId);
  const listed = Effect.map(tmux.list("contract"), (listing) =>
    listing._tag === "Server"
      ? listing.sessions.map((s) => [
          s.mark?.incarnation ?? null,
          ...s.terminals.map((t) => t.terminal),
        ])
      : [],
  );
  return { tmux, server, target, paneId, listed };
});

/** The cases. */
export const tmuxMarksContract: ReadonlyArray<TmuxCase> = [
  named(
    "a session that is disowned is nobody's, lives on, and can be adopted",
    Effect.gen(function* () {
      const { listed, paneId, server, target, tmux } = yield* marked;
      const disown = tmux.disown({ ...target, panes: [paneId] });
      yield* same("disowned", (yield* disown)._tag, "Disowned");
      yield* same("listed", yield* listed, [[null, null]]);
      yield* same("again", (yield* disown)._tag, "Elsewhere");
      const { epoch, session, sessionId } = target;
      const panes = [{ paneId, terminal: TerminalId.make("main") }];
      const adopt: AdoptSession = { session, epoch, server, sessionId, mark, spec, panes };
      yield* same("adopted", (yield* tmux.adopt(adopt))._tag, "Adopted");
      yield* same("marked", yield* listed, [[other, "main"]]);
      yield* same("twice", (yield* tmux.adopt(adopt))._tag, "Elsewhere");
    }),
  ),
  named(
    "a session is disowned by its own incarnation alone, and not behind a fence",
    Effect.gen(function* () {
      const { listed, paneId, target, tmux } = yield* marked;
      const before = yield* listed;
      const strange = { ...target, incarnation: other, panes: [paneId] };
      yield* same("other mark", (yield* tmux.disown(strange))._tag, "Elsewhere");
      yield* tmux.fence({ session: target.session, epoch: target.epoch + 1 }, "contract");
      const late = tmux.disown({ ...target, panes: [paneId] });
      yield* same("late", (yield* late)._tag, "Stale");
      yield* same("listed", yield* listed, before);
    }),
  ),
];
