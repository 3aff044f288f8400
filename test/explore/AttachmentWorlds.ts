/**
 * AttachmentWorlds: a writer that nobody is at ends, and one that somebody is at does not: who
 * comes as it is due, who goes as his turn ends, who comes while it ends, and a session that is
 * deleted under a client that is lost.
 *
 * What each would find is found in mutants of the guards, and in twins whose reaper is a naive one.
 */
import type { SessionHandle } from "@troupe/core";
import { Explore } from "@troupe/testing";
import { Deferred, Effect, Exit, Fiber, Scope, Stream } from "effect";
import {
  type AttachmentEnding,
  type AttachmentScene,
  attachmentWorld,
  GRACE_MS,
  type Kit,
} from "./AttachmentWorld.js";
import type { NamedWorld } from "./NamedWorld.js";

/** Comes, and gives what takes it away again; `null` where it is refused. */
const come = (handle: SessionHandle, id: string, waitForSettle = false) =>
  Effect.gen(function* () {
    const scope = yield* Scope.make();
    const came = yield* Effect.exit(Scope.extend(handle.attach({ id }, { waitForSettle }), scope));
    return Exit.isSuccess(came) ? Scope.close(scope, Exit.void) : null;
  });

export const tagOf = (handle: SessionHandle) => Effect.map(handle.attachment, ({ _tag }) => _tag);

/** Notes how the writer stands for who is at it, or thinks so. */
const present = (kit: Kit, handle: SessionHandle, who: string) =>
  Effect.flatMap(tagOf(handle), (tag) => kit.log(`${who} is at a writer that is ${tag}`));

/** Long enough for every bound there is. */
const longer = Effect.sleep(10 * GRACE_MS);

/**
 * Waits for the end of the writer, beyond every bound that there is, also if time is short once.
 */
export const over = (kit: Kit, handle: SessionHandle) =>
  Effect.gen(function* () {
    for (let looks = 0; looks < 60; looks++) {
      if ((yield* tagOf(handle)) === "Gone") return yield* kit.log("it ended");
      yield* Effect.sleep(GRACE_MS);
    }
    yield* kit.log("it did not end");
  });

/** Whoever is at a writer is at one that is there. */
const kept = ({ log }: AttachmentEnding): string | null =>
  log.find((line) => / is at a writer that is (?!Attached)/.test(line)) ?? null;

const ended = ({ log }: AttachmentEnding): string | null =>
  log.at(-1) === "it ended" ? null : `it was never ended: ${log}`;

const alive = ({ sessions }: AttachmentEnding): string | null =>
  sessions.length === 1 ? null : "the session was ended";

const released = ({ leases }: AttachmentEnding): string | null =>
  leases.length === 0 ? null : `leases are left: ${leases}`;

/** One leaves, another comes as the grace of the first is over. */
const due: AttachmentScene = {
  name: "a client comes as the grace of another is over",
  body: (kit) =>
    Effect.gen(function* () {
      const handle = yield* kit.handles.get("a");
      const first = yield* come(handle, "first");
      yield* first ?? Effect.void;
      const second = Effect.gen(function* () {
        yield* Effect.sleep(yield* Explore.choose("when", [GRACE_MS, GRACE_MS + 1]));
        yield* Explore.point("come");
        const leave = yield* come(handle, "second");
        if (leave === null) return yield* Explore.reached("too late");
        yield* Explore.reached("in time");
        yield* present(kit, handle, "second");
        yield* longer;
        yield* present(kit, handle, "second");
        yield* leave;
      });
      yield* Explore.named("second")(second);
      yield* over(kit, handle);
    }),
  time: true,
  sometimes: ["in time", "too late"],
  check: (ending) => kept(ending) ?? alive(ending) ?? ended(ending),
};

