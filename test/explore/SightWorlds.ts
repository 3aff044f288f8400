/**
 * SightWorlds: what could not be found out is never taken for absence, and a stranger never for
 * ours: answers that are cut short, servers out of reach, sessions of others.
 *
 * Where tmux itself is out of reach at the end there is nothing to agree with: these worlds say
 * instead what no row may claim.
 */
import { Explore } from "@troupe/testing";
import type { TmuxReply, TmuxTransport } from "@troupe/tmux";
import { Effect } from "effect";
import { type Ending, lie, newest } from "./Agreement.js";
import { lingers } from "./KillWorlds.js";
import type { ListedWorld } from "./NamedWorld.js";
import {
  add,
  create,
  later,
  madeByUser,
  reconcile,
  remove,
  removedByUser,
  removeTerminal,
} from "./SessionCalls.js";
import type { Call, SessionWorldOptions } from "./SessionWorld.js";

type Transport = TmuxTransport["Type"];

const spec = { session: "a", command: ["sleep", "100000"], cwd: "/" };
const ok = { exitCode: 0, stderr: "" };

const without = (reply: TmuxReply, line: RegExp): TmuxReply => ({
  ...reply,
  stdout: reply.stdout.replace(line, ""),
});

/** Ways in which an answer is less than what was asked for. */
const cuts = {
  whole: (reply: TmuxReply): TmuxReply => reply,
  "without a pane": (reply: TmuxReply) => without(reply, /^P [^\n]*\n/m),
  "without a session": (reply: TmuxReply) => without(reply, /^S [^\n]*\n(P [^\n]*\n)*/m),
  "without its end": (reply: TmuxReply) => without(reply, /^END[^\n]*\n/m),
  "its greeting alone": (reply: TmuxReply) => without(reply, /(?<=^T1 [^\n]*\n)[\s\S]*/),
  "without the rest of a kill": (reply: TmuxReply) => without(reply, /^L [^\n]*\n/gm),
};
const cutNames = ["whole", ...Object.keys(cuts).slice(1)] as [keyof typeof cuts];

/** tmux whose every answer may be cut short, as a choice. */
const cutShort = (transport: Transport): Transport => ({
  ...transport,
  run: (request) =>
    Effect.flatMap(Explore.choose(`answer to ${request.attempted}`, cutNames), (cut) =>
      Effect.map(transport.run(request), cuts[cut]),
    ),
});

/** tmux whose every client may end with 0 and without a word, having done nothing. */
const silenced = (transport: Transport): Transport => ({
  ...transport,
  run: (request) =>
    Effect.flatMap(Explore.choose(`client: ${request.attempted}`, ["speaks", "silent"]), (how) =>
      how === "speaks" ? transport.run(request) : Effect.succeed({ ...ok, stdout: "" }),
    ),
});

/** tmux that nobody is let in to for one call, as a choice; what it says is a refusal. */
const refusing = (transport: Transport): Transport => ({
  ...transport,
  run: (request) => {
    const stderr = `error connecting to ${transport.socket} (Permission denied)\n`;
    const label = `socket: ${request.attempted}`;
    return Effect.flatMap(Explore.choose(label, ["open", "denied"]), (how) =>
      how === "open" ? transport.run(request) : Effect.succeed({ exitCode: 1, stdout: "", stderr }),
    );
  },
});

let cut = false;

/** A user's server takes the path of ours, which lives on out of reach with what it has. */
const socketTaken: Call = {
  name: "a user's server takes the socket",
  isAccident: true,
  run: (_, tmux) =>
    Effect.gen(function* () {
      const { stdout } = yield* tmux.client(["list-sessions", "-F", "#{session_name}"]);
      cut = stdout.includes("a\n");
      yield* tmux.unlinkSocket;
      yield* tmux.client(["new-session", "-d", "-s", "other", "--", "sleep", "100000"]);
    }),
};

const untaken = (): void => {
  cut = false;
};

/** What nobody can reach has not ended, whatever a row says. */
const nothingEnded = (ending: Ending): string | null => {
  const [record] = newest(ending.records);
  const ended = record === undefined || ["lost", "failed", "deleted"].includes(record.state);
  return cut && ended ? `a session that nobody can reach is ${record?.state}` : lie(ending);
};

