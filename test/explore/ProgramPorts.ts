/**
 * ProgramPorts: the ports that a program of a world stands on, for calls that ask for more than its
 * sessions: what finishes what was left, and what ends sessions whose time is over.
 *
 * Found by the sessions of the program, which every call is given. They are explored as all that
 * the program asks; whoever only looks does that quietly.
 */
import {
  type OutputFiles,
  type ProcessTable,
  Registry,
  type ServerSocket,
  SessionName,
  type Sessions,
} from "@troupe/core";
import { Explore } from "@troupe/testing";
import type { TmuxTransport } from "@troupe/tmux";
import { Context, Effect, Option } from "effect";

/** What of the ports can be asked for. */
export type ProgramPort = Registry | OutputFiles | TmuxTransport | ProcessTable | ServerSocket;

/** The ports, and the settings of the program. */
export type ProgramPorts = Context.Context<ProgramPort>;

const ports = new WeakMap<Sessions["Type"], ProgramPorts>();

/** Notes on what the sessions stand. */
export const noteProgram = (sessions: Sessions["Type"], those: ProgramPorts): void => {
  ports.set(sessions, those);
};

const portsOf = (sessions: Sessions["Type"]): ProgramPorts => {
  const found = ports.get(sessions);
  if (found === undefined) throw new Error("these sessions are no program's");
  return found;
};

/** Does it as the program that has these sessions. */
export const inProgram = <A, E>(
  sessions: Sessions["Type"],
  effect: Effect.Effect<A, E, ProgramPort>,
): Effect.Effect<A, E> => Effect.provide(effect, portsOf(sessions));

/** The newest incarnation of the name by its row, which is no step of the program. */
export const newestIn = (
  sessions: Sessions["Type"],
  session: string,
): Effect.Effect<string | null> => {
  const registry = Context.get(portsOf(sessions), Registry);
  return Explore.quietly(
    Effect.map(Effect.orDie(registry.get(SessionName.make(session))), (known) =>
      Option.match(known, { onNone: () => null, onSome: ({ incarnation }) => incarnation }),
    ),
  );
};
