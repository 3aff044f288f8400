/**
 * sessionsChild: a host program on the built packages that does with sessions what it is told.
 *
 * Words: the home, the socket, settings as JSON. It reads one call a line from standard input and
 * answers each with a line: its value, its error, or a defect. It ends with its standard input.
 */
import { createInterface } from "node:readline";
import { Sessions } from "@troupe/core";
import { Troupe } from "@troupe/node";
import {
  Cause,
  Context,
  Effect,
  Exit,
  Layer,
  Logger,
  LogLevel,
  Option,
  Runtime,
  Scope,
} from "effect";

const [home, socket, settings = "{}"] = process.argv.slice(2);

const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);

const told = (exit) => {
  if (Exit.isSuccess(exit)) return { value: exit.value ?? null };
  return Option.match(Cause.failureOption(exit.cause), {
    onNone: () => ({ defect: Cause.pretty(exit.cause) }),
    onSome: (error) => ({ error: { ...error, message: error.message } }),
  });
};

const quiet = Logger.minimumLogLevel(LogLevel.None);
const scope = Effect.runSync(Scope.make());
const layer = Troupe.layer({ home, socket, settings: JSON.parse(settings) });
const built = Effect.provide(Layer.buildWithScope(layer, scope), quiet);
const sessions = Context.get(await Effect.runPromise(built), Sessions);
const fork = Runtime.runFork(await Effect.runPromise(Effect.provide(Effect.runtime(), quiet)));

createInterface({ input: process.stdin })
  .on("line", (line) => {
    const { id, name, words } = JSON.parse(line);
    const method = sessions[name];
    const call = Effect.isEffect(method) ? method : method(...words);
    fork(call).addObserver((exit) => say({ id, ...told(exit) }));
  })
  .on("close", () => Effect.runPromise(Scope.close(scope, Exit.void)));

say({ ready: true });
