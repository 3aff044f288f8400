/**
 * Readers beside a delete: once it was acknowledged, no reader ever sees the session otherwise.
 *
 * What deletes and reads of one name answered is held against a small sequential model, in every
 * interleaving of a delete, a reconcile and a reader in programs of their own, with a crash of the
 * one that deletes. The twin acknowledges before the last row is written.
 */
import type { Registry } from "@troupe/core";
import { contradictionIn, History, type Model } from "@troupe/testing";
import { Effect, Option } from "effect";
import { describe, it } from "vitest";
import { create, fails, holds, reconcile } from "./SessionCalls.js";
import type { Call, SessionWorldOptions } from "./SessionWorld.js";

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

const world: SessionWorldOptions = {
  name: "delete ∥ read ∥ reconcile",
  before: [create],
  programs: [[remove], [read], [reconcile]],
  onStart: () => {
    history = new History();
  },
  also: () => contradictionIn(model, history.calls),
};

/** A registry that says that the end is written before it is. */
const early = (registry: Registry["Type"]): Registry["Type"] => ({
  ...registry,
  commit: (claim, incarnation, changes, options) => {
    const ends = changes.some((change) => change._tag === "Move" && change.to === "deleted");
    if (!ends) return registry.commit(claim, incarnation, changes, options);
    const later = Effect.zipRight(
      Effect.sleep(10),
      registry.commit(claim, incarnation, changes, options),
    );
    return Effect.flatMap(Effect.forkDaemon(later), () =>
      Effect.flatMap(
        registry.find(incarnation),
        Option.match({
          onNone: () => Effect.dieMessage("there is no incarnation"),
          onSome: Effect.succeed,
        }),
      ),
    );
  },
});

describe("an acknowledged delete", () => {
  it("is never seen undone by a reader, whoever else reconciles", () => {
    holds(world, 2);
  }, 100_000);

  it("is not either when its program crashes anywhere", () => {
    holds({ ...world, name: `${world.name}, with a crash`, crash: true }, 1);
  }, 100_000);

  it("is seen undone where it is acknowledged before its last row", () => {
    fails({ ...world, name: `${world.name}, twin`, registry: early, time: true }, 2);
  }, 100_000);
});
