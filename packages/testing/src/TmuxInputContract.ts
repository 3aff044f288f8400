/**
 * TmuxInputContract: what any `Tmux` must do with input, as the cases of `TmuxContract`.
 *
 * What a program read is seen as the echo of its terminal and what it says back, in a capture.
 */
import { IncarnationId, type InputPart, type PaneTarget, TerminalId, Tmux } from "@troupe/core";
import { Effect } from "effect";
import { same } from "./RegistryContractCheck.js";
import { created, eventually, named, type TmuxCase } from "./TmuxContract.js";

const LOADED: InputPart = { _tag: "Loaded" };
const ENTER: InputPart = { _tag: "Keys", keys: ["Enter"] };

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A session whose program says back each line, and its pane. */
const talking = (command: ReadonlyArray<string> = ["cat"]) =>
  Effect.gen(function* () {
    const { made, server, target, tmux } = yield* created(command);
    const listing = yield* tmux.list("contract");
    const [first] = made.terminals;
    if (listing._tag !== "Server" || first === undefined) return yield* Effect.dieMessage("list");
    const { paneId } = first;
    const terminal = TerminalId.make("main");
    const pane: PaneTarget = { ...target, terminal, paneId, version: listing.version };
    const how = { lines: null, join: false, ansi: false };
    const shown = Effect.map(
      tmux.capture({ server, paneId, session: target.session }, how),
      (it) => it?.text,
    );
    return { tmux, pane, shown };
  });

const load = (pane: PaneTarget, text: string) =>
  Effect.flatMap(Tmux, (tmux) => Effect.map(tmux.input.load(pane, bytes(text)), (it) => it._tag));

const send = (pane: PaneTarget, part: InputPart) =>
  Effect.flatMap(Tmux, (tmux) => Effect.map(tmux.input.send(pane, part), (it) => it._tag));

/** The cases. */
export const tmuxInputContract: ReadonlyArray<TmuxCase> = [
  named(
    "what was loaded is written once, and keys behind it",
    Effect.gen(function* () {
      const { pane, shown } = yield* talking();
      yield* same("load", yield* load(pane, "hello"), "Loaded");
      yield* same("send", yield* send(pane, LOADED), "Sent");
      yield* same("again", yield* send(pane, LOADED), "Unsent");
      yield* same("no key", yield* send(pane, { _tag: "Keys", keys: [] }), "Sent");
      yield* same("enter", yield* send(pane, ENTER), "Sent");
      const text = yield* eventually(shown, (it) => it === "hello\nhello");
      yield* same("shown", text, "hello\nhello");
    }),
  ),
  named(
    "input is written only in its server, session, incarnation, terminal and pane",
    Effect.gen(function* () {
      const { pane, shown } = yield* talking();
      const other = IncarnationId.make("contract-0002");
      for (const [wrong, tag] of [
        [{ server: { ...pane.server, startTime: 1 } }, "Elsewhere"],
        [{ sessionId: "$99" }, "Elsewhere"],
        [{ incarnation: other }, "Elsewhere"],
        [{ terminal: TerminalId.make("t2") }, "Gone"],
        [{ paneId: "%99" }, "Gone"],
      ] as const) {
        yield* same("load", yield* load(pane, "hello"), "Loaded");
        yield* same(JSON.stringify(wrong), yield* send({ ...pane, ...wrong }, LOADED), tag);
        yield* same("enter", yield* send({ ...pane, ...wrong }, ENTER), tag);
        yield* same("is not left", yield* send(pane, LOADED), "Unsent");
      }
      yield* same("shown", yield* shown, "");
    }),
  ),
  named(
    "a raised fence refuses input of an older epoch, and removes what that loaded",
    Effect.gen(function* () {
      const { pane, shown, tmux } = yield* talking();
      yield* same("load", yield* load(pane, "old"), "Loaded");
      const newer = { ...pane, epoch: pane.epoch + 2 };
      yield* same("newer", yield* load(newer, "new"), "Loaded");
      yield* tmux.fence({ ...pane, epoch: pane.epoch + 1 }, "contract");
      yield* same("old load", yield* load(pane, "old"), "Stale");
      yield* same("old send", yield* send(pane, LOADED), "Stale");
      yield* same("old keys", yield* send(pane, ENTER), "Stale");
      yield* same("removed", yield* send({ ...pane, epoch: pane.epoch + 1 }, LOADED), "Unsent");
      yield* same("new", yield* send(newer, LOADED), "Sent");
      yield* same("shown", yield* eventually(shown, (it) => it === "new"), "new");
    }),
  ),
  named(
    "a program that has ended is sent nothing, and its server lives on",
    Effect.gen(function* () {
      const { pane, tmux } = yield* talking(["true"]);
      const exits = Effect.map(tmux.list("contract"), (listing) =>
        listing._tag === "Server" ? listing.sessions[0]?.terminals[0]?.exit : null,
      );
      yield* eventually(exits, (exit) => exit !== null);
      yield* same("load", yield* load(pane, "x"), "Loaded");
      yield* same("send", yield* send(pane, LOADED), "Unsent");
      yield* same("keys", yield* send(pane, ENTER), "Unsent");
      yield* same("lives", (yield* tmux.list("contract"))._tag, "Server");
    }),
  ),
  named(
    "a pane tells whether this part is the newest that was written to it",
    Effect.gen(function* () {
      const { pane, tmux } = yield* talking();
      const { wasSent } = tmux.input;
      yield* same("none", yield* wasSent(pane, ENTER), false);
      yield* send(pane, ENTER);
      yield* same("sent", yield* wasSent(pane, ENTER), true);
      yield* same("another part", yield* wasSent(pane, LOADED), false);
      yield* same("another epoch", yield* wasSent({ ...pane, epoch: 4 }, ENTER), false);
      yield* same("no pane", yield* wasSent({ ...pane, paneId: "%99" }, ENTER), null);
      const server = { ...pane.server, startTime: 1 };
      yield* same("another server", yield* wasSent({ ...pane, server }, ENTER), null);
    }),
  ),
];
