/**
 * MailboxWorlds: what mailboxes promise, each as a world over any implementation of them.
 *
 * Work logs when it begins and ends, so a check reads what ran and in which order. Who asks for
 * what is the same in every run: only the schedule differs.
 */
import type { Mailboxes } from "@troupe/core";
import { Explore, type World } from "@troupe/testing";
import { Deferred, Effect, Exit, Fiber, FiberStatus, Scope } from "effect";

/** How the mailboxes of a world are made. */
export type Make = Effect.Effect<Mailboxes, never, Scope.Scope>;

/** What work did, in order: `begin x` and `end x`. */
class Log {
  readonly lines: Array<string> = [];

  /** Work in two steps; what it began it ends, unless it is interrupted. */
  work(who: string): Effect.Effect<string> {
    return Effect.gen(this, function* () {
      this.lines.push(`begin ${who}`);
      yield* Explore.point(`work of ${who}`);
      this.lines.push(`end ${who}`);
      return who;
    });
  }

  /** Work whose caller's interruption does not reach it. */
  firmWork(who: string): Effect.Effect<string> {
    return Effect.uninterruptible(this.work(who));
  }

  get text(): string {
    return this.lines.join(", ");
  }

  /** `null` when each of these ran once, and each ended before the next began. */
  overlap(): string | null {
    const whole = this.lines.every(
      (line, i) => i % 2 === 1 || this.lines[i + 1] === line.replace("begin", "end"),
    );
    return whole ? null : this.text;
  }
}

const ask = (mailboxes: Mailboxes, name: string, who: string, work: Effect.Effect<string>) =>
  Explore.named(who)(mailboxes.ask(name, who, work));

/** Every caller is answered with its own answer, each work runs once and alone. */
export const exclusion = (make: Make): World<ReadonlyArray<string>> => ({
  name: "one message of a name at a time, all of them answered",
  start: () => {
    const log = new Log();
    const program = Effect.gen(function* () {
      const mailboxes = yield* make;
      const caller = (who: string) =>
        Effect.zipRight(Explore.point(`ask ${who}`), mailboxes.ask("a", who, log.work(who)));
      const inTurn = Effect.zipWith(caller("x"), caller("y"), (x, y) => `${x}${y}`);
      return yield* Effect.all([Explore.named("xy")(inTurn), Explore.named("z")(caller("z"))], {
        concurrency: "unbounded",
      });
    });
    return {
      program: Effect.scoped(program),
      check: (answers) => {
        if (answers.join("") !== "xyz") return `the answers are ${answers.join(" ")}`;
        return log.lines.length === 6 ? log.overlap() : log.text;
      },
      state: () => log.text,
    };
  },
});

/** A worker that has nothing left to do meets the next message of its name. */
export const again = (make: Make): World<unknown> => ({
  name: "a name that was forgotten is asked for again",
  start: () => {
    const log = new Log();
    const program = Effect.gen(function* () {
      const mailboxes = yield* make;
      yield* mailboxes.ask("a", "x", log.work("x"));
      yield* mailboxes.ask("a", "y", log.work("y"));
    });
    return { program: Effect.scoped(program), check: () => log.overlap() };
  },
});

/** Two names at once: both are begun before either ends, somewhere. */
export const twoNames = (make: Make): World<unknown> => ({
  name: "names never wait for each other",
  sometimes: ["both names at work"],
  start: () => {
    let atWork = 0;
    const work = Effect.gen(function* () {
      if (++atWork === 2) yield* Explore.reached("both names at work");
      yield* Explore.point("work");
      atWork--;
      return "done";
    });
    const program = Effect.gen(function* () {
      const mailboxes = yield* make;
      yield* Effect.all([ask(mailboxes, "a", "x", work), ask(mailboxes, "b", "y", work)], {
        concurrency: "unbounded",
      });
    });
    return { program: Effect.scoped(program) };
  },
});

/** Waits until the fiber waits itself: from then on its message is in the mailbox. */
const waits = (fiber: Fiber.RuntimeFiber<unknown, unknown>): Effect.Effect<unknown> =>
  Effect.repeat(Effect.zipRight(Effect.yieldNow(), fiber.status), {
    until: (status) => FiberStatus.isSuspended(status) || FiberStatus.isDone(status),
  });

/** A message that is in the mailbox before another is asked for runs before it. */
export const order = (make: Make): World<unknown> => ({
  name: "first in, first out",
  start: () => {
    const log = new Log();
    const program = Effect.gen(function* () {
      const mailboxes = yield* make;
      const go = yield* Deferred.make<void>();
      const blocked = Effect.zipRight(Deferred.await(go), log.work("1"));
      const fork = (who: string, work: Effect.Effect<string>) =>
        Effect.tap(Effect.fork(ask(mailboxes, "a", who, work)), waits);
      const fibers = [
        yield* fork("1", blocked),
        yield* fork("2", log.work("2")),
        yield* fork("3", log.work("3")),
      ];
      yield* Deferred.succeed(go, undefined);
      yield* Fiber.joinAll(fibers);
    });
    const expected = ["1", "2", "3"].flatMap((who) => [`begin ${who}`, `end ${who}`]).join(", ");
    return {
      program: Effect.scoped(program),
      check: () => (log.text === expected ? null : log.text),
    };
  },
});

