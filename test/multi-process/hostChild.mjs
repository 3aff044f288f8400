/**
 * hostChild: a host program on the built packages: it makes `Troupe.layer` on a home and says so.
 *
 * Words: the home, the socket. It says one line when the layer is made, and lives until its
 * standard input ends. Warnings go to standard error.
 */
import { Sessions } from "@troupe/core";
import { Troupe } from "@troupe/node";
import { Effect, Logger } from "effect";

const [home, socket] = process.argv.slice(2);

const ended = Effect.async((resume) => {
  process.stdin.on("end", () => resume(Effect.void)).resume();
});

const program = Effect.gen(function* () {
  const sessions = yield* Sessions;
  const { sessions: views } = yield* sessions.list({ all: true });
  process.stdout.write(
    `${JSON.stringify(views.map(({ session, state }) => `${session} ${state}`))}\n`,
  );
  yield* ended;
});

await Effect.runPromise(
  program.pipe(
    Effect.provide(Troupe.layer({ home, socket })),
    Effect.provide(
      Logger.replace(Logger.defaultLogger, Logger.withConsoleError(Logger.logfmtLogger)),
    ),
  ),
);
