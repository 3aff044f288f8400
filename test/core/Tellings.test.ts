/**
 * What clients are told: everything, in order, each for himself; a bad one is nobody else's
 * concern.
 */
import { describe, expect, it } from "@effect/vitest";
import { type AttachElement, RegistryUnavailable, type SessionClient } from "@troupe/core";
import { Deferred, Effect, Exit, Fiber, Stream } from "effect";
import { attachHome, come, later, listener, stateOf } from "./AttachHome.js";
import { pass } from "./FakeHome.js";
import { logInto } from "./LoggedLines.js";
import { heldTurn, settle } from "./TurnHome.js";

/** What is told without the bytes: states and reasons, and how many bytes there were. */
const short = (elements: ReadonlyArray<AttachElement>): ReadonlyArray<string> =>
  elements.flatMap((element) => {
    if (element.type === "ended") return [`ended ${element.reason}`];
    if (element.type === "output") return [];
    const { entry } = element;
    if (entry.type !== "event") return [entry.type];
    const { body } = entry;
    return "state" in body ? [`${body.type} ${body.state}`] : [body.type];
  });

/** Bytes that were told, as text. */
const printed = (elements: ReadonlyArray<AttachElement>): string =>
  elements
    .map((each) =>
      each.type === "output" && each.output.type === "data"
        ? new TextDecoder().decode(each.output.data)
        : "",
    )
    .join("");

describe("clients", () => {
  it.scoped("are each told everything in the same order, also one that came in the middle", () =>
    Effect.gen(function* () {
      const home = yield* attachHome();
      const [one, two, three] = [listener("c1"), listener("c2"), listener("c3")];
      yield* come(home.handle, one, { output: false });
      yield* come(home.handle, two, { output: false });
      yield* settle;
      yield* pass(home.one.sessions.addTerminal({ session: "a", command: ["reader"] }));
      yield* come(home.handle, three, { output: false });
      yield* settle;
      yield* pass(home.one.sessions.delete("a"));
      yield* Effect.ignore(home.handle.end("explicit_close"));
      yield* settle;
      const last = short(three.told);
      expect(short(one.told)).toEqual(short(two.told));
      expect(last.length).toBeGreaterThan(3);
      expect(short(one.told).slice(-last.length)).toEqual(last);
      expect(short(one.told).length).toBeGreaterThan(last.length);
      expect(last.slice(-2)).toEqual(["session deleted", "ended explicit_close"]);
    }),
  );

  it.scoped("are told what the terminal printed, from the first byte or from where they say", () =>
    Effect.gen(function* () {
      const home = yield* attachHome();
      yield* home.tmux.type("a", "hello");
      yield* pass(
        home.one.sessions.create({ session: "b", command: ["sh", "-c", "echo hello"], cwd: "/" }),
      );
      const handle = yield* home.one.handles.get("b");
      const [whole, part] = [listener("c"), listener("d")];
      yield* come(handle, whole);
      yield* come(handle, part, { from: 2 });
      yield* later(10);
      expect([printed(whole.told), printed(part.told)]).toEqual(["hello\r\n", "llo\r\n"]);
    }),
  );

  it.scoped("are told of events alone where nothing is recorded", () =>
    Effect.gen(function* () {
      const home = yield* attachHome();
      yield* pass(
        home.one.sessions.create({ session: "b", command: ["reader"], cwd: "/", log: false }),
      );
      const handle = yield* home.one.handles.get("b");
      const client = listener("c");
      const { attachment } = yield* come(handle, client);
      yield* later(1);
      yield* handle.end("explicit_close");
      yield* settle;
      expect(short(client.told)).toEqual(["ended explicit_close"]);
      expect(Exit.isSuccess(yield* Effect.exit(attachment.delivered))).toBe(true);
    }),
  );
});

