/**
 * ExploredRegistry: a registry with a scheduling point before every call, named for the method,
 * the session, and the changes of a commit.
 */
import type { Registry } from "@troupe/core";
import { exploredPort, subjectOf } from "./ExploredPort.js";

const tagsOf = (changes: unknown): string =>
  Array.isArray(changes) ? `: ${changes.map(({ _tag }) => String(_tag)).join(", ")}` : "";

/** The same registry, with points. */
export const exploredRegistry = (registry: Registry["Type"]): Registry["Type"] =>
  exploredPort(
    registry,
    (method, args) => `registry.${method}${subjectOf(args)}${tagsOf(args[2])}`,
  );
