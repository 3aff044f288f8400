/**
 * A reader of output beside a delete: it ends, as deleted, in every interleaving, whoever deletes.
 *
 * A reader that looks between the kill and the last row finds the session gone; that this was a
 * delete it knows from the intent, which it reads behind the listing. The twin reads it before.
 */
import type { OutputElement, Registry } from "@troupe/core";
import { Effect, Stream } from "effect";
import { describe, it } from "vitest";
import { create, fails, holds, remove } from "./SessionCalls.js";
import type { Call, SessionWorldOptions } from "./SessionWorld.js";

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

const worldOf = (name: string, programs: SessionWorldOptions["programs"]): SessionWorldOptions => ({
  name,
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

const two = worldOf("read output ∥ delete, two programs", [[remove], [read]]);
const one = worldOf("read output ∥ delete, one program", [[remove, read]]);

/** A registry that tells a reader what the row was before he listed. */
const stale = (registry: Registry["Type"]): Registry["Type"] => {
  const known = new Map<string, Effect.Effect.Success<ReturnType<typeof registry.find>>>();
  return {
    ...registry,
    find: (incarnation) =>
      Effect.suspend(() => {
        const before = known.get(incarnation);
        if (before !== undefined) return Effect.succeed(before);
        return Effect.tap(registry.find(incarnation), (row) =>
          Effect.sync(() => known.set(incarnation, row)),
        );
      }),
  };
};

describe("a reader of output beside a delete", () => {
  it("ends as deleted, where another program deletes", () => {
    holds(two, 2);
  }, 100_000);

  it("ends as deleted, where its own program deletes", () => {
    holds(one, 1);
  }, 100_000);

  it("does not where the row is older than the listing", () => {
    fails({ ...two, name: "read output ∥ delete, twin", registry: stale }, 2);
  }, 100_000);
});