/** A client leaves as its turn ends, and another turn begins behind that. */
const turnEnd: AttachmentScene = {
  name: "a client goes as its turn ends, and another begins",
  body: (kit) =>
    Effect.gen(function* () {
      const handle = yield* kit.handles.get("a");
      const leave = yield* come(handle, "first");
      const turn = (name: string) =>
        handle
          .runTurn(() => Effect.sleep(name === "one" ? GRACE_MS + 50 : 40), { waitForSettle: true })
          .pipe(
            Effect.exit,
            Effect.flatMap((exit) =>
              kit.log(Exit.isSuccess(exit) ? `${name} ran` : `${name} was stopped`),
            ),
          );
      const one = yield* Effect.fork(Explore.named("one")(turn("one")));
      yield* Explore.point("go");
      yield* leave ?? Effect.void;
      yield* Fiber.join(one);
      const two = yield* Effect.exit(Explore.named("two")(turn("two")));
      yield* Explore.reached(Exit.isSuccess(two) ? "two was let in" : "two was not");
      yield* over(kit, handle);
    }),
  time: true,
  sometimes: ["two was let in"],
  check: (ending) => alive(ending) ?? released(ending) ?? ended(ending),
};

/** Two leave at once, and one of them comes back. */
const two: AttachmentScene = {
  name: "two viewers go, and one comes back",
  body: (kit) =>
    Effect.gen(function* () {
      const handle = yield* kit.handles.get("a");
      const leaves = [yield* come(handle, "one"), yield* come(handle, "two")];
      const gone = (index: number, name: string) =>
        Explore.named(name)(Effect.zipRight(Explore.point("go"), leaves[index] ?? Effect.void));
      const back = Explore.named("back")(
        Effect.gen(function* () {
          yield* Explore.point("come back");
          const again = yield* come(handle, "one");
          if (again === null) return yield* kit.log("refused");
          yield* present(kit, handle, "one");
          yield* longer;
          yield* present(kit, handle, "one");
          yield* Explore.reached("came back");
          yield* again;
        }),
      );
      yield* Effect.all([gone(0, "one"), gone(1, "two"), back], { concurrency: "unbounded" });
      yield* over(kit, handle);
    }),
  sometimes: ["came back"],
  check: (ending) => kept(ending) ?? ended(ending),
};

/** The writer of the name, when a client is at it or nobody will be; also if time is short once. */
const attended = (kit: Kit, over: Deferred.Deferred<void>) =>
  Effect.gen(function* () {
    for (let looks = 0; ; looks++) {
      const writer = yield* kit.handles.get("a");
      const isOver = looks === 60 || (yield* Deferred.isDone(over));
      if (isOver || (yield* tagOf(writer)) === "Attached") return writer;
      yield* Effect.sleep(50);
    }
  });

/** Somebody asks for the name while its writer, which holds the lease, is let go. */
const reaped: AttachmentScene = {
  name: "a client comes by name while its writer is let go",
  body: (kit) =>
    Effect.gen(function* () {
      const handle = yield* kit.handles.get("a");
      yield* handle.runTurn(() => Effect.void);
      yield* (yield* come(handle, "first")) ?? Effect.void;
      const second = Effect.gen(function* () {
        yield* Effect.sleep(yield* Explore.choose("when", [GRACE_MS, GRACE_MS + 1]));
        const seen = yield* Deferred.make<void>();
        const stream = yield* Effect.fork(
          Stream.runDrain(kit.handles.attach("a", { client: "second", output: false })).pipe(
            Effect.tapErrorCause((cause) => kit.log(`refused: ${cause}`)),
            Effect.ensuring(Deferred.succeed(seen, undefined)),
          ),
        );
        const writer = yield* attended(kit, seen);
        yield* present(kit, writer, "second");
        yield* Explore.reached(writer.actor === handle.actor ? "the same" : "another");
        const ran = yield* Effect.exit(writer.runTurn(() => kit.log("ran")));
        if (Exit.isFailure(ran)) yield* kit.log(`no turn: ${ran.cause}`);
        yield* Fiber.interrupt(stream);
      });
      yield* Explore.named("second")(second);
      yield* longer;
    }),
  time: true,
  sometimes: ["the same", "another"],
  check: (ending) => {
    const refused = ending.log.find((line) => /^(refused|no turn)/.test(line));
    return kept(ending) ?? refused ?? alive(ending) ?? released(ending);
  },
};

