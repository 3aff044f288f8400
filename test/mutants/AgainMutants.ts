/**
 * AgainMutants: guards of what is done or asked for a second time: a request that is asked again, a
 * delete that is finished by another call, a child that is named beside another.
 *
 * The first of a pair is right without them; each is found where something went between the two.
 */
import { type Mutant, world } from "./Mutant.js";

const core = "packages/core/src";

/** Of what comes again. */
export const againMutants: ReadonlyArray<Mutant> = [
  {
    name: "lost-request-is-made-anew",
    removes: "A request made its session also when that is lost: it is not made anew.",
    file: `${core}/ClearName.ts`,
    from: 'if (made === null || made.state === "failed" || made.state === "creating") return null;',
    to: `const over = ["failed", "creating", "lost"];
  if (made === null || over.includes(made.state)) return null;`,
    and: [
      {
        file: `${core}/ClearName.ts`,
        from: "if (!creation.replace) return yield*",
        to: `const again = creation.requestId !== null && state === "lost";
  if (!creation.replace && !again) return yield*`,
      },
    ],
    killedBy: [
      world("create, requested, again behind a user removes the session and reconcile"),
      world("create, requested, again behind the server dies and reconcile"),
      world("create, requested, again behind the server restarts and reconcile"),
    ],
  },
  {
    name: "deleted-request-is-made-anew",
    removes: "A request made its session also when that was deleted: it is not made anew.",
    file: `${core}/ClearName.ts`,
    from: 'if (made === null || made.state === "failed" || made.state === "creating") return null;',
    to: 'if (made === null || isFinal(made.state) || made.state === "creating") return null;',
    killedBy: [world("create, requested, again behind delete")],
  },
  {
    name: "cut-off-delete-forgets-what-it-spares",
    removes: "A delete of a terminal finishes the delete of its session as that was asked for.",
    file: `${core}/DeleteTerminal.ts`,
    from: 'record.state === "deleting" ? finishing(record) : WHOLE',
    to: "WHOLE",
    killedBy: [world("delete, sparing, cut off ∥ delete a terminal: the first")],
  },
  {
    name: "reconcile-forgets-what-a-delete-spares",
    removes: "Whoever finishes a delete spares what that was asked to spare.",
    file: `${core}/Delete.ts`,
    from: "  spareDetached: cause === SPARING,",
    to: "  spareDetached: false,",
    killedBy: [world("delete, sparing, cut off ∥ reconcile")],
  },
  {
    name: "children-are-written-at-once",
    removes: "The children of a turn are written one after the other, the newest list last.",
    file: `${core}/TurnHandle.ts`,
    from: "oneByOne(written(services, turn, lease))",
    to: "written(services, turn, lease)",
    killedBy: [
      world(
        "two children that are named at once, what is written is slow or fails, and their program may die",
      ),
    ],
  },
  {
    name: "children-named-meanwhile-do-not-count",
    removes: "A turn is not over where a child was named while the others were looked at.",
    file: `${core}/TurnChild.ts`,
    from: "if (left.length === 0 && turn.children === children) return;",
    to: "if (left.length === 0) return;",
    killedBy: [world("a child that is named while another is looked at")],
  },
];
