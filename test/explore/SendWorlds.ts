/**
 * SendWorlds: input that is sent while others act on the session: it arrives whole and once where
 * that was said, not at all where it failed, and never twice.
 *
 * The program of each pane reads what it gets; what the senders were told is held against that.
 */
import { FakeTmux } from "@troupe/testing";
import type { TmuxRequest } from "@troupe/tmux";
import type { Ending } from "./Agreement.js";
import type { ListedWorld } from "./NamedWorld.js";
import { anyFault, reconcile, remove } from "./SessionCalls.js";
import type { Call, SessionWorldOptions } from "./SessionWorld.js";

const words = ["one", "two"] as const;

/** What the programs of each pane read in this run. */
const read = new Map<string, string>();

/** Nothing was read yet. */
export const noneRead = (): void => read.clear();

/** How often programs have read this. */
export const timesRead = (text: string): number => times([...read.values()].join("|"), text);

const reader = FakeTmux.program((run) => {
  run.raw();
  run.onInput((text) => read.set(run.pane, (read.get(run.pane) ?? "") + text));
});

const sending = (text: string): Call => ({
  name: `send ${text}`,
  run: (sessions) => sessions.send("a", { text, enter: true }),
});

/** Text, and then a key. */
export const sendOne = sending("one");
export const sendTwo = sending("two");

/** The same by keys alone: nothing is loaded that could be missing. */
export const pressOne: Call = {
  name: "send one",
  run: (sessions) => sessions.send("a", { keys: [..."one"], enter: true }),
};

const spec = { session: "a", command: ["reader"], cwd: "/" };
const create: Call = { name: "create", run: (s) => s.create(spec) };

/** The session is made anew. */
export const recreate: Call = {
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

/** A world of senders, and of whoever acts beside them. */
export const sendWorld = (
  name: string,
  programs: SessionWorldOptions["programs"],
  more: Partial<SessionWorldOptions> = {},
): SessionWorldOptions => ({
  name,
  before: [create],
  programs,
  machine: { programs: { reader } },
  onStart: noneRead,
  also: wrong,
  ...more,
});

const pairs: ReadonlyArray<readonly [string, Call, Call]> = [
  ["send one ∥ send two", sendOne, sendTwo],
  ["send one ∥ delete", sendOne, remove],
  ["send one ∥ recreate", sendOne, recreate],
];

const faults = { ...anyFault, at: ({ attempted }: TmuxRequest) => attempted === "send" };
const late = { lateEffects: true };

/** Input beside everything else. */
export const sendWorlds: ReadonlyArray<ListedWorld> = [
  ...pairs.flatMap(([name, a, b]) => [
    { ...sendWorld(`${name}, in one program`, [[a, b]]), cost: 2 },
    { ...sendWorld(`${name}, in two programs`, [[a], [b]], { time: true }), cost: 1 },
  ]),
  { ...sendWorld("send one, with faults", [[sendOne]], { faults }), cost: 2 },
  {
    ...sendWorld("send one ∥ reconcile, with faults", [[sendOne], [reconcile]], { faults }),
    cost: 1,
  },
  {
    ...sendWorld("send one ∥ send two, with a crash", [[sendOne], [sendTwo]], { crash: true }),
    cost: 1,
  },
  { ...sendWorld("keys, with a late list", [[pressOne]], late), cost: 2 },
  { ...sendWorld("send one, with a late list", [[sendOne]], late), cost: 2 },
  { ...sendWorld("keys ∥ recreate, with a late list", [[pressOne], [recreate]], late), cost: 1 },
];