/** A client that asked to close is lost while another program deletes its session. */
const lost: AttachmentScene = {
  name: "a client is lost while its session is deleted",
  body: (kit) =>
    Effect.gen(function* () {
      const handle = yield* kit.handles.get("a");
      yield* handle.runTurn(() => Effect.void);
      const peer = yield* Deferred.make<void>();
      const scope = yield* Scope.make();
      const client = { id: "c", closed: Deferred.await(peer) };
      yield* Scope.extend(handle.attach(client, { closeOnDisconnect: true }), scope);
      const leaves = Effect.zipRight(Explore.point("lose"), Deferred.succeed(peer, undefined));
      yield* Effect.all([Explore.named("peer")(leaves), Explore.named("other")(kit.deleted)], {
        concurrency: "unbounded",
      });
      yield* over(kit, handle);
      const again = yield* Effect.exit(kit.handles.get("a"));
      yield* kit.log(Exit.isSuccess(again) ? "there is a writer" : "there is no session");
      yield* Scope.close(scope, Exit.void);
    }),
  check: (ending) => {
    const [end, there] = ending.log.slice(-2);
    if (end !== "it ended") return `its writer was never ended: ${ending.log}`;
    if (there !== "there is no session") return `a writer of what was deleted: ${ending.log}`;
    return released(ending);
  },
};

/** A turn is stopped, and its client comes back and waits for that. */
const settling: AttachmentScene = {
  name: "a client waits for an interrupt that settles",
  body: (kit) =>
    Effect.gen(function* () {
      const handle = yield* kit.handles.get("a");
      const begun = yield* Deferred.make<void>();
      const slow = Effect.ensuring(
        Effect.zipRight(Deferred.succeed(begun, undefined), Effect.never),
        Effect.sleep(60),
      );
      const turn = yield* Effect.fork(Effect.exit(handle.runTurn(() => slow)));
      yield* Deferred.await(begun);
      yield* (yield* come(handle, "first")) ?? Effect.void;
      const second = Effect.gen(function* () {
        yield* Effect.sleep(GRACE_MS + 30);
        const leave = yield* come(handle, "second", true);
        if (leave === null) return yield* kit.log("refused");
        yield* Explore.reached("waited");
        yield* present(kit, handle, "second");
        yield* longer;
        yield* present(kit, handle, "second");
        yield* leave;
      });
      yield* Explore.named("second")(second);
      yield* Fiber.join(turn);
      yield* over(kit, handle);
    }),
  sometimes: ["waited"],
  check: (ending) => {
    const refused = ending.log.find((line) => line === "refused");
    return refused ?? kept(ending) ?? alive(ending) ?? ended(ending);
  },
};

/** What holds, and up to which cost. */
export const attachmentWorlds: ReadonlyArray<NamedWorld> = [
  { world: attachmentWorld(due), cost: 2 },
  { world: attachmentWorld(turnEnd), cost: 2 },
  { world: attachmentWorld(two), cost: 3 },
  { world: attachmentWorld(reaped), cost: 1, walks: 300 },
  { world: attachmentWorld(lost), cost: 3 },
  { world: attachmentWorld(settling), cost: 2 },
];

/** A reaper that looks, or does not, and acts behind that; a turn that runs makes it give up. */
const naive =
  (looks: boolean): NonNullable<AttachmentScene["flawed"]> =>
  (handle, scope) => {
    const reap = Effect.gen(function* () {
      yield* Effect.sleep(GRACE_MS);
      const tag = yield* tagOf(handle);
      yield* Explore.point("end it");
      if (tag === "Detached" || !looks) yield* Effect.exit(handle.end("orphan_reap"));
    });
    const attach: SessionHandle["attach"] = (client, options) =>
      Effect.zipRight(
        Effect.addFinalizer(() => Effect.forkIn(Effect.interruptible(reap), scope)),
        handle.attach(client, options),
      );
    return { ...handle, attach };
  };

/** A writer that nobody watches. */
const unwatched: AttachmentScene["flawed"] = (handle) => handle;

/** A writer that does not hear that the peer of a client is gone. */
const deaf: AttachmentScene["flawed"] = (handle) => ({
  ...handle,
  attach: ({ id }, options) => handle.attach({ id }, options),
});

/** The same worlds, each without its guard: none may hold. */
export const attachmentTwins: ReadonlyArray<NamedWorld> = [
  { world: attachmentWorld({ ...due, flawed: naive(true) }), cost: 2 },
  { world: attachmentWorld({ ...turnEnd, flawed: unwatched }), cost: 0 },
  { world: attachmentWorld({ ...two, flawed: naive(false) }), cost: 1 },
  { world: attachmentWorld({ ...reaped, flawed: naive(true) }), cost: 2 },
  { world: attachmentWorld({ ...lost, flawed: deaf }), cost: 0 },
];
