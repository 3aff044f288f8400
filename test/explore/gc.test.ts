/**
 * gc beside whatever else happens to its name, in two programs that may crash: what was made stays,
 * and what ended is ended and forgotten once. The twin has no claims.
 */
import { Effect } from "effect";
import { describe, it, vi } from "vitest";
import { disagreement, type Ending } from "./Agreement.js";
import {
  create,
  fails,
  holds,
  programEnds,
  reconcile,
  remove,
  restore,
  withoutClaims,
} from "./SessionCalls.js";
import type { Call } from "./SessionWorld.js";

vi.setConfig({ testTimeout: 120_000 });

const gc: Call = {
  name: "gc",
  run: (s) => Effect.map(s.gc({ olderThanMs: 0 }), ({ server }) => server),
};

const gcExited: Call = {
  name: "gc of what exited",
  run: (s) => Effect.map(s.gc({ olderThanMs: 0, exitedMs: 0 }), ({ server }) => server),
};

/** The agreement of what is left: the log tells nothing of what was forgotten. */
const agreement = (ending: Ending): string | null => {
  const known = new Set(ending.records.map(({ incarnation }) => incarnation));
  const events = ending.events
    .filter(({ incarnation }) => known.has(incarnation))
    .map((event, index) => ({ ...event, sequence: index + 1 }));
  const told = ending.told.filter((line) => !line.startsWith("delete"));
  return disagreement({ ...ending, events, told });
};

const world = { instead: agreement, crash: true };

describe("a gc", () => {
  it("lets a create of its name live, whichever comes first", () => {
    holds(
      { ...world, name: "gc ∥ create", before: [create, remove], programs: [[gc], [create]] },
      1,
    );
  });

  it("of two forgets once", () => {
    holds(
      { ...world, crash: false, name: "gc ∥ gc", before: [create, remove], programs: [[gc], [gc]] },
      1,
    );
  });
});

const exited = [create, programEnds, reconcile];

describe("a gc of what exited", () => {
  it("ends it once beside a restore, and leaves what that made", () => {
    const programs = [[gcExited], [restore]];
    holds({ ...world, name: "gc of exited ∥ restore", before: exited, programs }, 1);
  });

  it("does not where there are no claims", () => {
    const twin = { instead: agreement, before: exited, registry: withoutClaims };
    fails({ ...twin, name: "gc of exited ∥ restore, twin", programs: [[gcExited], [restore]] }, 1);
  });
});
