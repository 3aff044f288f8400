/**
 * ask-tmux: tmux as a typed port, without sessions, registry or actors: it answers with what it
 * has, or says that it could not be asked. "Nobody is there" is neither.
 *
 * Run it with a directory that nobody else writes to: node examples/dist/ask-tmux.js DIRECTORY
 * A second word is another tmux: with /no/such/tmux it says why it could not find out.
 */
import { Tmux } from "@troupe/core";
import { findTmux, serverEnvironment, socketOf } from "@troupe/node";
import { ProcessTransport, TmuxClient } from "@troupe/tmux";
import { Effect, Layer } from "effect";

const [, , directory = ".", tmux] = process.argv;

/** Each command list is a client process of its own, which a deadline ends. */
const live = TmuxClient.layer({ deadlineMs: 3_000 }).pipe(
  Layer.provide(
    ProcessTransport.layer({
      program: findTmux(tmux),
      socket: socketOf(directory),
      environment: serverEnvironment(),
    }),
  ),
);

const look = Effect.gen(function* () {
  const tmux = yield* Tmux;
  const listing = yield* tmux.list("look");
  if (listing._tag === "NoServer") return "no server";
  return `a server with ${listing.sessions.length} sessions`;
});

const program = Effect.gen(function* () {
  const tmux = yield* Tmux;
  console.log(yield* look);
  const { server } = yield* tmux.boot("start it");
  console.log(yield* look);
  console.log(yield* tmux.stop(server));
}).pipe(
  Effect.catchTag("LookupFailed", ({ reason }) =>
    Effect.sync(() => console.log(`could not find out: ${reason}`)),
  ),
);

Effect.runPromise(Effect.provide(program, live));
