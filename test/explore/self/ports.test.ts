/**
 * Goal: real ports become explorable by wrapping, without a change of what they answer.
 */
import {
  LookupFailed,
  MemoryStore,
  type ProcessTable,
  Registry,
  type SessionName,
} from "@troupe/core";
import {
  Explore,
  exploredProcessTable,
  exploredRegistry,
  exploredTransport,
  type World,
} from "@troupe/testing";
import type { TmuxReply, TmuxRequest } from "@troupe/tmux";
import { Effect, Fiber, Layer } from "effect";
import { describe, expect, it } from "vitest";

const web = "web" as SessionName;

const tableOf = (world: World<unknown>): string => Explore.replay(world, "~0").table;

describe("a registry", () => {
  /** Two programs on one store claim one name, each on the registry with points. */
  const claims = (crash: boolean): World<unknown> => ({
    name: "two claims of one name",
    crash,
    sometimes: crash ? ["taken over"] : ["busy"],
    start: () => {
      let holders = 0;
      let most = 0;
      const claim = (owner: string) =>
        Effect.gen(function* () {
          const registry = exploredRegistry(yield* Registry);
          const claimed = yield* Effect.either(
            registry.claim(web, { attempted: "test", force: false }),
          );
          if (claimed._tag === "Left") return yield* Explore.reached("busy");
          if (claimed.right.fenceDue) yield* Explore.reached("taken over");
          most = Math.max(most, ++holders);
          yield* registry.release(claimed.right, { fenceDue: false });
          holders--;
        }).pipe(Effect.provide(Layer.fresh(Registry.layerMemory(store, { owner }))));
      const store = Effect.runSync(MemoryStore.make);
      const start = (owner: string) => {
        const dead = Effect.sync(() => {
          holders = 0;
        });
        const onCrash = Effect.zipRight(store.declare(owner, "dead"), dead);
        return Explore.program(owner, claim(owner), { onCrash });
      };
      const program = Effect.gen(function* () {
        const both = [yield* start("one"), yield* start("two")];
        yield* Effect.forEach(both, ({ ending }) => ending);
      });
      return { program, check: () => (most <= 1 ? null : `${most} holders`) };
    },
  });

  it("is claimed by one program at a time, in every order", () => {
    const report = Explore.verify(claims(false), { cost: Number.POSITIVE_INFINITY });
    expect(report).toMatchObject({ complete: true, reached: ["busy"] });
  });

  it("gives the claim of a crashed program to the next, who is told to raise the fence", () => {
    const report = Explore.verify(claims(true), { cost: Number.POSITIVE_INFINITY });
    expect(report.complete).toBe(true);
  });

  it("is named by method and session in the steps", () => {
    expect(tableOf(claims(false))).toMatch(/one +one +registry\.claim web/);
    expect(tableOf(claims(false))).toMatch(/one +one +registry\.release web/);
  });
});

describe("a process table", () => {
  it("is named by method, pid and signal in the steps", () => {
    const id = { pid: 7, startTime: 1, bootId: "b" };
    const table: ProcessTable["Type"] = {
      bootId: Effect.succeed("b"),
      ownPid: 1,
      look: () => Effect.succeed(null),
      snapshot: Effect.succeed([]),
      marked: () => Effect.succeed([]),
      signal: () => Effect.void,
    };
    const explored = exploredProcessTable(table);
    const program = Effect.all([
      explored.bootId,
      explored.look(7),
      explored.snapshot,
      explored.signal(id, "KILL"),
    ]);
    const text = tableOf({ name: "processes", start: () => ({ program }) });
    for (const step of ["bootId", "look 7", "snapshot", "signal 7 KILL"]) {
      expect(text).toContain(`processes.${step}`);
    }
    expect(explored.ownPid).toBe(1);
  });
});

