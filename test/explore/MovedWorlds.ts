/**
 * MovedWorlds: a lease that goes to a sibling, or with its turn to another name, while a child
 * lives that a turn under it named: no other program begins anything beside that child, unless by
 * force, and one has the lease when the child is gone.
 *
 * The child ends before the lease goes, while somebody works under it, or behind the program that
 * had it; whoever comes does so now and then, from the beginning to behind all that.
 */
import type { OwnedLease, TurnHandle } from "@troupe/core";
import { Explore } from "@troupe/testing";
import { Deferred, Effect } from "effect";
import { type Kit, type LeaseScene, leaseWorld, name } from "./LeaseWorld.js";
import {
  byForce,
  COMES_MS,
  type Comer,
  comes,
  judged,
  plainly,
  settled,
  WORK_MS,
  works,
} from "./MovedComers.js";
import type { NamedWorld } from "./NamedWorld.js";

/** When the child ends: behind the work of who took the lease, beside it, or behind its program. */
const ENDS_MS = [620, 5, 1_350] as const;

/** How long the program stays that has the lease. */
const STAYS_MS = 1_000;

/** Names a child that lives. */
const names = (kit: Kit, turn: TurnHandle) =>
  Effect.gen(function* () {
    const child = yield* kit.children.start;
    yield* turn.child(child);
    yield* kit.log(`named ${child.pid}`);
  });

/** Names a child in a turn that runs on, and goes on when that is known. */
const naming = (kit: Kit, body: (named: Effect.Effect<void>) => Effect.Effect<unknown, unknown>) =>
  Effect.gen(function* () {
    const handle = yield* kit.handles.get("a");
    const named = yield* Deferred.make<void>();
    const turn = handle.runTurn((own) =>
      Effect.all([names(kit, own), Deferred.succeed(named, undefined), Effect.never]),
    );
    const running = yield* Effect.fork(Effect.exit(turn));
    const isNamed = Effect.raceFirst(Deferred.await(named), Effect.asVoid(running.await));
    yield* Effect.fork(Effect.exit(body(isNamed)));
    yield* Effect.sleep(STAYS_MS);
  });

/** What becomes of the lease in the program that has it. */
interface Way {
  readonly name: string;
  readonly program: (kit: Kit) => Effect.Effect<unknown, unknown>;
  /** Whose session it is in the end. */
  readonly session?: string;
}

type Kind = "interactive" | "turn";

const sibling = (kit: Kit, kind: Kind) => kit.handles.get("a", { kind, anew: true });

const turnOf = (
  kit: Kit,
  kind: Kind,
  says: (turn: TurnHandle) => Effect.Effect<unknown, unknown> = () => Effect.void,
) =>
  Effect.flatMap(sibling(kit, kind), (handle) =>
    handle.runTurn((turn) => Effect.zipRight(says(turn), works(kit))),
  );

/** A sibling comes when the child is named. */
const taken = (does: string, program: Way["program"]): Way => ({
  name: `a sibling takes it and ${does}`,
  program: (kit) => naming(kit, (named) => Effect.zipRight(named, program(kit))),
});

/** It works in a turn and ends its writer at this moment. */
const endsAt = (moment: Effect.Effect<void>) => (kit: Kit) =>
  Effect.gen(function* () {
    const handle = yield* sibling(kit, "interactive");
    yield* Effect.fork(Effect.exit(handle.runTurn(() => works(kit))));
    yield* moment;
    yield* handle.end("explicit_close");
  });

const isIdle = taken("is idle behind its turn", (kit) => turnOf(kit, "interactive"));

const givesBack = taken("gives it back behind its turn", (kit) => turnOf(kit, "turn"));

/** Where it could not be given back when the child was gone, it is owed. */
const isOwed: Way = {
  name: "it is given back, and a sibling takes it behind that",
  program: (kit) =>
    Effect.gen(function* () {
      const handle = yield* kit.handles.get("a", { kind: "turn" });
      const both = Effect.all([
        handle.runTurn((turn) => names(kit, turn)),
        turnOf(kit, "interactive"),
      ]);
      yield* Effect.fork(Effect.exit(both));
      yield* Effect.sleep(STAYS_MS);
    }),
};

const siblings: ReadonlyArray<Way> = [
  isIdle,
  givesBack,
  isOwed,
  taken("ends behind its turn", endsAt(Effect.sleep(2 * WORK_MS))),
  taken("ends meanwhile", endsAt(Explore.point("work"))),
  taken("names another child", (kit) => turnOf(kit, "interactive", (turn) => names(kit, turn))),
  taken("says that no child is left", (kit) => turnOf(kit, "turn", (turn) => turn.child(null))),
  taken("loses it to another", (kit) =>
    Effect.gen(function* () {
      yield* Effect.fork(Effect.exit(turnOf(kit, "interactive")));
      yield* Effect.sleep(WORK_MS / 2);
      yield* turnOf(kit, "turn");
    }),
  ),
  {
    name: "a sibling takes it while the child is named",
    program: (kit) => naming(kit, () => turnOf(kit, "turn")),
  },
];

