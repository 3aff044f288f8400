/**
 * Arranged: a home in which a row, the claim of its name and its session are in any state.
 *
 * A session is made on the fake by the real flow; then its row is put where moves that exist would
 * have, its claim is given to somebody, and tmux is brought to what is to be seen. What outlives
 * programs can be compared whole.
 */
import {
  type ClaimRecord,
  RESTORING,
  type SessionRecord,
  SessionState,
  type TerminalState,
} from "@troupe/core";
import { Effect } from "effect";
import { type FakeHome, fakeHome, pass, sleep } from "./FakeHome.js";

/** The states of a row, one that a restore makes (`restoring`), and that there is none. */
export const rows = [...SessionState.literals, "restoring", "none"] as const;
export type Row = (typeof rows)[number];

/** The state that such a row has. */
export const stateOfRow = (row: Exclude<Row, "none">): SessionState =>
  row === "restoring" ? "creating" : row;

/** The cause that it has, if one matters. */
const causeOfRow = (row: Row): string | null => {
  if (row === "lost") return "as before";
  return row === "restoring" ? RESTORING : null;
};

/** What there is to be seen of its session. */
export const sights = [
  "present, its program alive",
  "present, its program ended",
  "absent from its server",
  "absent, its server dead",
  "absent, from before a reboot",
  "absent, its name a stranger's",
  "not to be looked at",
] as const;
export type Sight = (typeof sights)[number];

/** Who holds the claim of its name. */
export const holders = ["none", "dead", "alive", "unknown"] as const;

const terminalStates: Partial<Record<Row, TerminalState>> = {
  exited: "exited",
  lost: "gone",
  failed: "gone",
  deleted: "gone",
};

/** Puts the row into the state, as moves that exist would have. */
const setRow = (home: FakeHome, record: SessionRecord, row: Row): void => {
  const { records, requests } = home.store;
  records.clear();
  requests.clear();
  if (row === "none") return void home.store.claims.clear();
  const state = terminalStates[row] ?? "running";
  const exit = state === "exited" ? { code: 0, signal: null } : null;
  records.set(record.incarnation, {
    ...record,
    state: stateOfRow(row),
    cause: causeOfRow(row),
    terminals: record.terminals.map((t) => ({ ...t, state, exit })),
  });
};

const setClaim = Effect.fnUntraced(function* (home: FakeHome, holder: ClaimRecord["holder"]) {
  if (holder === "none") return;
  for (const [name, claim] of home.store.claims) {
    home.store.claims.set(name, { ...claim, owner: "other" });
  }
  if (holder === "alive" || holder === "dead") yield* home.store.declare("other", holder);
});

/** Makes what is recorded of servers and processes that of an earlier boot. */
const reboot = (home: FakeHome): void => {
  const { records, servers } = home.store;
  for (const [at, server] of servers.entries()) {
    servers[at] = { ...server, process: { ...server.process, bootId: "boot-before" } };
  }
  for (const [incarnation, record] of records) {
    const processes = record.processes.map((p) => ({ ...p, bootId: "boot-before" }));
    records.set(incarnation, { ...record, processes });
  }
};

const setSight = Effect.fnUntraced(function* (home: FakeHome, sight: Sight) {
  const killed = home.tmux.client(["kill-session", "-t", "=a"]);
  switch (sight) {
    case "present, its program alive":
      return;
    case "present, its program ended":
      return yield* home.tmux.exitProgram("a", 0);
    case "absent from its server":
      return yield* killed;
    case "absent, its server dead":
      return yield* home.tmux.crash;
    case "absent, from before a reboot":
      yield* home.tmux.crash;
      return yield* Effect.sync(() => reboot(home));
    case "absent, its name a stranger's":
      yield* killed;
      return yield* home.tmux.client(["new-session", "-d", "-s", "a", "--", "sleep", "1000"]);
    case "not to be looked at":
      return yield* home.tmux.denySocket(true);
  }
});

/** A home in which it is so. */
export const arranged = Effect.fnUntraced(function* (
  row: Row,
  sight: Sight,
  holder: ClaimRecord["holder"],
) {
  const home = yield* fakeHome();
  yield* pass(home.sessions.create({ session: "a", ...sleep }));
  setRow(home, yield* home.record("a"), row);
  yield* setClaim(home, holder);
  yield* setSight(home, sight);
  return home;
});

/** Everything that outlives programs, but the claims. */
export const durable = Effect.fnUntraced(function* (home: FakeHome) {
  yield* home.tmux.denySocket(false);
  const { events, records, servers } = home.store;
  return structuredClone({
    rows: [...records.values()].map(({ claim: _, ...record }) => record),
    events,
    servers,
    inTmux: yield* home.inTmux,
  });
});