describe("a transport", () => {
  const request: TmuxRequest = {
    argv: ["kill-session"],
    stdin: null,
    startsServer: false,
    path: null,
    deadlineMs: 4_000,
    session: "web",
    attempted: "delete",
  };

  it("answers, or fails with and without effect, or hangs until its deadline", () => {
    const seen = new Set<string>();
    const world: World<unknown> = {
      name: "faults",
      start: () => {
        let effects = 0;
        const reply: TmuxReply = { exitCode: 0, stdout: "", stderr: "" };
        const run = () =>
          Effect.as(
            Effect.sync(() => effects++),
            reply,
          );
        const transport = exploredTransport(
          { socket: "none", program: "tmux", run },
          { faults: ["failed", "lost", "hung"] },
        );
        const program = Effect.gen(function* () {
          const answer = yield* Effect.either(transport.run(request));
          const clock = yield* Effect.clock;
          const told = answer._tag === "Right" ? "reply" : answer.left.reason;
          expect(answer._tag === "Right" || answer.left instanceof LookupFailed).toBe(true);
          seen.add(`${told}, ${effects} effects, ${yield* clock.currentTimeMillis} ms`);
        });
        return { program };
      },
    };
    Explore.verify(world, { cost: 1 });
    expect([...seen]).toEqual([
      "reply, 1 effects, 0 ms",
      "unclear, 0 effects, 0 ms",
      "server-exited, 1 effects, 0 ms",
      "timeout, 0 effects, 4000 ms",
    ]);
    expect(tableOf(world)).toContain("tmux: delete web");
  });

  it("takes its effect although the program of the client crashed as it waited", () => {
    const world: World<unknown> = {
      name: "a late effect",
      crash: true,
      sometimes: ["crashed as it waited"],
      start: () => {
        let [asked, effects] = [0, 0];
        const program = Effect.gen(function* () {
          const scope = yield* Effect.scope;
          const late = Effect.zipRight(
            Effect.sleep("1 second"),
            Effect.sync(() => effects++),
          );
          const run = () =>
            Effect.gen(function* () {
              asked++;
              yield* Fiber.await(yield* Effect.forkIn(late, scope));
              return { exitCode: 0, stdout: "", stderr: "" };
            });
          const transport = exploredTransport({ socket: "none", program: "tmux", run });
          const client = Effect.all([transport.run(request), Explore.point("meanwhile")], {
            concurrency: 2,
          });
          const { ending } = yield* Explore.program("client", client);
          if ((yield* ending)._tag === "Crashed" && asked === 1) {
            yield* Explore.reached("crashed as it waited");
          }
          yield* Effect.sleep("5 seconds");
        });
        return {
          program: Effect.scoped(program),
          check: () => (effects === asked ? null : `${effects} effects, ${asked} asked`),
        };
      },
    };
    expect(Explore.verify(world, { cost: Number.POSITIVE_INFINITY }).complete).toBe(true);
  });

  it("fails only at the requests that are asked for", () => {
    const run = () => Effect.succeed({ exitCode: 0, stdout: "", stderr: "" });
    const at = ({ attempted }: TmuxRequest) => attempted !== "delete";
    const transport = exploredTransport(
      { socket: "none", program: "tmux", run },
      { faults: ["failed"], at },
    );
    const program = transport.run(request);
    const report = Explore.verify({ name: "no faults", start: () => ({ program }) }, { cost: 9 });
    expect(report).toMatchObject({ schedules: 1, complete: true });
  });
});

describe("outside an exploration", () => {
  it("points do nothing, choices are their first option and names are not kept", () => {
    const program = Effect.gen(function* () {
      yield* Explore.point("nothing");
      yield* Explore.reached("nothing");
      return yield* Explore.named("nobody")(Explore.choose("which", ["first", "second"]));
    });
    expect(Effect.runSync(program)).toBe("first");
  });

  it("a program is refused", () => {
    const program = Explore.program("stray", Effect.void);
    expect(() => Effect.runSync(program)).toThrow("program stray is outside a world");
  });
});