/** Goes to another name in the middle of its turn. */
const moving =
  (
    kind: Kind,
    body: (kit: Kit, lease: OwnedLease) => Effect.Effect<unknown, unknown>,
    hasChild = true,
  ) =>
  (kit: Kit) =>
    Effect.gen(function* () {
      const handle = yield* kit.handles.get("a", { kind });
      const turn = handle.runTurn((own, lease) =>
        Effect.gen(function* () {
          if (hasChild) yield* names(kit, own);
          if (lease._tag === "Owned") yield* body(kit, lease);
        }),
      );
      yield* Effect.fork(Effect.exit(turn));
      yield* Effect.sleep(STAYS_MS);
    });

const goesTo = (kit: Kit, lease: OwnedLease, session: string) =>
  Effect.gen(function* () {
    yield* kit.log("leaves");
    const moved = yield* kit.leases.reanchor(lease, name(session));
    yield* kit.log(`at ${session}`);
    return moved;
  });

const goesAndWorks = (kit: Kit, lease: OwnedLease) =>
  Effect.zipRight(goesTo(kit, lease, "b"), works(kit));

const goes: Way = {
  name: "it goes to another name with its turn, and stays",
  session: "b",
  program: moving("interactive", goesAndWorks),
};

const goesForATurn: Way = {
  ...goes,
  name: "it goes to another name for a turn",
  program: moving("turn", goesAndWorks),
};

const goesAlone: Way = {
  ...goes,
  name: "it goes to another name with a turn that has none",
  program: moving("interactive", goesAndWorks, false),
};

const returns: Way = {
  name: "it goes to another name and comes back",
  program: moving("interactive", (kit, lease) =>
    Effect.flatMap(goesTo(kit, lease, "b"), (moved) =>
      Effect.zipRight(goesTo(kit, moved, "a"), works(kit)),
    ),
  ),
};

const isTakenThere: Way = {
  ...goes,
  name: "it goes to another name, and a sibling takes it there",
  program: moving("interactive", (kit, lease) =>
    Effect.gen(function* () {
      yield* goesTo(kit, lease, "b");
      const handle = yield* kit.handles.get("b", { kind: "turn" });
      yield* Effect.forkDaemon(Effect.exit(handle.runTurn(() => works(kit))));
      return yield* Effect.never;
    }),
  ),
};

const moves = [goes, goesForATurn, goesAlone, returns, isTakenThere];

const scene = (way: Way, comer: Comer): LeaseScene => ({
  name: `the lease of a child: ${way.name}, and ${comer.name}`,
  sessions: ["a", "b"],
  programs: [way.program, comes(comer, way.session ?? "a")],
  crash: "first",
  meanwhile: ({ children, log }) =>
    Effect.gen(function* () {
      const end = (nth: number) =>
        Effect.flatMap(children.end(nth), (ended) =>
          ended === null ? Effect.void : log(`gone ${ended.pid}`),
        );
      const ms = yield* Explore.choose("the child ends", ENDS_MS);
      yield* Effect.sleep(ms);
      yield* end(1);
      yield* Effect.sleep(COMES_MS);
      yield* end(2);
    }),
  sometimes: comer.forced === true ? ["had"] : ["had", "refused"],
  check: judged(way.session ?? "a", comer),
});

const worlds = (ways: ReadonlyArray<Way>, ...comers: ReadonlyArray<Comer>) =>
  ways.flatMap((way) =>
    comers.map((comer): NamedWorld => ({ world: leaseWorld(scene(way, comer)), cost: 1 })),
  );

/** The same on a registry that is slow or fails, and nobody dies. */
const troubled = (way: Way, comer: Comer): NamedWorld => {
  const { crash: _, sometimes: __, ...rest } = scene(way, comer);
  const name = `${rest.name}, and a registry that is slow or fails`;
  const check = judged(way.session ?? "a", comer, true);
  return { world: leaseWorld({ ...rest, name, check, troubled: true }), cost: 1 };
};

/** The worlds. */
export const movedWorlds: ReadonlyArray<NamedWorld> = [
  ...worlds([...siblings, ...moves], plainly, settled),
  ...worlds([isIdle, goes], byForce),
  troubled(isIdle, settled),
  troubled(givesBack, plainly),
  troubled(isOwed, settled),
  troubled(goes, settled),
];
