/**
 * RegistryContractSample: the sessions that the contract of the registry is told with.
 *
 * Small, fixed values, and the few steps that most cases take: a claim, a session begun, a session
 * brought into a state by moves that exist. No chance and no clock of its own.
 */
import {
  type AlreadyExists,
  type Busy,
  type CapacityReached,
  type Change,
  type Claim,
  IncarnationId,
  type LeaseHeld,
  type LeaseLost,
  type NotFound,
  type Registry,
  type RegistryFailure,
  type ServerRecord,
  SessionName,
  type SessionRecord,
  type SessionSpec,
  type SessionState,
  TerminalId,
  type TerminalRecord,
} from "@troupe/core";
import { Effect } from "effect";

type Store = Registry["Type"];

/** What a write can fail with. */
export type WriteFailure =
  | AlreadyExists
  | Busy
  | NotFound
  | LeaseHeld
  | LeaseLost
  | CapacityReached
  | RegistryFailure;

/** Two names that the cases use. */
export const build = SessionName.make("build");
export const watch = SessionName.make("watch");

/** An incarnation, by number. */
export const incarnation = (number: number): IncarnationId =>
  IncarnationId.make(`incarnation-${number}`);

/** What every session of the cases was asked to be. */
export const spec: SessionSpec = {
  command: ["sh", "-c", 'printf "%s\\n" "$TOKEN"'],
  cwd: "/repo",
  envNames: ["TOKEN"],
  inheritEnv: false,
  log: true,
  columns: 80,
  rows: 24,
};

/** A tmux server, by number; a greater number was started later. */
export const server = (number: number): ServerRecord => ({
  server: { pid: 100 + number, startTime: 1_700_000_000 + number },
  process: { pid: 100 + number, startTime: 5000 + number, bootId: "boot-1" },
  version: "3.3a",
});

/** The change that makes an incarnation in server 1. */
export const begin = (requestId: string | null = null): Change => ({
  _tag: "Begin",
  spec,
  server: server(1).server,
  requestId,
});

/** The change that moves an incarnation. */
export const moveTo = (to: SessionState, cause: string | null = null): Change => ({
  _tag: "Move",
  to,
  cause,
});

/** A terminal, running unless more is said. */
export const terminal = (number: number, more: Partial<TerminalRecord> = {}): TerminalRecord => ({
  terminal: TerminalId.make(`t${number}`),
  command: ["sh"],
  windowId: `@${number}`,
  paneId: `%${number}`,
  panePid: 200 + number,
  state: "running",
  exit: null,
  ...more,
});

/** The change that records a terminal. */
export const withTerminal = (record: TerminalRecord): Change => ({ _tag: "Terminal", record });

/** Takes the claim without force. */
export const claim = (store: Store, session: SessionName) =>
  store.claim(session, { attempted: "test", force: false });

/** One message: a claim, its changes, and the end of the claim. */
export const message = (
  store: Store,
  session: SessionName,
  which: IncarnationId,
  changes: ReadonlyArray<Change>,
): Effect.Effect<SessionRecord, AlreadyExists | Busy | RegistryFailure> =>
  Effect.flatMap(claim(store, session), (held: Claim) =>
    store.commit(held, which, changes, { release: true }),
  );

const ways: Readonly<Record<SessionState, ReadonlyArray<SessionState>>> = {
  creating: [],
  running: ["running"],
  exited: ["exited"],
  lost: ["running", "lost"],
  deleting: ["running", "deleting"],
  failed: ["failed"],
  deleted: ["running", "deleting", "deleted"],
};

/** Begins the incarnation and brings it into the state by moves that exist. */
export const bring = (
  store: Store,
  session: SessionName,
  which: IncarnationId,
  state: SessionState,
): Effect.Effect<SessionRecord, AlreadyExists | Busy | RegistryFailure> =>
  message(store, session, which, [begin(), ...ways[state].map((to) => moveTo(to))]);

/** Every state. */
export const states: ReadonlyArray<SessionState> = [
  "creating",
  "running",
  "exited",
  "lost",
  "deleting",
  "failed",
  "deleted",
];
