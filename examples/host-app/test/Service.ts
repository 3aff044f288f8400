/**
 * Service: the application as its tests meet it: the same routes, on a machine that is only said to
 * be there.
 *
 * `onFakes` is the one line that is another than in `main`: `FakeTroupe.layer`, which is
 * `FakeTmux.layer` and `Registry.layerMemory` with fakes of the rest of a machine, in place of
 * `Troupe.layer`. Nothing takes real time: a reply is waited for while virtual time passes.
 */
import { setImmediate } from "node:timers/promises";
import { HttpServerRequest, type HttpServerResponse } from "@effect/platform";
import { type FakeMachineOptions, FakeTmux, FakeTroupe, VirtualClock } from "@troupe/testing";
import { Chunk, Effect, Fiber, Layer, Option, Stream } from "effect";
import { Jobs } from "../src/Jobs.js";
import { routes } from "../src/Routes.js";

/** Prints its first argument, works for a second, and ends with the code of the second one. */
const work = FakeTmux.program((run) => {
  const [, text = "", code = "0"] = run.argv;
  run.write(`${text}\n`);
  run.after(1_000, () => run.exit(Number(code)));
});

/** A program that leaks what it was given. */
const leak = FakeTmux.program((run) => run.write(`${run.env.get("TOKEN")}\n`));

/** The machine. */
export const machine: FakeMachineOptions = {
  tmux: { programs: { work, leak } },
  host: { missingPrograms: ["/bin/no"] },
};

/** `Jobs`, and the other side of the fake. */
export const onFakes = Jobs.layer.pipe(Layer.provideMerge(FakeTroupe.layer(machine)));

/** A reply, read to its end. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** What is asked. */
export interface Asked {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

const textOf = ({ body }: HttpServerResponse.HttpServerResponse): Effect.Effect<string> => {
  if (body._tag === "Uint8Array") return Effect.succeed(new TextDecoder().decode(body.body));
  if (body._tag !== "Stream") return Effect.dieMessage(`a body of ${body._tag}`);
  const text = Stream.runCollect(Stream.decodeText(Stream.orDie(body.stream)));
  return Effect.map(text, (parts) => Chunk.toReadonlyArray(parts).join(""));
};

/** Asks the application, as it stands, without a socket. */
export const ask = (
  method: string,
  path: string,
  { body, headers = {} }: Asked = {},
): Effect.Effect<Reply, never, Jobs> =>
  Effect.gen(function* () {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const init = { method, headers, ...(body === undefined ? {} : { body: text }) };
    const request = HttpServerRequest.fromWeb(new Request(`http://app${path}`, init));
    const response = yield* routes.pipe(
      Effect.provideService(HttpServerRequest.HttpServerRequest, request),
      Effect.scoped,
    );
    return { status: response.status, headers: response.headers, text: yield* textOf(response) };
  });

/** Runs it while virtual time passes, as far as it needs that. */
export const pass = <A, E, R>(call: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const clock = yield* VirtualClock;
    const fiber = yield* Effect.fork(call);
    for (let turns = 0; Option.isNone(yield* fiber.poll); turns++) {
      if (turns === 600) return yield* Effect.dieMessage("it did not end within a minute");
      // A body is read by the platform, in turns of the event loop.
      yield* Effect.promise(() => setImmediate());
      yield* clock.advance("100 millis");
    }
    return yield* Fiber.join(fiber);
  });
