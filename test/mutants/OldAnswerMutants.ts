/**
 * OldAnswerMutants: guards against what was so when it was looked at, and is not any more: a
 * listing that began before somebody asked, a lock that one still waits for, children of a turn of
 * which the newest alone is asked for, a hurry of who has left.
 *
 * Each is of two edits, made by a reader who wanted to hide them.
 */
import { type Mutant, world } from "./Mutant.js";

const core = "packages/core/src";
const sqlite = "packages/sqlite/src";

const old = (reader: string) =>
  world(`${reader}, whose answer is old, and wait of what is made meanwhile`);

/** Of what is not so any more. */
export const oldAnswerMutants: ReadonlyArray<Mutant> = [
  {
    name: "asker-joins-the-listing-that-runs",
    removes: "Who asks while a listing runs is answered by one that begins behind that.",
    file: `${core}/JoinedListing.ts`,
    from: `      const due = next;
      next = null;
      serving = due !== null;
      return due;
`,
    to: `      serving = next !== null;
      return next;
`,
    and: [
      {
        file: `${core}/JoinedListing.ts`,
        from: "          const closed = Exit.isInterrupted(exit);\n",
        to: "          const closed = Exit.isInterrupted(exit);\n          next = null;\n",
      },
    ],
    killedBy: [old("wait"), old("clients")],
  },
  {
    name: "lock-forgotten-under-who-waits",
    removes: "Who waits for the lock of a name is one of its users.",
    file: `${core}/NameLocks.ts`,
    from: `      Effect.acquireUseRelease(
        Effect.sync(() => this.enter(name)),
        ({ semaphore }) => semaphore.withPermits(1)(effect),
        (lock) => Effect.sync(() => this.leave(name, lock)),
      );
`,
    to: `      Effect.suspend(() => {
        const lock = this.enter(name);
        const used = Effect.acquireUseRelease(
          Effect.sync(() => void (lock.users += 1)),
          () => effect,
          () => Effect.sync(() => this.leave(name, lock)),
        );
        return lock.semaphore.withPermits(1)(used);
      });
`,
    and: [
      {
        file: `${core}/NameLocks.ts`,
        from: "    lock.users += 1;\n    this.locks",
        to: "    this.locks",
      },
    ],
    killedBy: [world("a takeover beside a step of the old turn")],
  },
  {
    name: "newest-child-alone-on-sqlite",
    removes: "A holder is dead only when every child that it named is, not the newest alone.",
    file: `${sqlite}/LeaseLives.ts`,
    from: "[row.owner, ...childNames(row)]);",
    to: "[row.owner, ...childNames(row).slice(-1)]);",
    and: [
      {
        file: `${sqlite}/LeaseLives.ts`,
        from: "childNames(row).map(lifeOf));",
        to: "childNames(row).slice(-1).map(lifeOf));",
      },
    ],
    killedBy: [world("two registries, one truth: leases")],
  },
  {
    name: "look-counts-as-of-its-answer",
    removes: "What a look saw was so when it began, and not when its answer came.",
    file: `${core}/WaitScreen.ts`,
    from: "this.seenAtMs = now;",
    to: "this.seenAtMs = yield* Clock.currentTimeMillis;",
    and: [
      {
        file: `${core}/WaitScreen.ts`,
        from: 'import { Effect, Option } from "effect";',
        to: 'import { Clock, Effect, Option } from "effect";',
      },
      {
        file: `${core}/Waiter.ts`,
        from: 'if (saw === "other") this.printing.lastMs = now;',
        to: 'if (saw === "other") this.printing.lastMs = this.screen.seenAtMs;',
      },
    ],
    killedBy: [world("it prints, and is waited for until it is silent, whose answers are old")],
  },
  {
    name: "who-left-is-still-in-a-hurry",
    removes: "A message that hurried and was taken out hurries nobody behind it.",
    file: `${core}/MailboxQueues.ts`,
    from: `    countWaiting(-mailbox.queue.splice(at, 1).length);
    if (hurries(message)) mailbox.hurrying -= 1;
`,
    to: "    countWaiting(-mailbox.queue.splice(at, 1).length);\n",
    and: [
      {
        file: `${core}/MailboxQueues.ts`,
        from: `    countWaiting(-1);
    if (hurries(message)) mailbox.hurrying -= 1;
    mailbox.running`,
        to: `    countWaiting(-1);
    if (hurries(message)) mailbox.hurrying = mailbox.queue.filter(hurries).length;
    mailbox.running`,
      },
    ],
    killedBy: [world("a message that waits behind one that hurried and left")],
  },
];
