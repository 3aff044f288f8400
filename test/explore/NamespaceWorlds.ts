/**
 * NamespaceWorlds: a program in another namespace of pids, as in a container that shares the home
 * and the socket: it reaches tmux, and sees no process of ours.
 *
 * What it cannot see has not ended: it is told so, and nothing is written down as over. Each verb,
 * with a process that forked twice, while the server answers and while its socket is gone. All of
 * it is a product of lists.
 */
import type { ProcessTable } from "@troupe/core";
import { Effect } from "effect";
import { forkedTwice } from "./KillWorlds.js";
import type { ListedWorld } from "./NamedWorld.js";
import { before, enders, socketGoes } from "./Operations.js";
import { create, reconcile, removeTerminal, restore } from "./SessionCalls.js";
import type { Call } from "./SessionWorld.js";

/** The table of processes there; the boot is the same. */
const elsewhere = (table: ProcessTable["Type"]): ProcessTable["Type"] => ({
  ...table,
  bootId: Effect.map(table.bootId, (boot) => `${boot}.elsewhere`),
  snapshot: Effect.succeed([]),
  look: () => Effect.succeed(null),
  marked: () => Effect.succeed([]),
  signal: () => Effect.void,
});

/** Each verb, and how it ends while the server answers. */
const verbs: ReadonlyArray<readonly [Call, string]> = [
  ...[...enders, restore].map((call) => [call, "failed LookupFailed"] as const),
  [create, "failed AlreadyExists"],
  [reconcile, "ok"],
];

const madeBefore = (call: Call): ReadonlyArray<Call> =>
  call === create ? [create] : before([call]);

const world = (call: Call, ends: string, gone: ReadonlyArray<Call>): ListedWorld => ({
  name: [`${call.name} from another namespace of pids`, ...gone.map(({ name }) => name)].join(", "),
  cost: 0,
  before: [...madeBefore(call), forkedTwice(call === removeTerminal ? "t2" : "main"), ...gone],
  programs: [[call]],
  table: elsewhere,
  also: ({ servers, told: [line] }) => {
    if (servers !== 1) return `there are ${servers} servers`;
    return line?.startsWith(`${call.name}: ${ends}`) ? null : `${line}, and not ${ends}`;
  },
});

/** The worlds. */
export const namespaceWorlds: ReadonlyArray<ListedWorld> = verbs.flatMap(([call, ends]) => [
  world(call, ends, []),
  world(call, "failed LookupFailed", [socketGoes]),
]);
