/**
 * NodePatterns: core's `Patterns`, with a bound on the time of a search.
 *
 * Node ends a script in a context of its own at a deadline, in the middle of an expression, too;
 * the search is such a script. It holds up this program for as long as it runs, so the bound is
 * short: what takes longer, or is too large, is told as that, and is no match and no miss.
 */
import { createContext, Script } from "node:vm";
import { Patterns } from "@troupe/core";
import { Context, Layer } from "effect";

/** How long one search may take. */
const BOUND_MS = 500;

const search = new Script(`{
  const regex = new RegExp(pattern, "u");
  lines.findLastIndex((line) => regex.test(line) || regex.test(line + " "));
}`);

/** What the engine says of a pattern that it can read and not compile, when it first searches. */
const TOO_LARGE = /(Regular expression too large|Stack overflow)$/;

/** Whether the search took too long, or the pattern is too large for one. Of another context. */
const isBeyond = (error: unknown): boolean => {
  if (typeof error !== "object" || error === null) return false;
  if ("code" in error) return error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
  return "message" in error && TOO_LARGE.test(String(error.message));
};

const newest = (pattern: string, lines: ReadonlyArray<string>): number | null => {
  try {
    const found: unknown = search.runInContext(createContext({ pattern, lines }), {
      timeout: BOUND_MS,
    });
    return Number(found);
  } catch (error) {
    if (isBeyond(error)) return null;
    throw error;
  }
};

const context = Context.make(Patterns, { newest });

/** Searches whose time is bounded. */
export const NodePatterns = {
  /** The port at once, for a program that makes no layers. */
  context,
  /** The port as a layer. */
  layer: Layer.succeedContext(context),
};
