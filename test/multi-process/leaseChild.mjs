/**
 * leaseChild: a program on the built packages that writes lines into a session under its lease.
 *
 * Words: the home, the socket, the session, a tag, how (`write`, `lend` or `borrow`), a tmux. Each
 * line is the tag, the epoch and a number that counts. `write` runs a turn as soon as it may, and
 * writes until it may not; `lend` lets a child process write in its turn, and writes itself when
 * that is gone; `borrow` is that child, which gets its parent's vouch over IPC. Each fact is a line
 * on standard output. Warnings go nowhere.
 */
import { fork } from "node:child_process";
import { Leases, ProcessTable, SessionHandles, Sessions } from "@troupe/core";
import { LinuxProcessTable, Troupe } from "@troupe/node";
import { Effect, Layer, Logger, LogLevel } from "effect";

const [home, socket, session, tag, how, tmux] = process.argv.slice(2);

const say = (fact) => Effect.sync(() => process.stdout.write(`${JSON.stringify(fact)}\n`));

/** Writes line after line, until it is refused; between two of them others may come in. */
const writing = (lease) =>
  Effect.gen(function* () {
    const sessions = (yield* Sessions).under(lease);
    for (let number = 1; ; number++) {
      yield* sessions.send(`${tag} ${lease.epoch} ${number}\n`);
      if (number === 1) yield* say({ began: lease.epoch });
      yield* Effect.sleep("20 millis");
    }
  });

/** Lets a child write, until that is gone. */
const lending = (handle, turn) =>
  Effect.gen(function* () {
    const child = fork(process.argv[1], [home, socket, session, `${tag}'s`, "borrow"]);
    const processes = yield* ProcessTable;
    const { id } = yield* processes.look(child.pid);
    yield* turn.child(id);
    yield* say({ child: child.pid });
    child.send(yield* Effect.flatten(handle.vouch));
    yield* Effect.async((resume) => void child.once("exit", () => resume(Effect.void)));
  });

/** A turn; where somebody else has the lease, again until it may. */
const turning = Effect.gen(function* () {
  const handles = yield* SessionHandles;
  const handle = yield* handles.get(session, { surface: tag });
  const body = (turn, lease) =>
    how === "lend" ? Effect.zipRight(lending(handle, turn), writing(lease)) : writing(lease);
  let isTold = false;
  for (;;) {
    const refused = yield* Effect.flip(handle.runTurn(body));
    if (refused._tag !== "LeaseHeld") return refused;
    const { holder, pid } = refused.holder;
    if (!isTold) yield* say({ refused: { holder, pid } });
    isTold = true;
    yield* Effect.sleep("10 millis");
  }
});

const vouched = Effect.async((resume) => {
  process.once("message", (vouch) => resume(Effect.succeed(vouch)));
});

/** The turn of a child, under what its parent lent to it. */
const borrowing = Effect.gen(function* () {
  const vouch = yield* vouched;
  const leases = yield* Leases;
  const lease = yield* leases.borrow(vouch, session);
  const handles = yield* SessionHandles;
  const handle = yield* handles.get(session, { surface: tag, lease });
  return yield* Effect.flip(handle.runTurn((_, lent) => writing(lent)));
});

await Effect.runPromise(
  (how === "borrow" ? borrowing : turning).pipe(
    Effect.catchAll((failure) => Effect.succeed(failure)),
    Effect.tap((failure) => say({ ended: failure._tag, message: failure.message })),
    // Whatever stands in for tmux sees each call.
    Effect.provide(
      Layer.merge(Troupe.layer({ home, socket, tmux, connection: false }), LinuxProcessTable.layer),
    ),
    Logger.withMinimumLogLevel(LogLevel.None),
  ),
);
process.exit(0);