/** A caller that may be interrupted at any step, behind one that stays and before another. */
export const leaving = (make: Make): World<Exit.Exit<string, unknown>> => ({
  name: "a caller that leaves takes out what was not begun, and what was begun ends",
  sometimes: ["left before it began", "left after it began"],
  start: () => {
    const log = new Log();
    let linesAtLeave = Number.POSITIVE_INFINITY;
    const has = (line: string) => log.lines.includes(line);
    const program = Effect.gen(function* () {
      const mailboxes = yield* make;
      const caller = (who: string) => mailboxes.ask("a", who, log.firmWork(who));
      const leaver = Effect.tap(Explore.interruptible("leaver", caller("leaver")), (exit) => {
        if (Exit.isSuccess(exit)) return Effect.void;
        linesAtLeave = log.lines.length;
        return Explore.reached(`left ${has("begin leaver") ? "after" : "before"} it began`);
      });
      const first = yield* Effect.fork(Explore.named("first")(caller("first")));
      const exit = yield* leaver;
      yield* caller("last");
      yield* Fiber.join(first);
      return exit;
    });
    return {
      program: Effect.scoped(program),
      check: (exit) => {
        if (log.overlap() !== null) return log.text;
        if (!has("end first") || !has("end last")) return `not all ran: ${log.text}`;
        if (Exit.isSuccess(exit))
          return has("end leaver") ? null : `answered, not run: ${log.text}`;
        const ranLater = log.lines.slice(linesAtLeave).some((line) => line.endsWith("leaver"));
        return ranLater ? `ran after its caller left: ${log.text}` : null;
      },
      state: () => log.text,
    };
  },
});

/** Two callers of equal messages, of whom one may leave at any step, behind another message. */
export const joining = (make: Make): World<Exit.Exit<string, unknown>> => ({
  name: "an equal message answers whoever stays, and runs once for those that joined",
  sometimes: ["one answer for two", "one left, one stayed"],
  start: () => {
    const log = new Log();
    const program = Effect.gen(function* () {
      const mailboxes = yield* make;
      const equal = { key: "equal", whileRunning: true };
      const caller = mailboxes.ask("a", "equal", log.firmWork("equal"), equal);
      const first = mailboxes.ask("a", "first", log.firmWork("first"));
      const stays = yield* Effect.fork(Explore.named("stays")(Effect.zipRight(first, caller)));
      const left = yield* Explore.interruptible("leaves", Effect.zipRight(first, caller));
      const stayed = yield* Fiber.await(stays);
      const runs = log.lines.filter((line) => line === "begin equal").length;
      if (Exit.isInterrupted(left)) yield* Explore.reached("one left, one stayed");
      else if (runs === 1) yield* Explore.reached("one answer for two");
      return stayed;
    });
    return {
      program: Effect.scoped(program),
      check: (stayed) => {
        if (!Exit.isSuccess(stayed) || stayed.value !== "equal") return `it got ${stayed}`;
        return log.overlap();
      },
      state: () => log.text,
    };
  },
});

/** The scope closes at any moment while callers come, wait and run. */
export const closing = (make: Make): World<unknown> => ({
  name: "closing answers what waits, and lets what runs end",
  sometimes: ["x was answered", "y was answered", "x was refused", "y was refused"],
  start: () => {
    const log = new Log();
    const answers = new Map<string, string>();
    let linesAtClose = Number.POSITIVE_INFINITY;
    const program = Effect.gen(function* () {
      const scope = yield* Scope.make();
      const mailboxes = yield* Scope.extend(make, scope);
      const caller = (who: string) =>
        Effect.gen(function* () {
          yield* Explore.point(`ask ${who}`);
          const answer = yield* Effect.either(mailboxes.ask("a", who, log.work(who)));
          const told = answer._tag === "Right" ? answer.right : answer.left._tag;
          answers.set(who, told);
          yield* Explore.reached(`${who} was ${told === who ? "answered" : "refused"}`);
        });
      const close = Effect.gen(function* () {
        yield* Explore.point("close");
        yield* Scope.close(scope, Exit.void);
        linesAtClose = log.lines.length;
      });
      const all = { x: caller("x"), y: caller("y"), closer: close };
      const fibers = Object.entries(all).map(([who, effect]) => Explore.named(who)(effect));
      yield* Effect.all(fibers, { concurrency: "unbounded" });
    });
    return {
      program,
      check: () => {
        if (log.overlap() !== null) return log.text;
        if (log.lines.length > linesAtClose) return `ran after the close: ${log.text}`;
        for (const [who, answer] of answers) {
          const ran = log.lines.includes(`end ${who}`);
          if (answer !== (ran ? who : "Closing")) return `${who} got ${answer}: ${log.text}`;
        }
        return null;
      },
      state: () => log.text,
    };
  },
});