const bad: ReadonlyArray<readonly [string, SessionClient["deliver"], number]> = [
  ["fails", () => Effect.fail("no"), 0],
  ["dies", () => Effect.die("no"), 0],
  [
    "throws",
    () => {
      throw new Error("no");
    },
    0,
  ],
  ["never returns", () => Effect.never, 5],
  ["never returns, nor hears of an interruption", () => Effect.uninterruptible(Effect.never), 5],
];

describe("a client that", () => {
  it.scoped.each(bad)(
    "%s is gone after its bound, and no other one notices",
    ([, deliver, bound]) =>
      Effect.gen(function* () {
        const home = yield* attachHome();
        const [one, three] = [listener("c1"), listener("c3")];
        const options = { output: false };
        yield* come(home.handle, one, options);
        const two = yield* come(home.handle, { id: "c2", deliver }, options);
        yield* come(home.handle, three, options);
        yield* settle;
        yield* home.one.sessions.reconcile("a");
        yield* pass(home.one.sessions.addTerminal({ session: "a", command: ["reader"] }));
        yield* later(bound);
        expect(yield* stateOf(home.handle)).toBe("Attached 0 c1 c3");
        const gone = yield* Effect.flip(two.attachment.delivered);
        expect(gone._tag).toBe("ClientGone");
        yield* home.handle.end("explicit_close");
        yield* settle;
        expect(short(one.told)).toEqual(short(three.told));
        expect(short(one.told).at(-1)).toBe("ended explicit_close");
        yield* two.leave;
      }),
  );

  it.scoped("was the last and could not be told leaves the writer to its grace", () =>
    Effect.gen(function* () {
      const home = yield* attachHome();
      const client = { id: "c", deliver: () => Effect.fail("no") };
      yield* come(home.handle, client, { output: false });
      yield* settle;
      yield* pass(home.one.sessions.addTerminal({ session: "a", command: ["reader"] }));
      expect(yield* stateOf(home.handle)).toBe("Gone orphan_reap");
    }),
  );

  it.scoped("is attached twice is told once, and to the end by whichever stays", () =>
    Effect.gen(function* () {
      const home = yield* attachHome();
      const client = listener("c");
      const first = yield* come(home.handle, client, { output: false });
      yield* come(home.handle, client, { output: false });
      yield* settle;
      yield* first.leave;
      yield* home.handle.end("explicit_close");
      yield* settle;
      expect(short(client.told)).toEqual(["ended explicit_close"]);
    }),
  );

  it.scoped("left is told nothing any more, and waits for nobody", () =>
    Effect.gen(function* () {
      const home = yield* attachHome();
      const begun = yield* Deferred.make<void>();
      const told: Array<AttachElement> = [];
      const deliver = (element: AttachElement) =>
        Effect.zipRight(
          Deferred.succeed(begun, undefined),
          Effect.zipRight(
            Effect.sleep("1 second"),
            Effect.sync(() => void told.push(element)),
          ),
        );
      const client = yield* come(home.handle, { id: "c", deliver }, { output: false, since: 0 });
      yield* Deferred.await(begun);
      yield* client.leave;
      yield* later(10);
      expect(told).toEqual([]);
    }),
  );

  it.scoped("cannot be told because the log cannot be read stays, and that is said", () =>
    Effect.gen(function* () {
      const lines: Array<string> = [];
      const home = yield* attachHome();
      const client = listener("c");
      yield* logInto(
        lines,
        Effect.gen(function* () {
          const { attachment } = yield* come(home.handle, client, { terminal: "nowhere" });
          expect((yield* Effect.flip(attachment.delivered))._tag).toBe("NotFound");
        }),
      );
      expect(yield* stateOf(home.handle)).toBe("Attached 0 c");
      expect(lines).toEqual([expect.stringContaining("told nothing any more")]);
    }),
  );
});

