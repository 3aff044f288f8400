/**
 * OldAnswerWorlds: answers of tmux that come late: what they tell was so when they were asked for,
 * and may not be so any more. Each reader and each operation, beside another in the same program
 * and in another one, with such an answer to any one call.
 *
 * Whoever asks behind an acknowledgement is told nothing of before it: what was made is there.
 */
import { Explore } from "@troupe/testing";
import type { TmuxTransport } from "@troupe/tmux";
import { Clock, Effect } from "effect";
import type { WorldEnding } from "./EndingOf.js";
import { createOther } from "./GcWorlds.js";
import type { ListedWorld } from "./NamedWorld.js";
import { before, called } from "./Operations.js";
import { adopt, create } from "./SessionCalls.js";
import type { Call } from "./SessionWorld.js";

/** Longer than a create takes, and less than the deadline of a call. */
const LATE_MS = 2_000;

/** What any one call to tmux does it does at once, and its answer may be told late. */
const slowAnswers = (transport: TmuxTransport["Type"]): TmuxTransport["Type"] => ({
  ...transport,
  run: (request) =>
    Effect.flatMap(Explore.choose("answer", ["at once", "late"]), (when) =>
      when === "late"
        ? Effect.zipLeft(transport.run(request), Effect.sleep(LATE_MS))
        : transport.run(request),
    ),
});

/** Whoever looks at a session, as its name. */
const readers: Record<string, (session: string) => Call["run"]> = {
  wait: (session) => (s) => s.wait(session, { exit: true }, { timeoutMs: 2 * LATE_MS }),
  clients: (session) => (s) => s.clients(session),
  capture: (session) => (s) => s.capture(session),
  get: (session) => (s) =>
    Effect.flatMap(s.get(session), ({ seen }) =>
      seen.state === "absent" ? Effect.dieMessage("it is told to be absent") : Effect.void,
    ),
};

/** A session is made, and then looked at. */
const madeAndRead = (name: string, reads: (session: string) => Call["run"]): Call => ({
  name: `${name} of what was made`,
  run: (s, tmux) => Effect.zipRight(createOther.run(s, tmux), reads("b")(s, tmux)),
});

const notThere = ({ told }: WorldEnding): string | null =>
  told.find((line) => / of what was made: failed NotFound/.test(line)) ?? null;

const reading: ReadonlyArray<ListedWorld> = Object.entries(readers).flatMap(([first, reads]) =>
  Object.entries(readers).map(([second, readsThen]) => ({
    name: `${first}, whose answer is old, and ${second} of what is made meanwhile`,
    cost: 1,
    before: [create],
    programs: [[{ name: first, run: reads("a") }, madeAndRead(second, readsThen)]],
    transport: slowAnswers,
    also: notThere,
  })),
);

/** How long a terminal is to be silent that is waited for. */
const IDLE_MS = 1_000;

let printedAt = 0;

/** A program whose output nobody records, and which prints all the time, and then no more. */
const prints: Call = {
  name: "it prints",
  run: (_, tmux) =>
    Effect.gen(function* () {
      for (let times = 0; times < 5; times++) {
        yield* tmux.type("a", "x");
        printedAt = yield* Clock.currentTimeMillis;
        yield* Effect.sleep(IDLE_MS / 2);
      }
    }),
};

const silent: Call = {
  name: "wait until it is silent",
  run: (s) =>
    Effect.gen(function* () {
      yield* s.wait("a", { idleMs: IDLE_MS }, { timeoutMs: 60_000 });
      const silentMs = (yield* Clock.currentTimeMillis) - printedAt;
      const early = Effect.dieMessage(`it has been silent for ${silentMs} ms`);
      yield* Effect.when(early, () => silentMs < IDLE_MS);
    }),
};

const waiting: ListedWorld = {
  name: "it prints, and is waited for until it is silent, whose answers are old",
  cost: 1,
  onStart: () => {
    printedAt = 0;
  },
  before: [
    {
      name: "create",
      run: (s) => s.create({ session: "a", command: ["cat"], cwd: "/", log: false }),
    },
  ],
  programs: [[prints], [silent]],
  transport: slowAnswers,
};

const operations = called.filter((call) => call !== adopt);

const meeting: ReadonlyArray<ListedWorld> = operations.flatMap((first) =>
  operations.map((second) => ({
    name: `${first.name}, whose answers are old, ∥ ${second.name}`,
    cost: 1,
    before: before([first, second]),
    programs: [[first], [second]],
    transport: slowAnswers,
  })),
);

/** The worlds. */
export const oldAnswerWorlds: ReadonlyArray<ListedWorld> = [...reading, waiting, ...meeting];
