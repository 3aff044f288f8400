/**
 * LateTransport: a transport whose every list may be done late, as a choice of the explorer.
 *
 * The client hears nothing and is ended at its deadline; tmux does what it was asked when the test
 * lets go of what hangs. This is what a server does that was stopped while the client was killed.
 */
import { Explore, type FakeTmuxControl, Fault } from "@troupe/testing";
import type { TmuxTransport } from "@troupe/tmux";
import { Effect } from "effect";

/** The same transport, with late effects. */
export const lateTransport = (
  tmux: FakeTmuxControl,
  transport: TmuxTransport["Type"],
): TmuxTransport["Type"] => ({
  ...transport,
  run: (request) =>
    Effect.flatMap(Explore.choose(`tmux: ${request.attempted}`, ["at once", "late"]), (when) =>
      when === "at once"
        ? transport.run(request)
        : Effect.zipRight(
            tmux.inject({ fault: Fault.lateEffect, matches: (other) => other === request }),
            transport.run(request),
          ),
    ),
});
