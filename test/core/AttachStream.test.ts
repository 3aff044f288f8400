/**
 * What a client is told, as a stream: nothing twice and nothing unsaid, up to the end and behind
 * it.
 */
import { describe, expect, it } from "@effect/vitest";
import type { AttachElement } from "@troupe/core";
import { Chunk, Effect, Fiber, Stream } from "effect";
import { type AttachHome, attachHome, come, later, listener } from "./AttachHome.js";
import { pass } from "./FakeHome.js";
import { settle } from "./TurnHome.js";

const add = (home: AttachHome) =>
  pass(home.one.sessions.addTerminal({ session: "a", command: ["reader"] }));

const numbers = (elements: Iterable<AttachElement>): ReadonlyArray<number | string> =>
  [...elements].map((each) =>
    each.type === "log" && each.entry.type === "event" ? each.entry.sequence : each.type,
  );

const events = { output: false } as const;

describe("the log", () => {
  it.scoped("is told from now on, or from where somebody knows it, and to its end", () =>
    Effect.gen(function* () {
      const home = yield* attachHome();
      const read = (since?: number) =>
        Effect.fork(Stream.runCollect(home.handle.elements({ ...events, since })));
      const [now, whole] = [yield* read(), yield* read(0)];
      yield* settle;
      yield* add(home);
      yield* home.handle.end("explicit_close");
      const [all, news] = [yield* Fiber.join(whole), yield* Fiber.join(now)].map(numbers);
      expect(all).toEqual([
        ...Array.from({ length: (all?.length ?? 0) - 1 }, (_, i) => i + 1),
        "ended",
      ]);
      expect(news?.length).toBeGreaterThan(1);
      expect(news).toEqual(all?.slice(-(news?.length ?? 0)));
      expect(news?.length).toBeLessThan(all?.length ?? 0);
    }),
  );

  it.scoped("is told behind the end as far as it went, each line once, to who is slow", () =>
    Effect.gen(function* () {
      const home = yield* attachHome();
      const slow = yield* home.handle.elements({ ...events, since: 0 }).pipe(
        Stream.tap(() => Effect.sleep("2 minutes")),
        Stream.runCollect,
        Effect.fork,
      );
      yield* settle;
      yield* add(home);
      yield* add(home);
      yield* home.handle.end("explicit_close");
      yield* later(3600);
      const told = numbers(yield* Fiber.join(slow));
      expect(told).toEqual([...Array.from({ length: told.length - 1 }, (_, i) => i + 1), "ended"]);
      expect(told.length).toBeGreaterThan(6);
    }),
  );
});

describe("who is too slow", () => {
  it.scoped("is told of a gap with its numbers, and goes on behind it", () =>
    Effect.gen(function* () {
      const home = yield* attachHome({ settings: { eventsKept: 10 } });
      const told = yield* home.handle.elements({ ...events, since: 0 }).pipe(
        Stream.tap(({ type }) => (type === "ended" ? Effect.void : Effect.sleep("10 minutes"))),
        Stream.runCollect,
        Effect.fork,
      );
      yield* settle;
      for (let terminal = 0; terminal < 15; terminal++) yield* add(home);
      yield* home.handle.end("explicit_close");
      yield* later(20 * 3600);
      const elements = Chunk.toReadonlyArray(yield* Fiber.join(told));
      const isGap = (each: AttachElement) => each.type === "log" && each.entry.type === "gap";
      const at = elements.findIndex(isGap);
      const gap = elements[at];
      if (gap?.type !== "log" || gap.entry.type !== "gap") throw new Error("there is no gap");
      expect(elements.filter(isGap)).toHaveLength(1);
      expect([elements[at - 1], elements[at + 1]]).toMatchObject([
        { entry: { sequence: gap.entry.after } },
        { entry: { sequence: gap.entry.first } },
      ]);
    }),
  );
});

describe("the end of a terminal", () => {
  const ends = (elements: ReadonlyArray<AttachElement>) =>
    elements.filter((each) => each.type === "output" && each.output.type === "end").length;

  it.scoped("is told once, also behind the end of the writer", () =>
    Effect.gen(function* () {
      const home = yield* attachHome();
      const command = ["sh", "-c", "echo hi"];
      yield* pass(home.one.sessions.create({ session: "b", command, cwd: "/" }));
      const handle = yield* home.one.handles.get("b");
      const client = listener("c");
      yield* come(handle, client);
      yield* later(120);
      expect(ends(client.told)).toBe(1);
      yield* handle.end("explicit_close");
      yield* later(60);
      expect([ends(client.told), client.told.at(-1)?.type]).toEqual([1, "ended"]);
    }),
  );
});
