/**
 * ObservedSessions: the service with a span, a count and annotated logs around each operation.
 *
 * A span is of an operation and not of its steps. It adds nothing to what a method does and fails
 * with, and takes nothing of its arguments but the session's name. A stream is one operation, which
 * ends when it does or its reader leaves.
 */
import { Effect, type Stream } from "effect";
import type { Sessions } from "./Sessions.js";
import { observed, observedStream } from "./Telemetry.js";

const spanOf = (method: string): string => `Sessions.${method}`;

/** Around a method whose session `sessionOf` finds among its arguments. */
const around = <Args extends ReadonlyArray<unknown>, A, E>(
  method: string,
  call: (...args: Args) => Effect.Effect<A, E>,
  sessionOf: (args: Args) => unknown,
): ((...args: Args) => Effect.Effect<A, E>) => {
  // Not Effect.fn, which takes a trace of each method when a service is made.
  const span = spanOf(method);
  return (...args) => Effect.withSpan(observed(span, sessionOf(args), call(...args)), span);
};

/** Around a method whose first argument is the session's name. */
const named = <Rest extends ReadonlyArray<unknown>, A, E>(
  method: string,
  call: (session: string, ...rest: Rest) => Effect.Effect<A, E>,
) => around(method, call, ([session]) => session);

/** Around a method that is told of the session in its options. */
const optioned = <O extends { readonly session: string }, A, E>(
  method: string,
  call: (options: O) => Effect.Effect<A, E>,
) => around(method, call, ([{ session }]) => session);

/** Around a method that is about no single session. */
const about = <Args extends ReadonlyArray<unknown>, A, E>(
  method: string,
  call: (...args: Args) => Effect.Effect<A, E>,
) => around(method, call, () => null);

/** Around an operation that takes nothing. */
const whole = <A, E>(method: string, effect: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.withSpan(observed(spanOf(method), null, effect), spanOf(method));

/** Around a stream; `session` is none where it is about every one. */
const streamed = <A, E>(method: string, session: unknown, stream: Stream.Stream<A, E>) =>
  observedStream(spanOf(method), session)(stream);

/** The same service, observed. */
export const observedSessions = (sessions: Sessions["Type"]): Sessions["Type"] => ({
  create: optioned("create", sessions.create),
  delete: named("delete", sessions.delete),
  addTerminal: optioned("addTerminal", sessions.addTerminal),
  deleteTerminal: named("deleteTerminal", sessions.deleteTerminal),
  setEnv: named("setEnv", sessions.setEnv),
  send: named("send", sessions.send),
  under: (lease) => {
    const under = sessions.under(lease);
    return {
      send: around("under.send", under.send, () => lease.session),
      delete: around("under.delete", under.delete, () => lease.session),
    };
  },
  claimLease: optioned("claimLease", sessions.claimLease),
  reconcile: named("reconcile", sessions.reconcile),
  reconcileAll: whole("reconcileAll", sessions.reconcileAll),
  reconcilePlan: whole("reconcilePlan", sessions.reconcilePlan),
  rebuild: whole("rebuild", sessions.rebuild),
  restore: named("restore", sessions.restore),
  adopt: named("adopt", sessions.adopt),
  stopServer: whole("stopServer", sessions.stopServer),
  gc: about("gc", sessions.gc),
  serverStatus: whole("serverStatus", sessions.serverStatus),
  get: named("get", sessions.get),
  list: about("list", sessions.list),
  snapshots: named("snapshots", sessions.snapshots),
  events: (options) => streamed("events", options?.session, sessions.events(options)),
  attachCommand: named("attachCommand", sessions.attachCommand),
  clients: named("clients", sessions.clients),
  capture: named("capture", sessions.capture),
  wait: named("wait", sessions.wait),
  output: (name, options) => streamed("output", name, sessions.output(name, options)),
});
