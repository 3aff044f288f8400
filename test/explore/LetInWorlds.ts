/**
 * LetInWorlds: a writer that nobody is at any more, whose turn ends or is stopped while others
 * wait behind it: as it settles, as it is looked at, at the deadline, in every order.
 *
 * A turn that was accepted runs, and its writer is there as long as it does; who came too late
 * hears why. Behind them all the writer ends, its lease goes, and the session lives.
 */
import type { SessionHandle } from "@troupe/core";
import { Explore } from "@troupe/testing";
import { Deferred, Effect, Exit, Fiber, type Scheduler, Scope } from "effect";
import {
  type AttachmentEnding,
  type AttachmentScene,
  attachmentWorld,
  GRACE_MS,
  type Kit,
} from "./AttachmentWorld.js";
import { over, tagOf } from "./AttachmentWorlds.js";
import type { NamedWorld } from "./NamedWorld.js";

/** How long an interrupt may take, in this home. */
const SETTLE_MS = 200;

/** How the first turn goes. */
interface First {
  readonly what: string;
  /** How long it works, and what it does about an interrupt. */
  readonly works: Effect.Effect<void>;
  /** When the others come; who comes in time is accepted in every order. */
  readonly come: ReadonlyArray<readonly [ms: number, isInTime: boolean]>;
}

const stopped = (ms: number): Effect.Effect<void> =>
  Effect.ensuring(Effect.never, Effect.sleep(ms));

const firsts: ReadonlyArray<First> = [
  {
    what: "ends as it is looked at",
    works: Effect.sleep(GRACE_MS),
    come: [
      [10, true],
      [20, true],
      [GRACE_MS, false],
    ],
  },
  {
    what: "is stopped",
    works: stopped(60),
    come: [
      [GRACE_MS + 30, true],
      [GRACE_MS + 40, true],
      [GRACE_MS + 60, false],
    ],
  },
  {
    what: "settles at the deadline",
    works: stopped(SETTLE_MS),
    come: [
      [GRACE_MS + 30, false],
      [GRACE_MS + SETTLE_MS, false],
    ],
  },
  {
    what: "does not settle",
    works: stopped(2 * SETTLE_MS),
    come: [
      [GRACE_MS + 30, false],
      [GRACE_MS + SETTLE_MS, false],
    ],
  },
];

/** A turn that came behind the first, and what became of it. */
const comer = (kit: Kit, handle: SessionHandle, who: string, ms: number) =>
  Effect.gen(function* () {
    yield* Effect.sleep(ms);
    const work = Effect.gen(function* () {
      yield* kit.log(`${who} begins at a writer that is ${yield* tagOf(handle)}`);
      yield* Effect.sleep(10);
      yield* kit.log(`${who} ends at a writer that is ${yield* tagOf(handle)}`);
    });
    const ran = yield* Effect.exit(handle.runTurn(() => work, { waitForSettle: true }));
    const became = Exit.match(ran, {
      onSuccess: () => "ran",
      onFailure: (cause) => (cause._tag === "Fail" ? cause.error._tag : cause._tag),
    });
    yield* kit.log(`${who} ${became}`);
  });

/** How many others go on before somebody who is slow does. */
const TURNS = 8;

/** Each time that it could go on, all others that can do so before it. */
const slowly = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.withFiberRuntime<A, E>((fiber) => {
    const { currentScheduler: own } = fiber;
    const behind = (turns: number): Scheduler.Scheduler["scheduleTask"] => {
      return (task, priority, of) => {
        const next = () => behind(turns - 1)(task, priority, of);
        own.scheduleTask(turns === 0 ? task : next, priority, of);
      };
    };
    return Effect.withScheduler(effect, {
      shouldYield: (of) => own.shouldYield(of),
      scheduleTask: behind(TURNS),
    });
  });

const sceneOf = ({ come, what, works }: First, isSlow: boolean): AttachmentScene => ({
  name: `a turn that ${what} at a writer that nobody is at, and ${come.length} behind it${isSlow ? ", who are slow" : ""}`,
  body: (kit) =>
    Effect.gen(function* () {
      const handle = yield* kit.handles.get("a");
      const begun = yield* Deferred.make<void>();
      const body = Effect.zipRight(Deferred.succeed(begun, undefined), works);
      const first = yield* Effect.fork(
        Explore.named("first")(Effect.exit(handle.runTurn(() => body))),
      );
      yield* Deferred.await(begun);
      const scope = yield* Scope.make();
      yield* Scope.extend(handle.attach({ id: "client" }), scope);
      yield* Scope.close(scope, Exit.void);
      const others = yield* Effect.forEach(come, ([ms], index) => {
        const who = `turn ${index + 2}`;
        const comes = Explore.named(who)(comer(kit, handle, who, ms));
        return Effect.fork(isSlow ? slowly(comes) : comes);
      });
      yield* Fiber.joinAll(others);
      yield* Fiber.join(first);
      yield* over(kit, handle);
      yield* Effect.sleep(SETTLE_MS);
    }),
  check: (ending) => judged(come, ending),
});

/** What somebody hears who came to a writer that ends. */
const tooLate = ["Closing", "NotFound"];

const judged = (come: First["come"], { leases, log, sessions }: AttachmentEnding) => {
  const told = log.join(", ");
  for (const [index, [, isInTime]] of come.entries()) {
    const who = `turn ${index + 2}`;
    const answer = log.find((line) => line.startsWith(`${who} `) && !line.includes(" at "));
    const became = answer?.slice(who.length + 1) ?? "nothing";
    const hasBegun = log.some((line) => line.startsWith(`${who} begins`));
    const isStopped = became === "TurnInterrupted";
    if (hasBegun && became !== "ran" && !isStopped) return `${who} was cut off: ${told}`;
    if (isInTime && tooLate.includes(became)) return `${who} was accepted, and then not: ${told}`;
    if (!["ran", "TurnInterrupted", ...tooLate].includes(became)) return `${who}: ${told}`;
  }
  const late = log.find((line) => /(begins|ends) at a writer that is (Reaping|Gone)/.test(line));
  if (late !== undefined) return `${late}: ${told}`;
  if (log.at(-1) !== "it ended") return `it was never ended: ${told}`;
  if (leases.length > 0) return `leases are left: ${leases}`;
  return sessions.length === 1 ? null : "the session was ended";
};

/** The same with so many behind it as came in time, or more. */
const lists = firsts.flatMap((first) =>
  first.come.map((_, index): First => ({ ...first, come: first.come.slice(0, index + 1) })),
);

/** The worlds. */
export const letInWorlds: ReadonlyArray<NamedWorld> = lists.flatMap((first) =>
  [false, true].map((isSlow) => ({ world: attachmentWorld(sceneOf(first, isSlow)), cost: 1 })),
);
