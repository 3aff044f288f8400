/**
 * ToldStreams: what an attached client is told, over a log and a recording that grow as its writer
 * ends, in every order of what is read, what comes and the end.
 *
 * The stream alone, so that each order can be run: what comes in the very step of the end, or
 * between what was read and what was given on, is told once.
 */
import {
  type AttachElement,
  type EndReason,
  IncarnationId,
  type LogEntry,
  type OutputElement,
  SessionName,
} from "@troupe/core";
import { Explore, type World } from "@troupe/testing";
import { Deferred, Effect, Exit, FiberId, type Option, Stream } from "effect";
import { elementsOf, type Told } from "../../packages/core/src/AttachStream.js";
import type { NamedWorld } from "./NamedWorld.js";
import { type Far, judged } from "./ToldElements.js";

const session = SessionName.make("a");
const incarnation = IncarnationId.make("incarnation-a");

const eventOf = (at: number): LogEntry => ({
  ...{ type: "event", sequence: at + 1, session, incarnation, generation: 1, at: 0 },
  body: { type: "session", state: "running", cause: null },
});

const dataOf = (at: number): OutputElement => ({
  ...{ type: "data", incarnation, sequence: at },
  data: new TextEncoder().encode("."),
});

/** What grows, and whoever waits for that. */
class Growing {
  length = 0;
  private more = Deferred.unsafeMake<void>(FiberId.none);

  readonly grow = Effect.sync(() => {
    this.length += 1;
    Deferred.unsafeDone(this.more, Exit.void);
    this.more = Deferred.unsafeMake<void>(FiberId.none);
  });

  /** What there is behind a place, one by one. */
  from(place: number, follow: boolean, read: string): Stream.Stream<number> {
    const next = (at: number): Effect.Effect<Option.Option<readonly [number, number]>> =>
      Effect.suspend(() => {
        if (at < this.length) return Effect.succeedSome([at, at + 1] as const);
        if (!follow) return Effect.succeedNone;
        return Effect.zipRight(Deferred.await(this.more), next(at));
      });
    return Stream.unfoldEffect(place, (at) => Effect.zipRight(Explore.point(read), next(at)));
  }
}

/** What is told over a log and a recording that grow as the end comes. */
const streamed = (granularity: "ports" | "visible"): World<string | null> => ({
  name: `all that is told as the end comes, ${granularity}`,
  granularity,
  start: () => {
    const program = Effect.gen(function* () {
      const [log, bytes] = [new Growing(), new Growing()];
      const heard: Array<AttachElement> = [];
      const far: Far = { log: 0, output: 0 };
      const over = yield* Deferred.make<EndReason>();
      const of: Told = {
        ...{ session, incarnation, over },
        registry: { events: () => Effect.dieMessage("nobody asks for the newest") },
        sessions: {
          events: ({ follow = true, since = 0 } = {}) =>
            Stream.map(log.from(since, follow, "read the log"), eventOf),
          output: (_, { follow = true, from = 0 } = {}) =>
            Stream.map(bytes.from(from, follow, "read the output"), dataOf),
        },
      };
      const elements = elementsOf(of, { since: 0 });
      const told = Stream.runForEach(elements, (each) => Effect.sync(() => void heard.push(each)));
      const happens = Effect.forEach([log, bytes, log], ({ grow }) =>
        Effect.zipRight(Explore.point("it happens"), grow),
      );
      const ends = Effect.zipRight(
        Explore.point("it ends"),
        Effect.sync(() => {
          Object.assign(far, { log: log.length, output: bytes.length });
          Deferred.unsafeDone(over, Exit.succeed("explicit_close"));
        }),
      );
      const all = [Explore.named("told")(told), Explore.named("happens")(happens), ends];
      yield* Effect.all(all, { concurrency: "unbounded" });
      const sequences = Array.from({ length: log.length }, (_, index) => index + 1);
      return judged(heard, sequences, ".".repeat(bytes.length), far);
    });
    return { program, check: (wrong) => wrong };
  },
});

/** Where fibers switch, and to what cost. */
export const toldStreams: ReadonlyArray<NamedWorld> = [
  { world: streamed("ports"), cost: 1 },
  { world: streamed("visible"), cost: 1 },
];
