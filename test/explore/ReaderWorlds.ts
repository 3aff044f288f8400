/**
 * ReaderWorlds: readers beside a delete: once it was acknowledged, none ever sees it otherwise.
 *
 * What deletes and reads of one name answered is held against a small sequential model, in every
 * interleaving of a delete, a reconcile and a reader in programs of their own. Each other reader
 * meets every accident at any of its calls: what is out of reach is never told to be missing.
 */
import { contradictionIn, History, type Model } from "@troupe/testing";
import { Effect } from "effect";
import type { ListedWorld } from "./NamedWorld.js";
import { accidents, notMissed } from "./Operations.js";
import { create, reconcile } from "./SessionCalls.js";
import type { Call } from "./SessionWorld.js";

type Input = "delete" | "get" | "list";

/** A session of one name: alive as far as anybody was told, or deleted for good. */
const model: Model<"there" | "deleted", Input, string> = {
  initial: "there",
  reads: (input) => input !== "delete",
  next: (state, input, answer) => {
    if (input === "delete") return answer === null ? [state, "deleted"] : ["deleted"];
    if (answer === null) return [state];
    // While a delete is under way its intent may be seen; behind it only its end.
    const fits = state === "deleted" ? answer.output === "deleted" : answer.output !== "deleted";
    return fits ? [state] : [];
  },
};

let history = new History<Input, string>();

const remove: Call = {
  name: "delete",
  run: (sessions) =>
    Effect.suspend(() => {
      let deleted: unknown = null;
      const call = Effect.map(sessions.delete("a", { graceMs: 0 }), (result) => {
        deleted = result;
        return "ok";
      });
      return Effect.map(history.call("deleter", "delete", call), () => deleted);
    }),
};

const read: Call = {
  name: "read",
  run: (sessions) => {
    const get = Effect.map(sessions.get("a"), ({ state }) => state);
    const list = Effect.map(sessions.list({ all: true }), ({ sessions: all }) => {
      const found = all.find(({ session }) => session === "a");
      return found?.state ?? "missing";
    });
    return Effect.all([
      history.call("reader", "get", get),
      history.call("reader", "list", list),
      history.call("reader", "get", get),
    ]);
  },
};

/** A delete, a reader and a reconcile, each in a program of its own. */
export const reading: ListedWorld = {
  name: "delete ∥ read ∥ reconcile",
  cost: 2,
  before: [create],
  programs: [[remove], [read], [reconcile]],
  onStart: () => {
    history = new History();
  },
  also: () => contradictionIn(model, history.calls),
};

/** Whoever looks at a session, or at a terminal of it, and asks nobody to change anything. */
const readers: ReadonlyArray<Call> = [
  { name: "capture", run: (sessions) => sessions.capture("a") },
  {
    name: "wait",
    run: (sessions) => sessions.wait("a", { text: "never" }, { timeoutMs: 1_000 }),
  },
  { name: "clients", run: (sessions) => sessions.clients("a") },
  { name: "attach", run: (sessions) => sessions.attachCommand("a") },
];

const readThrough = (call: Call): ListedWorld => ({
  name: `${call.name}, and an accident at any call of it`,
  cost: 1,
  before: [create],
  programs: [[call]],
  happens: accidents,
  also: notMissed,
});

/** The same, where the one that deletes may crash anywhere; the others. */
export const readingWorlds: ReadonlyArray<ListedWorld> = [
  reading,
  { ...reading, name: `${reading.name}, with a crash`, crash: true, cost: 1 },
  ...readers.map(readThrough),
];
