/**
 * IdlerWorlds: a program that lives on and idles behind a call of its that failed or not, and
 * another that wants the name then: nobody holds it any more, whatever the first heard.
 *
 * While the first calls, anything of the registry may fail but what takes the claim, renews it and
 * gives it back: where those fail, a living program holds the name until its next message. Or tmux
 * does what a list asks for, and is heard of no more until the call has ended.
 */
import { LookupFailed, type Registry, RegistryUnavailable } from "@troupe/core";
import { Explore } from "@troupe/testing";
import type { TmuxTransport } from "@troupe/tmux";
import { Deferred, Effect, FiberId } from "effect";
import type { Ending } from "./Agreement.js";
import { failingPort } from "./FailingPort.js";
import { agreement, createOther, gc } from "./GcWorlds.js";
import type { ListedWorld } from "./NamedWorld.js";
import { before, send, take } from "./Operations.js";
import {
  add,
  adopt,
  create,
  reconcile,
  remove,
  removeTerminal,
  replacing,
  restore,
} from "./SessionCalls.js";
import type { Call } from "./SessionWorld.js";

/** Each opens when the call of its number has ended. */
let gates: ReadonlyArray<Deferred.Deferred<void>> = [];

/** Whether the first still calls, and tmux is out of its reach. */
let [isCalling, isGone] = [true, false];

/** What takes the claim of a name, keeps it and gives it back. */
const spared = ["claim", "renew", "release", "seeClaim"];

const opened = (at: number): Effect.Effect<void> =>
  Effect.suspend(() => {
    const gate = gates[at];
    return gate === undefined ? Effect.void : Effect.asVoid(Deferred.succeed(gate, undefined));
  });

const behind = (at: number): Effect.Effect<void> =>
  Effect.suspend(() => gates[at]?.pipe(Deferred.await) ?? Effect.void);

/** What asks for the name, whoever may have had it. */
const wanted: ReadonlyArray<Call> = [
  { ...reconcile, name: "reconcile behind it" },
  { ...remove, name: "delete behind it" },
  { ...create, name: "create behind it" },
];

const LAST = wanted.length;

/** The first, and the program idles behind it until all others have ended. */
const idles = (call: Call): ReadonlyArray<Call> => [
  {
    ...call,
    run: (sessions, tmux) => {
      const ended = Effect.sync(() => {
        isCalling = false;
      });
      return Effect.ensuring(call.run(sessions, tmux), Effect.zipRight(ended, opened(0)));
    },
  },
  { name: "lives on", run: () => behind(LAST) },
];

const comers = wanted.map(
  (call, at): Call => ({
    ...call,
    run: (sessions, tmux) =>
      Effect.ensuring(Effect.zipRight(behind(at), call.run(sessions, tmux)), opened(at + 1)),
  }),
);

/** A registry that fails the first while it calls; the others it answers. */
const failing = (registry: Registry["Type"]): Registry["Type"] =>
  failingPort(registry, {
    name: "registry",
    failure: (method) =>
      new RegistryUnavailable({ session: null, attempted: method, detail: "explored" }),
    which: Object.keys(registry).filter((method) => !spared.includes(method)),
    mayFail: () => isCalling,
  });

/** tmux, which does what one list asks for and answers the first no more. */
const outOfReach = (transport: TmuxTransport["Type"]): TmuxTransport["Type"] => ({
  ...transport,
  run: (request) => {
    const unheard = new LookupFailed({
      ...{ session: request.session, attempted: request.attempted, source: "tmux" },
      ...{ reason: "timeout", detail: "explored" },
    });
    return Effect.suspend(() => {
      if (!isCalling) return transport.run(request);
      if (isGone) return unheard;
      return Effect.flatMap(Explore.choose("tmux", ["answers", "is heard of no more"]), (how) => {
        if (how === "answers") return transport.run(request);
        isGone = true;
        return Effect.zipRight(transport.run(request), unheard);
      });
    });
  },
});

/** Nobody who comes behind it finds the name taken. */
const isFree = ({ told }: Ending): string | null =>
  told.find((line) => / behind it: failed (Busy|Registry)|"held by/.test(line)) ?? null;

const world = (
  call: Call,
  first = before([call]),
  different: Partial<ListedWorld> = {},
): ListedWorld => ({
  name: `${call.name} of a program that lives on, and who comes behind it`,
  cost: 1,
  before: first,
  programs: [idles(call), comers],
  registry: failing,
  also: isFree,
  transport: outOfReach,
  onStart: () => {
    [isCalling, isGone] = [true, false];
    gates = Array.from({ length: LAST + 1 }, () => Deferred.unsafeMake<void>(FiberId.none));
  },
  ...different,
});

const firsts = [
  create,
  replacing,
  add,
  removeTerminal,
  remove,
  reconcile,
  restore,
  adopt,
  send,
  take,
];

/** The worlds. */
export const idlerWorlds: ReadonlyArray<ListedWorld> = [
  ...firsts.map((call) => world(call)),
  world(gc, [create, createOther, remove], { instead: agreement }),
];
