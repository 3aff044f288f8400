/**
 * BorrowWorlds: a child process that runs turns under the lease of its parent, which names it or
 * not, may be over by then, and may die; and another program that wants the session.
 *
 * A child that is named keeps the lease for as long as it lives, whatever it gives back. A vouch
 * alone keeps nothing: behind the turn that it is of it opens no turn, and lets no step through.
 */
import { type BorrowedLease, type Lease, type LeaseVouch, vouchFor } from "@troupe/core";
import { Explore } from "@troupe/testing";
import { Deferred, Effect, FiberId, Option } from "effect";
import type { ChildProcesses } from "./ChildProcesses.js";
import { type Kit, type LeaseEnding, type LeaseScene, leaseWorld, name } from "./LeaseWorld.js";
import { nothingLeft, oneAtATime } from "./LeaseWorlds.js";
import type { NamedWorld } from "./NamedWorld.js";

/** What the programs of a run have in common. */
interface Meeting {
  /** What the parent gives to its child. */
  readonly vouch: Deferred.Deferred<LeaseVouch>;
  /** That the other is at work. */
  readonly other: Deferred.Deferred<void>;
}

/** One for each run, which has children of its own. */
const meetings = new WeakMap<ChildProcesses, Meeting>();

const meetingOf = ({ children }: Kit): Meeting => {
  const known: Meeting = meetings.get(children) ?? {
    vouch: Deferred.unsafeMake(FiberId.none),
    other: Deferred.unsafeMake(FiberId.none),
  };
  meetings.set(children, known);
  return known;
};

/** Gives what it has to whoever waits for it. */
const vouches = (kit: Kit, lease: Lease) =>
  lease._tag === "Borrowed"
    ? Effect.dieMessage("a parent has its own")
    : Option.match(vouchFor(lease, name("a")), {
        onNone: () => Effect.void,
        onSome: (vouch) => Effect.asVoid(Deferred.succeed(meetingOf(kit).vouch, vouch)),
      });

/** Runs a turn that a child runs: it says so, or only hands over what it has. */
const parent = (isNamed: boolean) => (kit: Kit) =>
  Effect.gen(function* () {
    const handle = yield* kit.handles.get("a", { kind: "turn" });
    yield* handle.runTurn((turn, lease) =>
      Effect.gen(function* () {
        const child = yield* kit.children.start;
        if (isNamed) yield* turn.child(child);
        if (isNamed) yield* kit.log("named");
        yield* vouches(kit, lease);
        yield* Explore.point("work");
      }),
    );
  });

/** As long as anybody waits for another. */
const WAIT_MS = 500;

/** How often the other comes, and how long it stays. */
const COMES_MS = 400;
const LASTS_MS = 200;

/** One turn under what was given, of a writer of its own. */
const childTurn = (kit: Kit, lease: BorrowedLease) =>
  Effect.gen(function* () {
    const handle = yield* kit.handles.get("a", { kind: "turn", lease, anew: true });
    yield* handle.runTurn((_, own) =>
      Effect.gen(function* () {
        yield* kit.log("begin child");
        yield* Effect.exit(kit.step(own, `step ${own.epoch}`));
        yield* kit.log("end child");
      }),
    );
    yield* Explore.reached("the child ran");
  }).pipe(Effect.tapErrorTag("LeaseLost", () => Explore.reached("the child was refused")));

/** Runs a turn under what it was given, and another when the other is at work; then it ends. */
const child = (kit: Kit) =>
  Effect.gen(function* () {
    const { other, vouch } = meetingOf(kit);
    const given = yield* Effect.timeout(Deferred.await(vouch), WAIT_MS);
    const lease = yield* kit.leases.borrow(given, name("a"));
    yield* Effect.exit(childTurn(kit, lease));
    yield* Effect.timeoutOption(Deferred.await(other), WAIT_MS);
    yield* childTurn(kit, lease);
  }).pipe(Effect.exit, Effect.zipRight(kit.children.end(1)), Effect.zipRight(kit.log("gone")));

/** Comes now and then, and runs a turn when it is let in. */
const other = (kit: Kit) =>
  Effect.gen(function* () {
    const handle = yield* kit.handles.get("a", { kind: "turn" });
    for (let left = 3; left > 0; left--) {
      yield* Effect.exit(
        handle.runTurn((_, own) =>
          Effect.gen(function* () {
            yield* kit.log("begin other");
            yield* Deferred.succeed(meetingOf(kit).other, undefined);
            yield* Effect.sleep(LASTS_MS);
            yield* Effect.exit(kit.step(own, `step ${own.epoch}`));
            yield* kit.log("end other");
          }),
        ),
      );
      yield* Effect.sleep(COMES_MS);
    }
  });

/** Nobody else begins while a child that was named lives. */
const notBesideIt = ({ log }: LeaseEnding): string | null => {
  const at = log.indexOf("begin other");
  const [named, gone] = [log.indexOf("named"), log.indexOf("gone")];
  return named !== -1 && at > named && (gone === -1 || at < gone)
    ? `another began while the child lived: ${log}`
    : null;
};

/** What was given is worth nothing behind the lease that it is of. */
const notBehind = ({ log }: LeaseEnding): string | null => {
  const begun = log.indexOf("begin other");
  if (begun !== -1 && log.indexOf("begin child", begun) !== -1) return `a turn behind it: ${log}`;
  const epochs = log.filter((line) => line.startsWith("step")).map((l) => Number(l.split(" ")[1]));
  const late = epochs.findIndex((epoch, at) => epoch < (epochs[at - 1] ?? 0));
  return late === -1 ? null : `a step of an epoch that is over: ${log}`;
};

const named: LeaseScene = {
  name: "a child that is named and borrows its parent's lease",
  sessions: ["a"],
  programs: [parent(true), child, other],
  sometimes: ["the child ran"],
  check: (ending) =>
    oneAtATime(ending) ?? notBesideIt(ending) ?? notBehind(ending) ?? nothingLeft(ending),
};

const unnamed: LeaseScene = {
  name: "a child that borrows what its parent had",
  sessions: ["a"],
  programs: [parent(false), child, other],
  sometimes: ["the child ran", "the child was refused"],
  check: (ending) => notBehind(ending) ?? nothingLeft(ending),
};

/** The worlds. */
export const borrowWorlds: ReadonlyArray<NamedWorld> = [
  { world: leaseWorld(named), cost: 1 },
  { world: leaseWorld(unnamed), cost: 1 },
  {
    world: leaseWorld({
      ...named,
      name: `${named.name}, and the parent may die`,
      crash: "first",
      check: (ending) => oneAtATime(ending) ?? notBesideIt(ending) ?? notBehind(ending),
    }),
    cost: 1,
  },
];
