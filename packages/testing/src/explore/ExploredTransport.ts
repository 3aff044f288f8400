/**
 * ExploredTransport: a tmux transport with a scheduling point before every run of a client, and
 * with failures as choices where they are asked for.
 *
 * A failure is always `LookupFailed`, as the port promises: what differs is whether tmux did what
 * it was asked. `hung` takes virtual time up to the deadline of the request; the others none.
 * What the transport forks belongs to the world: tmux goes on when a client's program crashes.
 */
import { LookupFailed } from "@troupe/core";
import type { TmuxReply, TmuxRequest, TmuxTransport } from "@troupe/tmux";
import { Effect } from "effect";
import { choose, outside, point } from "./Points.js";

/** `failed`: nothing was done. `lost`: done, but not heard of. `hung`: nothing, at the deadline. */
export type TransportFault = "failed" | "lost" | "hung";

/** What may go wrong, and at which requests; at all of them when `at` is left out. */
export interface TransportFaults {
  readonly faults: ReadonlyArray<TransportFault>;
  /** Whether this request may meet one. */
  readonly at?: (request: TmuxRequest) => boolean;
}

type Run = Effect.Effect<TmuxReply, LookupFailed>;

const failed = ({ attempted, session }: TmuxRequest, reason: LookupFailed["reason"]) =>
  new LookupFailed({ session, attempted, source: "tmux", reason, detail: "explored" });

const outcomeOf = (outcome: "answers" | TransportFault, request: TmuxRequest, run: Run): Run => {
  switch (outcome) {
    case "answers":
      return run;
    case "failed":
      return Effect.fail(failed(request, "unclear"));
    case "lost":
      return Effect.zipRight(run, Effect.fail(failed(request, "server-exited")));
    case "hung":
      return Effect.zipRight(
        Effect.sleep(request.deadlineMs),
        Effect.fail(failed(request, "timeout")),
      );
  }
};

/** The same transport, with points and the faults that were asked for. */
export const exploredTransport = (
  transport: TmuxTransport["Type"],
  { at = () => true, faults }: TransportFaults = { faults: [] },
): TmuxTransport["Type"] => ({
  socket: transport.socket,
  program: transport.program,
  run: (request) => {
    const label = `tmux: ${request.attempted}${request.session === null ? "" : ` ${request.session}`}`;
    const outcome =
      faults.length > 0 && at(request)
        ? choose(label, ["answers" as const, ...faults])
        : Effect.succeed("answers" as const);
    return Effect.zipRight(
      point(label),
      Effect.flatMap(outcome, (chosen) =>
        outcomeOf(chosen, request, outside(transport.run(request))),
      ),
    );
  },
});
