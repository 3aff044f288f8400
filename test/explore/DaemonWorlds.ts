/**
 * DaemonWorlds: what forked twice before the call that ends it, and an accident in the middle of
 * that call, or before it; and a crash in the middle, and who comes behind that.
 *
 * Its mark alone says whose it is: no window, no parent and no row. A call that ends something
 * looks for it also where tmux has nothing to end any more. Each call that ends something, with
 * each way in which what it ends can go by itself; all of it is a product of lists.
 */
import { forkedTwice } from "./KillWorlds.js";
import type { ListedWorld } from "./NamedWorld.js";
import { accidents, before, enders } from "./Operations.js";
import {
  add,
  create,
  interrupted,
  programEnds,
  reconcile,
  removeByForce,
  removedByUser,
  removeTerminal,
} from "./SessionCalls.js";
import type { Call } from "./SessionWorld.js";

/** How a session goes by itself, or its program. */
export const losses: ReadonlyArray<Call> = [programEnds, removedByUser, ...accidents];

const daemonOf = (call: Call): Call => forkedTwice(call === removeTerminal ? "t2" : "main");

const inTheMiddle = (call: Call): ListedWorld => ({
  name: `${call.name} of what forked twice, and an accident at any call of it`,
  cost: 1,
  before: [...before([call]), daemonOf(call)],
  programs: [[interrupted(call)]],
  happens: losses,
  crash: true,
});

/** The same behind it, when a reconcile has written that down, and when none has. */
const behind = (call: Call): ReadonlyArray<ListedWorld> =>
  losses.flatMap((loss) =>
    [[], [reconcile]].map((written) => ({
      name: `${call.name} of what forked twice, behind ${[loss, ...written].map(({ name }) => name).join(" and ")}`,
      cost: 0,
      before: [...before([call]), daemonOf(call), loss, ...written],
      programs: [[call]],
    })),
  );

/** Who comes behind a crash in the middle of it. */
const comers: ReadonlyArray<Call> = [create, add, reconcile, removeByForce];

const cutOff = (call: Call): ReadonlyArray<ListedWorld> =>
  comers.map((next) => ({
    name: `${call.name} of what forked twice, cut off ∥ ${next.name}`,
    cost: 1,
    before: [...before([call]), daemonOf(call)],
    programs: [[call], [next]],
    crash: true,
  }));

/** The worlds. */
export const daemonWorlds: ReadonlyArray<ListedWorld> = enders.flatMap((call) => [
  inTheMiddle(call),
  ...behind(call),
  ...cutOff(call),
]);
