/**
 * GuestWorlds: a pane of one session that a user moved into another does not end with that one,
 * whenever he did it.
 *
 * What is refused stays as it is for the user to settle, so of the agreement only that nobody was
 * told what is not so.
 */
import { Effect } from "effect";
import { type Ending, lie } from "./Agreement.js";
import type { ListedWorld } from "./NamedWorld.js";
import { create, remove } from "./SessionCalls.js";
import type { Call } from "./SessionWorld.js";

const spec = { session: "b", command: ["sleep", "100000"], cwd: "/" };

const createOther: Call = {
  name: "create another",
  run: (sessions) => sessions.create(spec),
};

/** A user moves the window of `b` into `a`, if both are there. */
const guestComes: Call = {
  name: "a user moves a window in",
  isAccident: true,
  run: (_, tmux) =>
    Effect.gen(function* () {
      const link = ["link-window", "-d", "-s", "=b:main", "-t", "=a:5"];
      const { exitCode } = yield* tmux.client(link);
      if (exitCode === 0) yield* tmux.client(["kill-session", "-t", "=b"]);
    }),
};

const guestLives = ({ alive, records }: Ending): string | null => {
  const whose = records.find(({ session }) => session === "b")?.incarnation;
  return alive.some((line) => line.startsWith(`${whose} `)) ? null : "the guest's program ended";
};

/** What a delete finds of others in what it ends. */
export const guestWorlds: ReadonlyArray<ListedWorld> = [
  {
    name: "delete, with a guest inside",
    cost: 0,
    before: [create, createOther, guestComes],
    programs: [[remove]],
    instead: guestLives,
  },
  {
    name: "delete, and a window that a user moves in at any call of it",
    cost: 1,
    before: [create, createOther],
    programs: [[remove]],
    happens: guestComes,
    instead: (ending) => lie(ending) ?? guestLives(ending),
  },
];
