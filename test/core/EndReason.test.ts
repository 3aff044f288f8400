/**
 * The table of ends: what nobody asked for kills nothing and ends no row, whatever the reason.
 */
import { describe, expect, it } from "@effect/vitest";
import { endPolicy, endReasons } from "@troupe/core";

describe("an end", () => {
  it("has a row for every reason", () => {
    expect([...endReasons].sort()).toEqual([
      "client_disconnect",
      "explicit_close",
      "explicit_delete",
      "idle_timeout",
      "lease_lost",
      "lru_evict",
      "orphan_reap",
      "runtime_shutdown",
      "session_exited",
    ]);
  });

  for (const reason of endReasons) {
    it(`by ${reason} ends the row and kills only where a delete was asked for`, () => {
      const { automatic, endsRow, killsTmux } = endPolicy[reason];
      expect([endsRow, killsTmux]).toEqual(Array(2).fill(reason === "explicit_delete"));
      if (automatic) expect(endsRow).toBe(false);
    });
  }

  it("is told to everybody where a program took the session from its users", () => {
    const told = endReasons.filter((reason) => endPolicy[reason].announces);
    expect([...told].sort()).toEqual(["idle_timeout", "lease_lost", "lru_evict", "orphan_reap"]);
  });

  it("waits for the turn, but at a shutdown, and where there is nothing to wait for", () => {
    const hurried = endReasons.filter((reason) => !endPolicy[reason].waitsForTurn);
    expect([...hurried].sort()).toEqual(["lease_lost", "runtime_shutdown", "session_exited"]);
  });

  it("answers for the user only where he asked for it", () => {
    for (const reason of endReasons) {
      expect(endPolicy[reason].keepsPendingPrompts).toBe(endPolicy[reason].automatic);
    }
  });
});
