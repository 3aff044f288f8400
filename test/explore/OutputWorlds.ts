/**
 * OutputWorlds: a reader of output beside a delete: it ends, as deleted, in every interleaving,
 * whoever deletes.
 *
 * A reader that looks between the kill and the last row finds the session gone; that this was a
 * delete it knows from the intent, which it reads behind the listing.
 */
import type { OutputElement } from "@troupe/core";
import { Effect, Stream } from "effect";
import type { ListedWorld } from "./NamedWorld.js";
import { create, remove } from "./SessionCalls.js";
import type { Call } from "./SessionWorld.js";

let last: OutputElement | null = null;

const read: Call = {
  name: "read to the end",
  run: (sessions) =>
    Stream.runForEach(sessions.output("a"), (element) =>
      Effect.sync(() => {
        last = element;
      }),
    ),
};

const worldOf = (name: string, programs: ListedWorld["programs"]): ListedWorld => ({
  name,
  cost: 2,
  before: [create],
  programs,
  onStart: () => {
    last = null;
  },
  also: () => {
    const end = last?.type === "end" ? last.reason : null;
    return end === "deleted" ? null : `the reader ended as ${end}`;
  },
});

/** The one that deletes is another program. */
export const readElsewhere = worldOf("read output ∥ delete, two programs", [[remove], [read]]);

/** Readers of output. */
export const outputWorlds: ReadonlyArray<ListedWorld> = [
  readElsewhere,
  { ...worldOf("read output ∥ delete, one program", [[remove, read]]), cost: 1 },
];
