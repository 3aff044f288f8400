/**
 * GcPlays: what a gc forgets is of the name that it is at, and is told where it was done alone.
 *
 * Of another name what is as young is kept, and a name that was used again since it was looked at.
 */
import { IncarnationId, SessionName, TerminalId } from "@troupe/core";
import { FakeSnapshots } from "@troupe/testing";
import { Effect } from "effect";
import type { NamedWorld } from "./NamedWorld.js";
import { play, type Stage } from "./PlayWorld.js";

const DAY = 86_400_000;

/** A snapshot that no row knows. */
const keep = ({ snapshots }: Stage, session: string, generation: number, at: number): void =>
  FakeSnapshots.keepIn(snapshots, {
    ...{ session: SessionName.make(session), generation, terminal: TerminalId.make("main") },
    ...{ incarnation: IncarnationId.make(`incarnation-${session}${generation}`), command: null },
    ...{ cwd: "/", exit: null, at, truncated: false, text: "" },
  });

const snapshots = play("a gc of snapshots of two names, which are old and young", (stage) =>
  Effect.gen(function* () {
    const { sessions } = yield* stage.program("one");
    yield* Effect.sleep(30 * DAY);
    for (const [session, old, young] of [
      ["a", 5, 4],
      ["b", 4, 5],
    ] as const) {
      keep(stage, session, old, 0);
      keep(stage, session, young, 29 * DAY);
    }
    yield* sessions.gc({ olderThanMs: 7 * DAY });
    stage.is("what is kept", [...stage.snapshots.kept.keys()], ["a/4-main", "b/5-main"]);
  }),
);

/** What happens behind the look at names alone, which comes behind that for servers in use. */
const behind: { looks: number; do: Effect.Effect<unknown, unknown> } = {
  looks: 2,
  do: Effect.void,
};

const spec = { session: "a", command: ["sleep", "100000"], cwd: "/" };

const used = play(
  "a gc of a name that is used and ended meanwhile",
  (stage) =>
    Effect.gen(function* () {
      const one = yield* stage.program("one");
      const two = yield* stage.program("two");
      yield* one.sessions.create(spec);
      yield* one.sessions.delete("a", { graceMs: 0 });
      behind.looks = 2;
      behind.do = Effect.gen(function* () {
        yield* two.sessions.create(spec);
        yield* two.sessions.delete("a", { graceMs: 0 });
        yield* stage.tmux.client(["kill-server"]);
      });
      const told = yield* one.sessions.gc({ olderThanMs: 0 });
      const of = (items: typeof told.kept) =>
        items.filter(({ generation, session }) => session === "a" && generation === null).length;
      stage.is("it is told of", [of(told.forgotten), of(told.kept)], [0, 1]);
      stage.is("its claim", stage.store.claims.size, 1);
    }),
  {
    registry: (registry) => ({
      ...registry,
      history: (session) =>
        Effect.tap(registry.history(session), ({ bare }) => {
          if (session !== null || bare.length === 0) return Effect.void;
          behind.looks -= 1;
          return behind.looks === 0 ? Effect.orDie(behind.do) : Effect.void;
        }),
    }),
  },
);

/** The worlds. */
export const gcPlays: ReadonlyArray<NamedWorld> = [snapshots, used];
