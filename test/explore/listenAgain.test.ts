/**
 * A verb that meets a living server whose socket was removed, or that loses it at any moment: the
 * server listens again, no second one is ever started, and after a reconcile everything agrees.
 */
import type { Registry } from "@troupe/core";
import { Explore } from "@troupe/testing";
import type { TmuxTransport } from "@troupe/tmux";
import { Effect } from "effect";
import { describe, it } from "vitest";
import {
  add,
  anyFault,
  create,
  fails,
  holds,
  interrupted,
  reconcile,
  remove,
} from "./SessionCalls.js";
import type { Call, SessionWorldOptions } from "./SessionWorld.js";

/** Somebody clears away what looks like an old file. */
const unlinked: Call = {
  name: "the socket is removed",
  run: (_, tmux) => tmux.unlinkSocket,
};

const running = [create, unlinked];

interface Watched extends SessionWorldOptions {
  /** Whether the socket may be removed before any list, as a choice. */
  readonly removed?: boolean;
}

/** Remembers which servers answered: a second one in a run is a twin. */
const watched = ({ removed = false, ...world }: Watched): SessionWorldOptions => {
  const answered = new Set<string>();
  let remove: Effect.Effect<void> = Effect.void;
  const choose = (what: string) =>
    removed ? Explore.choose(`the socket, ${what}`, ["stays", "removed"]) : Effect.succeed("stays");
  const watch = (transport: TmuxTransport["Type"]): TmuxTransport["Type"] => ({
    ...transport,
    run: (request) =>
      Effect.gen(function* () {
        if ((yield* choose(request.attempted)) === "removed") yield* remove;
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
        remove = tmux.unlinkSocket;
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

describe("a server whose socket was removed listens again, whatever happens once in", () => {
  for (const [what, call] of [
    ["a create of another name", createOther],
    ["a delete", remove],
  ] as const) {
    it(what, () => {
      const programs = [[interrupted(call)]];
      holds(watched({ name: `${what}, unlinked`, before: running, programs, ...trouble }), 1);
    }, 100_000);
  }
});

describe("a server whose socket is removed once or twice, at any moment,", () => {
  for (const [what, call, before] of [
    ["of a create", create, []],
    ["of a delete", remove, [create]],
    ["of an add", add, [create]],
    ["of a reconcile", reconcile, [create]],
  ] as const) {
    it(`${what} is the one that is used`, () => {
      const name = `${what}, the socket is removed`;
      holds(watched({ name, before, programs: [[call]], removed: true }), 2);
    }, 100_000);
  }

  it("is told by either of two programs that look for it at once", () => {
    const programs = [[remove], [createOther]];
    holds(watched({ name: "delete ∥ create, unlinked", before: running, programs }), 1);
  }, 100_000);

  it("has a twin where nobody knows which servers there are", () => {
    const registry = (r: Registry["Type"]) => ({ ...r, servers: Effect.succeed([]) });
    const world = { name: "unlinked, twin", before: running, programs: [[createOther]], registry };
    fails(watched(world), 0);
  });
});
