/**
 * FailingRegistry: a registry whose every call may fail, as a choice of the explorer.
 *
 * `unavailable` did nothing; `lost` did what was asked and nobody heard of it, as a disk that
 * fails at the very end; `bug` is a defect. The answer of a call that does not fail is unchanged.
 */
import { type Registry, RegistryUnavailable } from "@troupe/core";
import { Explore } from "@troupe/testing";
import { Effect } from "effect";

const outcomes = ["answers", "unavailable", "lost", "bug"] as const;

const failure = (method: string) =>
  new RegistryUnavailable({ session: null, attempted: method, detail: "explored" });

const failing = (method: string, call: unknown): unknown =>
  Effect.isEffect(call)
    ? Effect.flatMap(Explore.choose(`registry.${method}`, outcomes), (outcome) => {
        switch (outcome) {
          case "answers":
            return call;
          case "unavailable":
            return Effect.fail(failure(method));
          case "lost":
            return Effect.zipRight(call, Effect.fail(failure(method)));
          case "bug":
            return Effect.dieMessage(`explored bug in ${method}`);
        }
      })
    : call;

/** The same registry, with failures. */
export const failingRegistry = (registry: Registry["Type"]): Registry["Type"] => {
  const members = Object.entries(registry).map(([method, member]) => [
    method,
    typeof member === "function"
      ? (...args: ReadonlyArray<unknown>) => failing(method, Reflect.apply(member, registry, args))
      : failing(method, member),
  ]);
  // Every member keeps its type: an effect with the same answer, and a failure that it may have.
  return Object.fromEntries(members) as Registry["Type"];
};
