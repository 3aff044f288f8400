/**
 * SeatPlays: what a turn and its writer have of a lease that goes to another name in the middle of
 * the turn, one after the other.
 *
 * What the turn says is said where the lease is by then; the next turn is of the writer's own name,
 * which it claims anew, and the end of the writer gives back both.
 */
import { type Lease, SessionName, type TurnHandle } from "@troupe/core";
import { Effect } from "effect";
import type { NamedWorld } from "./NamedWorld.js";
import { type PlayedProgram, play, type Stage, tagOf } from "./PlayWorld.js";

const spec = (session: string) => ({ session, command: ["sleep", "100000"], cwd: "/" });

/** A process that is not there: a child that has ended by the time it is looked at. */
const gone = { pid: 99_999, startTime: 1, bootId: "boot" };

const rowsOf = ({ store }: Stage) =>
  [...store.leases.values()]
    .map(({ children, session, turn }) => [session, children.length, turn !== null] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1));

const goes =
  (stage: Stage, { leases }: PlayedProgram) =>
  (turn: TurnHandle, lease: Lease) =>
    Effect.gen(function* () {
      if (lease._tag === "Borrowed") return;
      yield* leases.reanchor(lease, SessionName.make("b"));
      stage.is("where it is", rowsOf(stage), [["b", 0, true]]);
      stage.is("a child that it names there", yield* tagOf(Effect.asVoid(turn.child(gone))), "ok");
      stage.is("and what is told of it", rowsOf(stage), [["b", 1, true]]);
      stage.is("none that is left", yield* tagOf(Effect.asVoid(turn.child(null))), "ok");
      stage.is("and what is told of that", rowsOf(stage), [["b", 0, true]]);
    });

const elsewhere = play("a turn whose lease goes elsewhere, and its writer's next one", (stage) =>
  Effect.gen(function* () {
    const one = yield* stage.program("one");
    yield* one.sessions.create(spec("a"));
    yield* one.sessions.create(spec("b"));
    const handle = yield* one.handles.get("a");
    stage.is("a turn that goes", yield* tagOf(handle.runTurn(goes(stage, one))), "ok");
    stage.is("behind it", rowsOf(stage), [["b", 0, false]]);
    const next = handle.runTurn((_, { session }) => Effect.succeed(session));
    stage.is("whose the next one is", yield* tagOf(next), 'ok "a"');
    const both = [
      ["a", 0, false],
      ["b", 0, false],
    ];
    stage.is("behind that", rowsOf(stage), both);
    stage.is("the writer", yield* handle.state, "open");
    stage.is("its end", yield* tagOf(handle.end("explicit_close")), "ok");
    stage.is("what is left", rowsOf(stage), []);
  }),
);

/** The worlds. */
export const seatPlays: ReadonlyArray<NamedWorld> = [elsewhere];
