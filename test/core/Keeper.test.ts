/**
 * Keeper: it is none of the sessions of a listing, and nothing else is left out as one.
 */
import { describe, expect, it } from "@effect/vitest";
import { isKeeper, keeperName, parseListing } from "@troupe/tmux";

const name = keeperName("0123456789abcdef");
const pane = (id: number) => `P $${id} @${id} %${id} 4${id} p=1 l=0 o= t= d=1 c=0 s=`;
const keeper = (id: number) => `S $${id} w=1 i= h= g=keeper n=${name}`;

describe("a keeper", () => {
  it("is counted, and is none of the sessions", () => {
    const ours = "S $1 w=1 i=incarnation-1 h=home1 g=2 n=a";
    const listed = parseListing([keeper(0), ours, pane(0), pane(1)]);
    expect([listed?.rows, listed?.sessions.map((s) => s.name)]).toEqual([2, ["a"]]);
    expect(parseListing([keeper(0), pane(0)])).toEqual({ rows: 1, sessions: [] });
    expect(parseListing([keeper(0), ours, pane(1)])).toBe(null);
  });

  it("is not a session of ours, whatever stands in its marks, nor one of another name", () => {
    expect(isKeeper(name, "", "keeper")).toBe(true);
    expect(isKeeper(name, "incarnation-1", "keeper")).toBe(false);
    expect(isKeeper(name, "", "2")).toBe(false);
    for (const other of ["a", `${name}x`, `x${name}`, "_keeper-", "keeper"]) {
      expect(isKeeper(other, "", "keeper")).toBe(false);
    }
  });

  it("is told of a pane of ours that somebody moved into it", () => {
    const ours = "S $1 w=1 i=incarnation-1 h=home1 g=2 n=a";
    const moved = "P $0 @0 %2 42 p=2 l=0 o=incarnation-1 t=t2 d=0 c= s=";
    const rows = [keeper(0), ours, pane(0).replace("p=1", "p=2"), moved, pane(1)];
    const panes = parseListing(rows)?.sessions[0]?.terminals.map((t) => [t.paneId, t.away]);
    expect(panes).toEqual([
      ["%1", false],
      ["%2", true],
    ]);
  });
});
