/**
 * AgainMutants: guards of what is done or asked for a second time: a request that is asked again, a
 * delete that is finished by another call, a child that is named beside another.
 *
 * The first of a pair is right without them; each is found where something went between the two.
 */
import { givenBackUnseen } from "./MovedMutants.js";
import { type Killer, type Mutant, test, world } from "./Mutant.js";

const core = "packages/core/src";
const sqlite = "packages/sqlite/src";

const recordedEarly = (next: string) =>
  world(`delete, sparing what was recorded early, in doubt, and ${next}`);

const anew: Killer = {
  test: "what is spared stays recorded, and is as it was when it is recorded anew; nothing is told",
  in: "test/contract/registry.fake.test.ts",
  writtenIn: "packages/testing/src/RegistryContractCommits.ts",
};

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
    name: "spared-is-ended-by-who-finishes",
    removes: "What a delete spares of the recorded is spared by whoever finishes it.",
    file: `${core}/Victims.ts`,
    from: "? spared !== true :",
    to: "? spared !== null :",
    killedBy: [
      recordedEarly("delete, sparing"),
      recordedEarly("reconcile"),
      recordedEarly("delete a terminal: the first"),
      recordedEarly("reconcile, on SQLite"),
    ],
  },
  {
    name: "first-delete-says-what-the-second-ends",
    removes: "A delete that spares judges anew what one that spared nothing recorded.",
    file: `${core}/Victims.ts`,
    from: " : !isLed(pid);",
    to: " : pid > 0;",
    killedBy: [world("delete of what was recorded early, in doubt, and delete, sparing, cut off")],
  },
  {
    name: "spared-is-not-written",
    removes: "What a delete spares is written by the registry in SQLite as by the one in memory.",
    file: `${sqlite}/WriteChange.ts`,
    from: "UPDATE processes SET spared = 1",
    to: "UPDATE processes SET spared = spared",
    killedBy: [recordedEarly("delete, sparing, on SQLite"), anew],
  },
  {
    name: "spared-is-for-good",
    removes: "What is recorded anew is spared no more.",
    file: `${sqlite}/WriteChange.ts`,
    from: "coalesce(terminal, excluded.terminal), spared = 0",
    to: "coalesce(terminal, excluded.terminal)",
    killedBy: [anew],
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
    from: "if (left.length === 0 && turn.children === children) {",
    to: "if (left.length === 0) {",
    and: [givenBackUnseen],
    killedBy: [world("a child that is named while another is looked at")],
  },
  {
    name: "what-ends-by-itself-spares",
    removes: "What a gc or the end of its time ends is ended with all that left its session.",
    file: `${core}/GcStep.ts`,
    from: "const how = { graceMs, spareDetached: false,",
    to: "const how = { graceMs, spareDetached: true,",
    and: [
      {
        file: `${core}/Reconcile.ts`,
        from: "const how = { graceMs, spareDetached: false,",
        to: "const how = { graceMs, spareDetached: true,",
      },
    ],
    killedBy: [
      world("gc of what exited: trouble"),
      world("reconcile of what is over, of what forked twice"),
    ],
  },
  {
    name: "request-keeps-its-first-row",
    removes: "A request that was asked for in vain is of the session that it made behind that.",
    file: `${core}/RegistryMemoryCommit.ts`,
    from: "for (const request of draft.requests) store.requests.set(request, incarnation);",
    to: `for (const request of draft.requests) {
    if (!store.requests.has(request)) store.requests.set(request, incarnation);
  }`,
    and: [
      {
        file: "packages/sqlite/src/WriteChange.ts",
        from: "ON CONFLICT DO UPDATE SET incarnation = excluded.incarnation, epoch = excluded.epoch`,",
        to: "ON CONFLICT DO NOTHING`,",
      },
    ],
    killedBy: [
      world("create, requested, again behind a first one in vain and delete and reconcile"),
    ],
  },
  {
    name: "request-of-a-deleted-row-is-forgotten",
    removes: "The registry tells of what a request made, whatever became of that.",
    file: "packages/sqlite/src/Reads.ts",
    from: '"i.incarnation = (SELECT incarnation FROM requests WHERE request_id = ?)"',
    to: `"i.state <> 'deleted' AND i.incarnation = (SELECT incarnation FROM requests WHERE request_id = ?)"`,
    killedBy: [
      world("create, requested ∥ create, requested, behind create, requested ∥ delete: on SQLite"),
    ],
  },
  {
    name: "move-looks-before-it-leaps",
    removes: "Who has the name that a lease is moved to is decided in the step that moves it.",
    file: `${core}/LeaseRows.ts`,
    from: "  if (held !== undefined) return { pruned, outcome: refused(heldBy(held, table, to)) };\n",
    to: "",
    and: [
      {
        file: `${core}/LeaseRows.ts`,
        from: 'const draft = { ...kept, session, actor, incarnation: there, turn };\n  return { pruned, outcome: { _tag: "Write", draft } };',
        to: 'const draft = { ...kept, session, actor, incarnation: there, turn };\n  return { pruned, outcome: { _tag: "Write", draft, over: held } };',
      },
      {
        file: `${core}/LeaseMove.ts`,
        from: "return registry.moveLease(lease, { attempted, session: to, actor: lease.actor }).pipe(",
        to: `return Effect.flatMap(registry.leaseOf(to), (there) =>
        there._tag === "Some" && there.value.holder !== "dead"
          ? Effect.flatMap(Clock.currentTimeMillis, (now) => leaseHeld(there.value, now, attempted))
          : registry.moveLease(lease, { attempted, session: to, actor: lease.actor }),
      ).pipe(`,
      },
      {
        file: `${core}/LeaseMove.ts`,
        from: 'import { Effect } from "effect";',
        to: 'import { Clock, Effect } from "effect";\nimport { leaseHeld } from "./LeaseRows.js";',
      },
    ],
    killedBy: [world("a move beside a claim of the name that it goes to")],
  },
  {
    name: "gc-lists-files-behind-rows",
    removes: "A gc lists files before it reads rows: those of what is made meanwhile stay.",
    file: `${core}/GcSurvey.ts`,
    from: "  const history = yield* registry.history(null);\n  const listing = yield* look;\n",
    to: "",
    and: [
      {
        file: `${core}/GcSurvey.ts`,
        from: "  const snapshots = yield* listed(",
        to: "  const history = yield* registry.history(null);\n  const listing = yield* look;\n  const snapshots = yield* listed(",
      },
    ],
    killedBy: [
      world("gc beside another session, and a create at any call of it"),
      test(
        "GcSurvey",
        "are listed before rows are read: those of what is made meanwhile have one by then",
      ),
    ],
  },
];
