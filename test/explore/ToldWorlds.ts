/**
 * ToldWorlds: a client that is attached to the log and the output of a session, while things
 * happen, things are printed, and its writer ends, in every order.
 *
 * What it is told is what the log and the recording have, in order and once, up to its end at
 * least as far as both had come while its writer was not over, or a gap is told; `ended` is last.
 */
import type { AttachElement } from "@troupe/core";
import { Explore, exploredRegistry, FakeMachine, type World } from "@troupe/testing";
import { Effect, Exit, Scope } from "effect";
import type { NamedWorld } from "./NamedWorld.js";
import { type PlayedProgram, programOn } from "./PlayWorld.js";
import { type Far, judged } from "./ToldElements.js";

const spec = { session: "a", command: ["sleep", "100000"], cwd: "/" };

/** What ends the writer, or is followed by its end. */
interface End {
  readonly what: string;
  readonly run: (programs: Programs) => Effect.Effect<unknown, unknown>;
  readonly cost?: number;
}

interface Programs {
  readonly own: PlayedProgram;
  readonly other: PlayedProgram;
  readonly end: Effect.Effect.Success<ReturnType<PlayedProgram["handles"]["get"]>>["end"];
  readonly shutDown: Effect.Effect<void>;
}

const ends: ReadonlyArray<End> = [
  { what: "is closed", run: ({ end }) => end("explicit_close") },
  { what: "deletes its session", run: ({ end }) => end("explicit_delete") },
  {
    what: "ends behind a delete by another",
    cost: 0,
    run: ({ end, other }) =>
      Effect.zipRight(Effect.exit(other.sessions.delete("a", { graceMs: 0 })), end("lease_lost")),
  },
  {
    what: "ends behind a takeover",
    cost: 0,
    run: ({ end, other }) =>
      Effect.zipRight(Effect.exit(other.handles.takeOver("a", { force: true })), end("lease_lost")),
  },
  { what: "ends with its program", run: ({ shutDown }) => shutDown },
];

/** Its program prints, if it still runs. */
const prints = ({ tmux }: FakeMachine, text: string) =>
  Effect.flatMap(tmux.pipes, (pipes) =>
    Effect.when(tmux.type("a", text), () => pipes.some(({ open, reads }) => open && reads)),
  );

/** What happens meanwhile, each thing at once. */
const happenings = (
  machine: FakeMachine,
  { sessions }: PlayedProgram,
): ReadonlyArray<Effect.Effect<unknown, unknown>> => [
  sessions.addTerminal(spec),
  prints(machine, "one"),
  sessions.deleteTerminal("a", "t2", { graceMs: 0 }),
  prints(machine, "two"),
];

/** Everything of a machine, with what is done to it. */
const stageOf = (scope: Scope.CloseableScope, heard: Array<AttachElement>) =>
  Effect.gen(function* () {
    const machine = yield* FakeMachine.make({
      registry: exploredRegistry,
      output: (files) => ({
        ...files,
        read: (...asked) => Effect.zipRight(Explore.point("read"), files.read(...asked)),
      }),
    });
    const own = yield* Scope.extend(programOn(machine, "own"), scope);
    const other = yield* programOn(machine, "other");
    yield* own.sessions.create(spec);
    const handle = yield* own.handles.get("a");
    yield* handle.runTurn(() => Effect.void);
    const deliver = (element: AttachElement) => Effect.sync(() => void heard.push(element));
    const clients = yield* Scope.make();
    const attached = handle.attach({ id: "client", deliver }, { since: 0 });
    const { delivered } = yield* Scope.extend(attached, clients);
    const shutDown = Scope.close(scope, Exit.void);
    return { machine, handle, delivered, programs: { own, other, end: handle.end, shutDown } };
  });

const worldOf = ({ run, what }: End): World<string | null> => ({
  name: `a client is told everything of a writer that ${what}`,
  start: () => {
    const program = Effect.gen(function* () {
      const heard: Array<AttachElement> = [];
      const far: Far = { log: 0, output: 0 };
      const scope = yield* Scope.make();
      const stage = yield* Explore.quietly(stageOf(scope, heard));
      const { delivered, handle, machine, programs } = stage;
      const printed = Effect.map(
        machine.tmux.pipes,
        (pipes) => pipes.find(({ reads }) => reads)?.output ?? "",
      );
      // What there is in a step in which the writer is not over has to be told.
      const seen = Effect.gen(function* () {
        const output = (yield* printed).length;
        const log = machine.store.events.at(-1)?.sequence ?? 0;
        if ((yield* handle.attachment)._tag !== "Gone") Object.assign(far, { log, output });
      });
      const happens = Effect.forEach(happenings(machine, programs.other), (happening) =>
        Effect.zipRight(
          Explore.point("it happens"),
          Explore.quietly(Effect.ensuring(Effect.exit(happening), seen)),
        ),
      );
      const ender = Effect.zipRight(Explore.point("it ends"), Effect.exit(run(programs)));
      const both = [Explore.named("happens")(happens), Explore.named("ends")(ender)];
      yield* Effect.all(both, { concurrency: "unbounded" });
      const told = yield* Effect.exit(delivered);
      yield* Explore.quietly(Scope.close(scope, Exit.void));
      if (!Exit.isSuccess(told)) return `it is told no more: ${told.cause}`;
      const log = machine.store.events.map(({ sequence }) => sequence);
      return judged(heard, log, yield* printed, far);
    }).pipe(Explore.scoped, Effect.withTracerEnabled(false));
    return { program, check: (wrong) => wrong };
  },
});

/** The worlds. */
export const toldWorlds: ReadonlyArray<NamedWorld> = ends.map((end) => ({
  world: worldOf(end),
  cost: end.cost ?? 1,
}));
