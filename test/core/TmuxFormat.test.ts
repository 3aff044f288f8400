/**
 * TmuxFormat: rows that are whole, and rows with one thing wrong, none of which may be read.
 */
import { describe, expect, it } from "@effect/vitest";
import { parseHello, parseListing } from "@troupe/tmux";

const session = "S $0 w=1 i=incarnation-1 h=home1 g=2 n=a";
const pane = "P $0 @0 %0 42 p=1 l=0 o= t=main d=0 c= s=";

describe("whose a pane is", () => {
  const own = "S $0 w=2 i=incarnation-1 h=home1 g=1 n=a";
  const other = "S $1 w=1 i=incarnation-2 h=home1 g=1 n=b";
  const panesOf = (rows: ReadonlyArray<string>, at = 0) =>
    parseListing(rows)?.sessions[at]?.terminals.map((t) => [
      t.paneId,
      t.terminal,
      t.stranger,
      t.away,
    ]);

  it("is told by the mark of its owner: one of another session here is a stranger", () => {
    const rows = [
      own,
      other,
      "P $0 @0 %0 40 p=1 l=0 o=incarnation-1 t=main d=0 c= s=",
      "P $0 @1 %1 41 p=1 l=0 o=incarnation-2 t=t2 d=0 c= s=",
      "P $1 @2 %2 42 p=1 l=0 o=incarnation-2 t=main d=0 c= s=",
    ];
    expect(panesOf(rows)).toEqual([
      ["%0", "main", false, false],
      ["%1", null, true, false],
    ]);
    // And it is told with the session that it was made in.
    expect(panesOf(rows, 1)).toEqual([
      ["%2", "main", false, false],
      ["%1", "t2", false, true],
    ]);
  });

  it("is a user's own where he linked a window of another session in", () => {
    const rows = [
      own,
      "S $1 w=1 i= h= g= n=his",
      "P $0 @0 %0 40 p=1 l=0 o=incarnation-1 t=main d=0 c= s=",
      "P $0 @1 %1 41 p=1 l=1 o= t= d=0 c= s=",
      "P $1 @1 %1 41 p=1 l=1 o= t= d=0 c= s=",
    ];
    expect(panesOf(rows)).toEqual([
      ["%0", "main", false, false],
      ["%1", null, true, true],
    ]);
  });

  it("is the session's where its window is linked elsewhere, with what was split off there", () => {
    const rows = [
      "S $0 w=1 i=incarnation-1 h=home1 g=1 n=a",
      "S $1 w=1 i= h= g= n=his",
      ...["$0", "$1"].flatMap((id) => [
        `P ${id} @0 %0 40 p=2 l=1 o=incarnation-1 t=main d=0 c= s=`,
        `P ${id} @0 %1 41 p=2 l=1 o= t= d=0 c= s=`,
      ]),
    ];
    expect(panesOf(rows)).toEqual([
      ["%0", "main", false, true],
      ["%1", null, false, true],
    ]);
  });
});

describe("a listing", () => {
  it("is sessions with their marks and panes", () => {
    const theirs = ["S $1 w=1 i= h= g= n=my session", "P $1 @7 %7 9 p=1 l=0 o= t= d=0 c= s="];
    expect(parseListing([session, theirs[0] ?? "", pane, theirs[1] ?? ""])?.sessions).toEqual([
      {
        sessionId: "$0",
        name: "a",
        mark: { incarnation: "incarnation-1", home: "home1", generation: 2 },
        terminals: [
          {
            windowId: "@0",
            paneId: "%0",
            panePid: 42,
            terminal: "main",
            stranger: false,
            away: false,
            exit: null,
          },
        ],
      },
      {
        sessionId: "$1",
        name: "my session",
        mark: null,
        terminals: [
          {
            windowId: "@7",
            paneId: "%7",
            panePid: 9,
            terminal: null,
            stranger: false,
            away: false,
            exit: null,
          },
        ],
      },
    ]);
  });

  it("tells how a program ended, also when tmux cannot say", () => {
    const rows = [
      session.replace("w=1", "w=3"),
      "P $0 @0 %0 42 p=1 l=0 o= t=main d=1 c=7 s=",
      "P $0 @1 %1 43 p=1 l=0 o= t= d=1 c= s=9",
      "P $0 @2 %2 44 p=1 l=0 o= t= d=1 c= s=",
    ];
    expect(parseListing(rows)?.sessions[0]?.terminals.map((t) => t.exit)).toEqual([
      { code: 7, signal: null },
      { code: null, signal: 9 },
      { code: null, signal: null },
    ]);
  });

  it("takes half a mark for none", () => {
    expect(parseListing(["S $0 w=1 i=incarnation-1 h= g=2 n=a", pane])?.sessions[0]?.mark).toBe(
      null,
    );
  });

  for (const [what, rows] of [
    ["a pane of a session that is not listed", [pane]],
    ["a short row", [session, "P $0 @0 %0"]],
    ["an empty row", [session, ""]],
    ["a row of another kind", [session, "X"]],
    ["a row that was cut", [session.slice(0, 20)]],
    ["an id of another kind", [session, pane.replace("@0", "0")]],
    ["a mark with a space in it", ["S $0 w=1 i=a b h=home1 g=2 n=a", pane]],
    ["a session without a pane", [session]],
    ["fewer windows than the session has", [session.replace("w=1", "w=2"), pane]],
    ["fewer panes than their window has", [session, pane.replace("p=1", "p=2")]],
  ] as const) {
    it(`with ${what} is not read at all`, () => expect(parseListing(rows)).toBe(null));
  }
});

describe("the greeting", () => {
  it("names the server and its version", () => {
    expect(parseHello("T1 12 1795961808 3.3a")).toEqual({
      server: { pid: 12, startTime: 1795961808 },
      version: "3.3a",
    });
  });

  for (const line of [undefined, "", "T1", "T1 12", "T1 12 x 3.3a", "T1 12 1795961808 3.3a more"]) {
    it(`is not ${JSON.stringify(line)}`, () => expect(parseHello(line)).toBe(null));
  }
});