const createOther: Call = {
  name: "create",
  run: (sessions) => sessions.create({ ...spec, session: "b" }),
};

const socketGone: Call = {
  name: "the socket goes",
  isAccident: true,
  run: (_, tmux) => tmux.unlinkSocket,
};

const madeAs = { ...spec, envNames: [], inheritEnv: false, log: false, columns: 80, rows: 24 };

/** A session of the name, with the mark of another home. */
const madeByOther: Call = {
  name: "another home makes a session",
  run: (sessions, tmux) =>
    Effect.gen(function* () {
      yield* madeByUser.run(sessions, tmux);
      for (const [option, value] of [
        ["inc", "other-0001"],
        ["home", "home2"],
        ["gen", "1"],
        ["spec", Buffer.from(JSON.stringify(madeAs)).toString("base64")],
      ]) {
        yield* tmux.client(["set-option", "-t", "=a:", `@troupe-${option}`, `${value}`]);
      }
    }),
};

const reconcileAll: Call = { name: "reconcile all", run: (sessions) => sessions.reconcileAll };
const adopt: Call = { name: "adopt", run: (sessions) => sessions.adopt("a") };

const oneRow = ({ records }: Ending): string | null =>
  records.length === 1 ? null : "another home's session was taken up";

const cutOff = { instead: nothingEnded, onStart: untaken };
const alone = { recovers: false };

const each = (
  what: string,
  calls: ReadonlyArray<readonly [Call, ReadonlyArray<Call>]>,
  options: Omit<SessionWorldOptions, "name" | "programs">,
): ReadonlyArray<ListedWorld> =>
  calls.map(([call, before]) => ({
    ...options,
    name: `${call.name}, ${what}`,
    cost: 1,
    before,
    programs: [[call]],
  }));

const held: ReadonlyArray<readonly [Call, ReadonlyArray<Call>]> = [
  [create, []],
  [reconcile, [create]],
  [remove, [create]],
  [removeTerminal, [create, add]],
];

/** What is seen of tmux. */
export const sightWorlds: ReadonlyArray<ListedWorld> = [
  ...each("with an answer that is cut short", held, { ...alone, transport: cutShort }),
  ...each("lingering, with an answer that is cut short", [[remove, [create, lingers(3)]]], {
    ...alone,
    transport: cutShort,
  }),
  ...each("with a silent client", held, { ...alone, transport: silenced }),
  ...each("with a socket that is denied", held, { ...alone, transport: refusing }),
  ...[reconcile, remove].map((call) => ({
    ...cutOff,
    name: `${call.name} ∥ a user's server takes the socket`,
    cost: 1,
    before: [create],
    programs: [[call], [later(50, socketTaken)]],
    time: true,
  })),
  {
    ...cutOff,
    name: "reconcile, with a server that no row tells of",
    cost: 0,
    before: [create, socketTaken],
    programs: [[reconcile]],
    registry: (registry) => ({ ...registry, servers: Effect.succeed([]) }),
  },
  {
    name: "create, with a server out of reach",
    cost: 0,
    before: [create, socketGone],
    programs: [[createOther]],
    socket: (socket) => ({ ...socket, isServedBy: () => Effect.succeed(false) }),
    instead: ({ servers }) => (servers === 1 ? null : `there are ${servers} servers`),
  },
  {
    name: "create, with a user's server at the socket",
    cost: 0,
    before: [create, socketTaken],
    programs: [[createOther]],
    instead: ({ told }) => told.find((line) => line.startsWith("create: ok")) ?? null,
  },
  {
    name: "reconcile of what was replaced",
    cost: 0,
    before: [create, removedByUser, madeByUser],
    programs: [[reconcile]],
  },
  {
    name: "reconcile beside another home's session",
    cost: 0,
    before: [create, remove, madeByOther],
    programs: [[reconcile], [reconcileAll]],
    also: oneRow,
  },
  {
    name: "adopt of another home's session",
    cost: 0,
    before: [create, remove, madeByOther],
    programs: [[adopt]],
    also: oneRow,
  },
];
