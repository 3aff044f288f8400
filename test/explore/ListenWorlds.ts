/**
 * ListenWorlds: a verb that meets a living server whose socket was removed, or that loses it at any
 * moment: the server listens again, and no second one is ever started.
 *
 * Which servers answered is remembered for each run: a second one is a twin.
 */
import { type Registry, RegistryCorrupt } from "@troupe/core";
import { Explore } from "@troupe/testing";
import type { TmuxTransport } from "@troupe/tmux";
import { Effect } from "effect";
import type { ListedWorld } from "./NamedWorld.js";
import { add, anyFault, create, interrupted, reconcile, remove } from "./SessionCalls.js";
import type { Call } from "./SessionWorld.js";

/** Somebody clears away what looks like an old file. */
const unlinked: Call = { name: "the socket is removed", run: (_, tmux) => tmux.unlinkSocket };

const running = [create, unlinked];

interface Watched extends ListedWorld {
  /** Whether the socket may be removed before any list, as a choice. */
  readonly removed?: boolean;
}

/** The world, where no second server may answer. */
const watched = ({ removed = false, ...world }: Watched): ListedWorld => {
  const answered = new Set<string>();
  let goes: Effect.Effect<void> = Effect.void;
  const choose = (what: string) =>
    removed ? Explore.choose(`the socket, ${what}`, ["stays", "removed"]) : Effect.succeed("stays");
  const watch = (transport: TmuxTransport["Type"]): TmuxTransport["Type"] => ({
    ...transport,
    run: (request) =>
      Effect.gen(function* () {
        if ((yield* choose(request.attempted)) === "removed") yield* goes;
        const reply = yield* transport.run(request);
        const server = /^T1 (\d+ \d+)/.exec(reply.stdout)?.[1];
        if (server !== undefined) answered.add(server);
        return reply;
      }),
  });
  const learn: Call = {
    name: "learn",
    run: (_, tmux) =>
      Effect.sync(() => {
        goes = tmux.unlinkSocket;
      }),
  };
  return {
    ...world,
    before: [learn, ...(world.before ?? [])],
    transport: watch,
    onStart: () => answered.clear(),
    also: () => (answered.size > 1 ? `two servers answered: ${[...answered].join(", ")}` : null),
  };
};

const createOther: Call = {
  name: "create",
  run: (s) => s.create({ session: "b", command: ["sleep", "100000"], cwd: "/" }),
};

const trouble = { crash: true, faults: anyFault, registryFaults: true, lateEffects: true };

const troubled = (call: Call): ListedWorld =>
  watched({
    name: `${call.name} where the socket was removed, with trouble`,
    cost: 1,
    before: running,
    programs: [[interrupted(call)]],
    ...trouble,
  });

const losing = (call: Call, before: ReadonlyArray<Call>): ListedWorld =>
  watched({
    name: `${call.name}, while the socket is removed once or twice`,
    cost: 2,
    before,
    programs: [[call]],
    removed: true,
  });

/** A create beside a server that is out of reach. */
export const createUnlinked: ListedWorld = watched({
  name: "create where the socket was removed",
  cost: 1,
  before: running,
  programs: [[createOther]],
  succeeds: ["create"],
});

/** The registry tells of no server: the processes alone do. */
const untold = (registry: Registry["Type"]): Registry["Type"] => ({
  ...registry,
  servers: Effect.succeed([]),
});

const createThird: Call = {
  name: "create",
  run: (s) => s.create({ session: "c", command: ["sleep", "100000"], cwd: "/" }),
};

let isDamaged = false;

const damage = (is: boolean): Call => ({
  name: is ? "the rows of servers are damaged" : "the rows of servers are whole",
  run: () =>
    Effect.sync(() => {
      isDamaged = is;
    }),
});

const reconcileAll: Call = { name: "reconcile all", run: (s) => s.reconcileAll };

/** What the rows of servers tell cannot be read: it is as though none was told of. */
const damaged = (registry: Registry["Type"]): Registry["Type"] => ({
  ...registry,
  servers: Effect.suspend(() =>
    isDamaged
      ? new RegistryCorrupt({ session: null, attempted: "read the servers", detail: "explored" })
      : registry.servers,
  ),
});

let asks = 0;

const counts: Call = {
  name: "lists are counted",
  run: () =>
    Effect.sync(() => {
      asks = 0;
    }),
};

const failed = { exitCode: 1, stdout: "", stderr: "server exited unexpectedly\n" };

/** This list to tmux and no other is cut off, as by a server that just begins to listen. */
const cuts =
  (number: number) =>
  (transport: TmuxTransport["Type"]): TmuxTransport["Type"] => ({
    ...transport,
    run: (request) =>
      Effect.suspend(() => {
        asks += 1;
        return asks === number ? Effect.succeed(failed) : transport.run(request);
      }),
  });

/** The first list finds nobody; the one behind the signal is cut off. */
const cutOff = (call: Call): ListedWorld => ({
  name: `${call.name} where the socket was removed, and the first answer behind that is cut off`,
  cost: 0,
  before: [...running, counts],
  programs: [[call]],
  transport: cuts(2),
  succeeds: [call.name],
});

/** A server out of reach. */
export const listenWorlds: ReadonlyArray<ListedWorld> = [
  createUnlinked,
  ...[createOther, remove].map(troubled),
  losing(create, []),
  losing(remove, [create]),
  losing(add, [create]),
  losing(reconcile, [create]),
  watched({
    name: "delete ∥ create, where the socket was removed",
    cost: 1,
    before: running,
    programs: [[remove], [createOther]],
    succeeds: ["delete", "create"],
  }),
  watched({
    name: "create where the socket was removed, of a server that no row tells of, with trouble",
    cost: 1,
    before: running,
    programs: [[interrupted(createOther)]],
    registry: untold,
    ...trouble,
  }),
  watched({
    name: "create ∥ create, where the socket was removed of a server that no row tells of",
    cost: 1,
    before: running,
    programs: [[createOther], [createThird]],
    registry: untold,
    succeeds: ["create"],
  }),
  watched({
    name: "reconcile all where the socket was removed, and the rows of servers are damaged",
    cost: 1,
    before: [damage(false), ...running, damage(true)],
    programs: [[reconcileAll]],
    registry: damaged,
    succeeds: [reconcileAll.name],
  }),
  ...[createOther, remove, reconcile, add].map(cutOff),
];
