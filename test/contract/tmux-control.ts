/**
 * A control transport for a contract.
 *
 * Once a server was booted it is asked only when the connection stands, and what went over
 * processes all the same is counted.
 */
import {
  ControlTransport,
  type ControlTransportOptions,
  type TmuxRequest,
  TmuxTransport,
} from "@troupe/tmux";
import { Effect, Layer } from "effect";

/** How many calls that a connection can carry went over processes. Mutable. */
export interface Carried {
  processes: number;
}

const LOOK: TmuxRequest = {
  argv: ["display-message", "-p", "x"],
  stdin: null,
  framed: true,
  startsServer: false,
  path: null,
  deadlineMs: 10_000,
  session: null,
  attempted: "contract",
};

/** The transport, with the count of what it did not carry since its connection stands. */
export const connected = (options: ControlTransportOptions, carried: Carried) =>
  Effect.gen(function* () {
    const { processes } = options;
    const control = yield* ControlTransport.make({
      ...options,
      processes: {
        ...processes,
        run: (request) => {
          if (request.framed === true) carried.processes++;
          return processes.run(request);
        },
      },
    });
    const isCarried = Effect.gen(function* () {
      carried.processes = 0;
      yield* control.run(LOOK);
      return carried.processes === 0;
    });
    const stands = Effect.repeat(isCarried, { until: (is) => is, times: 250 });
    return {
      ...control,
      run: (request: TmuxRequest) =>
        request.startsServer ? Effect.zipLeft(control.run(request), stands) : control.run(request),
    };
  });

/** The same as a layer. */
export const connectedLayer = <E, R>(
  options: Effect.Effect<ControlTransportOptions, E, R>,
  carried: Carried,
) =>
  Layer.scoped(
    TmuxTransport,
    Effect.flatMap(options, (it) => connected(it, carried)),
  );
