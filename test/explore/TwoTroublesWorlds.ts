/**
 * TwoTroublesWorlds: one message that meets tmux in trouble twice: at any two of its lists, each in
 * any way: an answer of nothing, one that is lost, a list that is done late, one that is refused.
 *
 * Each verb of several changes, also where a fence is due, and where no server runs yet. What is
 * late is done when everything else is over, and behind what was told it does nothing.
 */
import { LookupFailed, Registry, SessionName } from "@troupe/core";
import { Explore, type FakeTmuxControl, Fault } from "@troupe/testing";
import type { TmuxRequest, TmuxTransport } from "@troupe/tmux";
import { Effect } from "effect";
import type { ListedWorld } from "./NamedWorld.js";
import { serverDies } from "./Operations.js";
import { inProgram } from "./ProgramPorts.js";
import { sendOne, sendWorld } from "./SendWorlds.js";
import {
  add,
  adopt,
  create,
  madeByUser,
  reconcile,
  remove,
  removeTerminal,
  replacing,
  restore,
} from "./SessionCalls.js";
import type { Call } from "./SessionWorld.js";

/** The tmux of the run that goes on. */
let machine: FakeTmuxControl | null = null;

export const learn: Call = {
  name: "learn",
  run: (_, tmux) =>
    Effect.sync(() => {
      machine = tmux;
    }),
};

const changing = /new-|kill-|set-|rename|load-buffer|paste-buffer|send-keys|pipe-pane/;

const changes = ({ argv, stdin }: TmuxRequest): boolean => changing.test(`${argv} ${stdin}`);

const nothing = { exitCode: 0, stdout: "", stderr: "" };
const refusal = { exitCode: 1, stdout: "", stderr: "explored\n" };

const lost = ({ attempted, session }: TmuxRequest) =>
  new LookupFailed({
    ...{ session, attempted, source: "tmux", reason: "server-exited" },
    detail: "explored",
  });

/** What may come of a list: of one that only reads it is the same for everybody. */
const outcomesOf = (request: TmuxRequest) =>
  changes(request)
    ? (["done", "answered by nothing", "lost", "late", "refused"] as const)
    : (["done", "answered by nothing"] as const);

export const troubled = (transport: TmuxTransport["Type"]): TmuxTransport["Type"] => ({
  ...transport,
  run: (request) =>
    Effect.flatMap(Explore.choose(request.attempted, outcomesOf(request)), (outcome) => {
      switch (outcome) {
        case "done":
          return transport.run(request);
        case "answered by nothing":
          return Effect.succeed(nothing);
        case "lost":
          return Effect.zipRight(transport.run(request), lost(request));
        case "refused":
          return Effect.succeed(refusal);
        case "late": {
          const rule = {
            fault: Fault.lateEffect,
            matches: (other: TmuxRequest) => other === request,
          };
          return Effect.zipRight(machine?.inject(rule) ?? Effect.void, transport.run(request));
        }
      }
    }),
});

/** A message of the name ended, and left it to the next one to raise the fence. */
const leavesDoubt: Call = {
  name: "a doubt is left",
  run: (sessions) =>
    inProgram(
      sessions,
      Effect.gen(function* () {
        const registry = yield* Registry;
        const how = { attempted: "explored", force: false };
        const claim = yield* registry.claim(SessionName.make("a"), how);
        yield* registry.release(claim, { fenceDue: true });
      }),
    ),
};

/** The call meets a tmux that does nothing of this, and gives up. */
const cutOff = (call: Call, what: RegExp): Call => ({
  name: `${call.name}, cut off`,
  run: (sessions, tmux) =>
    Effect.gen(function* () {
      const matches = ({ stdin }: TmuxRequest) => what.test(`${stdin}`);
      yield* tmux.inject({ fault: Fault.silent, matches, times: 10_000 });
      yield* Effect.exit(call.run(sessions, tmux));
      yield* tmux.clearFaults;
    }),
});

interface Troubled {
  readonly name: string;
  readonly before: ReadonlyArray<Call>;
  readonly call: Call;
  /** Whether something was left before: who does not come to it leaves it as it was. */
  readonly isLeft?: boolean;
  /** Whether a fence is due with that. */
  readonly isDue?: boolean;
}

const verbs: ReadonlyArray<Troubled> = [
  { name: "create", before: [], call: create },
  { name: "create, replacing", before: [create], call: replacing },
  { name: "restore of what is lost", before: [create, serverDies], call: restore, isLeft: true },
  { name: "add", before: [create], call: add },
  {
    name: "add behind a terminal that is cut off",
    before: [create, add, cutOff(removeTerminal, /kill-window/)],
    call: add,
    isLeft: true,
    isDue: true,
  },
  { name: "delete of two terminals", before: [create, add], call: remove },
  { name: "delete of a terminal", before: [create, add], call: removeTerminal },
  {
    name: "reconcile behind a delete that is cut off",
    before: [create, cutOff(remove, /kill-session/)],
    call: reconcile,
    isLeft: true,
    isDue: true,
  },
  { name: "adopt", before: [madeByUser], call: adopt },
];

const world = ({ before, call, isLeft = false, name }: Troubled): ListedWorld => ({
  name: `${name}, with two troubles`,
  cost: 2,
  before: [learn, ...before],
  programs: [[call]],
  transport: troubled,
  // A mark that is late is taken off by whoever comes behind it.
  ...(call === adopt ? { letGoFirst: true } : {}),
  ...(isLeft ? { excuses: /: failed LookupFailed$/ } : {}),
});

/** The same, behind a message of the name that left a doubt. */
const inDoubt = ({ before, name, ...verb }: Troubled): Troubled => ({
  ...verb,
  name: `${name}, where a fence is due`,
  before: [...before, leavesDoubt],
});

const sent = sendWorld("send one, with two troubles", [[sendOne]]);

/** The worlds. */
export const twoTroublesWorlds: ReadonlyArray<ListedWorld> = [
  ...verbs.map(world),
  ...verbs.filter(({ isDue }) => isDue !== true).map((verb) => world(inDoubt(verb))),
  { ...sent, cost: 2, before: [learn, ...(sent.before ?? [])], transport: troubled },
];