describe("who comes back with its id", () => {
  it.scoped("before its old peer is known to be dead is told, and stays without that", () =>
    Effect.gen(function* () {
      const home = yield* attachHome();
      const dead = { id: "me", deliver: () => Effect.never };
      const old = yield* come(home.handle, dead, { since: 0, output: false });
      yield* later(1);
      const fresh = listener("me");
      yield* come(home.handle, fresh, { since: 0, output: false });
      yield* later(60);
      expect((yield* Effect.flip(old.attachment.delivered))._tag).toBe("ClientGone");
      yield* old.leave;
      expect(fresh.told.length).toBeGreaterThan(0);
      expect(yield* stateOf(home.handle)).toBe("Attached 0 me");
    }),
  );

  it.scoped("beside a stream of its own is told, and behind its leaving it is not", () =>
    Effect.gen(function* () {
      const home = yield* attachHome();
      yield* Effect.forkScoped(Stream.runDrain(home.one.handles.attach("a", { client: "me" })));
      yield* settle;
      const client = listener("me");
      const { leave } = yield* come(home.handle, client, { since: 0, output: false });
      yield* later(1);
      const before = client.told.length;
      expect(before).toBeGreaterThan(0);
      yield* leave;
      yield* pass(home.one.sessions.addTerminal({ session: "a", command: ["reader"] }));
      yield* later(1);
      expect(client.told.length).toBe(before);
      expect(yield* stateOf(home.handle)).toBe("Attached 0 me");
    }),
  );

  it.scoped("because the registry failed for a moment is told anew", () =>
    Effect.gen(function* () {
      let fails = false;
      const failure = new RegistryUnavailable({ session: "a", attempted: "x", detail: "busy" });
      const home = yield* attachHome({
        registry: (registry) => ({
          ...registry,
          events: (...asked) => (fails ? failure : registry.events(...asked)),
        }),
      });
      const client = listener("c");
      const { attachment } = yield* come(home.handle, client, { output: false });
      yield* settle;
      fails = true;
      yield* pass(home.sessions.addTerminal({ session: "a", command: ["reader"] }));
      yield* later(30);
      expect((yield* Effect.flip(attachment.delivered))._tag).toBe("RegistryUnavailable");
      fails = false;
      yield* come(home.handle, client, { since: 0, output: false });
      yield* later(1);
      expect(client.told.length).toBeGreaterThan(0);
    }),
  );
});

describe("the end of a telling", () => {
  it.scoped("of a client that takes nothing is the writer's", () =>
    Effect.gen(function* () {
      const home = yield* attachHome();
      const [one, two] = [yield* come(home.handle, "c"), yield* come(home.handle, "d")];
      yield* two.leave;
      yield* home.handle.end("explicit_close");
      yield* settle;
      expect(yield* Effect.exit(one.attachment.delivered)).toEqual(Exit.void);
      expect((yield* Effect.flip(two.attachment.delivered))._tag).toBe("ClientGone");
    }),
  );

  it.scoped("is its leaving, also while the writer ends", () =>
    Effect.gen(function* () {
      const home = yield* attachHome();
      const turn = yield* heldTurn(home.handle, { stubborn: true });
      const client = listener("c");
      const { leave } = yield* come(home.handle, client, { output: false });
      const ending = yield* Effect.fork(home.handle.end("explicit_close"));
      yield* settle;
      yield* leave;
      yield* turn.open;
      yield* later(10);
      yield* Fiber.join(ending);
      expect(client.told).toEqual([]);
    }),
  );
});

describe("the bound of an element", () => {
  it.scoped("is time awake: a sleep of ten minutes takes nobody's", () =>
    Effect.gen(function* () {
      const home = yield* attachHome();
      const taken = yield* Deferred.make<void>();
      const client = { id: "c", deliver: () => Deferred.await(taken) };
      yield* come(home.handle, client, { since: 0, output: false });
      yield* later(1);
      yield* home.suspend("10 minutes");
      yield* Deferred.succeed(taken, undefined);
      yield* settle;
      expect(yield* stateOf(home.handle)).toBe("Attached 0 c");
    }),
  );
});
