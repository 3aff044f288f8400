/**
 * Input that is sent while others act on the session: it arrives whole and once where that was
 * said, not at all where it failed, and never twice. In one program and in two, with answers that
 * are lost and lists that are done late. To a cost of 2 or 1; the twins have a guard removed.
 */
import { FakeTmux } from "@troupe/testing";
import type { TmuxRequest, TmuxTransport } from "@troupe/tmux";
import { describe, it } from "vitest";
import type { Ending } from "./Agreement.js";
import {
  anyFault,
  fails,
  holds,
  reconcile,
  remove,
  withoutClaims,
  withoutFences,
} from "./SessionCalls.js";
import type { Call, SessionWorldOptions } from "./SessionWorld.js";

const words = ["one", "two"] as const;

/** What the programs of each pane read in this run. */
const read = new Map<string, string>();

const reader = FakeTmux.program((run) => {
  run.raw();
  run.onInput((text) => read.set(run.pane, (read.get(run.pane) ?? "") + text));
});

const [sendOne, sendTwo] = words.map(
  (text): Call => ({
    name: `send ${text}`,
    run: (sessions) => sessions.send("a", { text, enter: true }),
  }),
) as [Call, Call];

/** The same by keys alone: nothing is loaded that could be missing. */
const pressOne: Call = {
  name: "send one",
  run: (sessions) => sessions.send("a", { keys: [..."one"], enter: true }),
};

const spec = { session: "a", command: ["reader"], cwd: "/" };
const create: Call = { name: "create", run: (s) => s.create(spec) };
const recreate: Call = {
  name: "create, replacing",
  run: (s) => s.create({ ...spec, replace: true }),
};

const times = (text: string, part: string): number => text.split(part).length - 1;

/** What a sender was told and is not so. */
const wrong = ({ told }: Ending): string | null => {
  const text = [...read].map(([pane, got]) => `${pane} ${JSON.stringify(got)}`).join(", ");
  const got = [...read.values()].join("|");
  for (const word of words) {
    const line = told.find((each) => each.startsWith(`send ${word}: `));
    const [whole, any] = [times(got, `${word}\r`), times(got, word)];
    const delivered = line?.includes('"status":"delivered"') === true;
    if (any > 1) return `${word} was sent twice: ${text}`;
    if (delivered && whole !== 1) return `${word} was delivered, and is not whole: ${text}`;
    if (line?.includes(": failed") && any > 0) return `${word} failed, and arrived: ${text}`;
  }
  return null;
};

const world = (
  name: string,
  programs: SessionWorldOptions["programs"],
  more: Partial<SessionWorldOptions> = {},
): SessionWorldOptions => ({
  name,
  before: [create],
  programs,
  machine: { programs: { reader } },
  onStart: () => read.clear(),
  also: wrong,
  ...more,
});

const pairs: ReadonlyArray<readonly [string, Call, Call]> = [
  ["send ∥ send", sendOne, sendTwo],
  ["send ∥ delete", sendOne, remove],
  ["send ∥ recreate", sendOne, recreate],
];

describe("in one program", () => {
  for (const [name, a, b] of pairs) {
    it(name, () => holds(world(name, [[a, b]]), 2), 100_000);
  }
});

describe("in two programs", () => {
  for (const [name, a, b] of pairs) {
    it(name, () => holds(world(name, [[a], [b]], { time: true }), 1), 100_000);
  }

  it("send ∥ send does not hold without claims and fences", () => {
    const without = { registry: withoutClaims, transport: withoutFences };
    fails(world("without claims and fences", [[sendOne], [sendTwo]], without), 2);
  }, 100_000);
});

describe("input whose answer is lost, or that is never done,", () => {
  const sends = ({ attempted }: TmuxRequest) => attempted === "send";
  const faults = { ...anyFault, at: sends };

  it("is not sent twice, and what failed never arrived", () => {
    holds(world("send, with faults", [[sendOne]], { faults }), 2);
    holds(world("send ∥ reconcile, with faults", [[sendOne], [reconcile]], { faults }), 1);
  }, 100_000);

  it("may be of a program that crashes then", () => {
    holds(world("send ∥ send, one crashes", [[sendOne], [sendTwo]], { crash: true }), 1);
  }, 100_000);
});

/** What a list would be that addresses by name and checks nothing. */
const byName = (transport: TmuxTransport["Type"]): TmuxTransport["Type"] => ({
  ...transport,
  run: (request) => {
    const { stdin } = request;
    if (typeof stdin !== "string" || !stdin.includes("@troupe-sent")) return transport.run(request);
    const bare = stdin.replace(/if-shell -F -t \S+ "[^"]*"/g, 'if-shell -F "1"');
    return transport.run({ ...request, stdin: bare.replace(/-t %[0-9]+/g, "-t =a:") });
  },
});

describe("a list that is done late, when nobody waits for it any more,", () => {
  const late = (name: string, more: Partial<SessionWorldOptions> = {}) =>
    world(name, [[pressOne]], { lateEffects: true, ...more });
  const successor = (name: string, more: Partial<SessionWorldOptions> = {}) =>
    world(name, [[pressOne], [recreate]], { lateEffects: true, ...more });

  it("writes nothing", () => {
    holds(late("late keys"), 2);
    holds(world("late send", [[sendOne]], { lateEffects: true }), 2);
  }, 100_000);

  it("writes where tmux has no fences", () => {
    fails(late("late send, twin", { transport: withoutFences }), 2);
  }, 100_000);

  it("writes nothing to a session that was made anew", () => {
    holds(successor("recreate ∥ late send"), 1);
  }, 100_000);

  it("writes there when it is addressed by name", () => {
    fails(successor("recreate ∥ late send, twin", { transport: byName }), 2);
  }, 100_000);
});
