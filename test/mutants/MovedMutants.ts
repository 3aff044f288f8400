/**
 * MovedMutants: what goes with a lease that a sibling takes, or that goes to another name: its
 * children and, with its own writer, its turn. Each is left behind once.
 *
 * Another program that comes meanwhile must find all of them in the row.
 */
import { type Edit, type Mutant, test, world } from "./Mutant.js";

const core = "packages/core/src";
const sqlite = "packages/sqlite/src";

const PLAINLY = "and another program claims it";
const SETTLED = "and another program takes what is settled";
const FAILING = "and a registry that is slow or fails";

/** The world of that, and of who comes. */
const child = (way: string, ...words: ReadonlyArray<string>) =>
  world([`the lease of a child: ${way}`, ...words].join(", "));

/** The look behind each wait for children: what names one that lives is not given back. */
export const givenBackUnseen: Edit = {
  file: `${core}/LeaseEnds.ts`,
  from: "if (children.length === 0) return yield* giveUp(ports, own);",
  to: "if (children.length >= 0) return yield* giveUp(ports, own);",
};

/** Of leases that go elsewhere. */
export const movedMutants: ReadonlyArray<Mutant> = [
  {
    name: "children-stay-with-their-writer",
    removes: "A lease that a sibling takes has its children with it.",
    file: `${core}/LeaseRows.ts`,
    from: `  const turn = actor === from.actor ? from.turn : null;
  const draft = { ...kept, session, actor, incarnation: there, turn };`,
    to: `  const own = actor === from.actor;
  const told = { turn: own ? from.turn : null, children: own ? from.children : [] };
  const draft = { ...kept, session, actor, incarnation: there, ...told };`,
    and: [
      {
        file: `${sqlite}/StoredLease.ts`,
        from: `        \`UPDATE leases SET session = ?, incarnation = ?, epoch = ?, actor = ?, turn = ?
          WHERE lease = ?\`,
        [session, incarnation, epoch, actor, record.turn, lease],`,
        to: `        \`UPDATE leases SET session = ?, incarnation = ?, epoch = ?, actor = ?, turn = ?,
            child = CASE WHEN actor = ? THEN child END
          WHERE lease = ?\`,
        [session, incarnation, epoch, actor, record.turn, actor, lease],`,
      },
    ],
    killedBy: [
      child("a sibling takes it and is idle behind its turn", SETTLED),
      child("a sibling takes it and gives it back behind its turn", PLAINLY),
      child("it goes to another name, and a sibling takes it there", PLAINLY),
    ],
  },
  {
    name: "turn-stays-at-the-name",
    removes: "A turn goes on under the lease that its own writer moves.",
    file: `${core}/LeaseRows.ts`,
    from: "const turn = actor === from.actor ? from.turn : null;",
    to: "const turn = session === from.session && actor === from.actor ? from.turn : null;",
    killedBy: [child("it goes to another name with a turn that has none", SETTLED)],
  },
  {
    name: "turn-over-without-those-before-it",
    removes: "A turn is over when also those are gone that a turn before it named.",
    file: `${core}/TurnAdmission.ts`,
    from: "turn.children = yield* leases.guarded(",
    to: "yield* leases.guarded(",
    killedBy: [child("a sibling takes it and is idle behind its turn", SETTLED)],
  },
  {
    name: "children-of-another-taken-back",
    removes: "A turn takes back the children that it named, and no others.",
    file: `${core}/TurnHandle.ts`,
    from: "if (process === null) turn.children = inherited;",
    to: "if (process === null) turn.children = [];",
    killedBy: [child("a sibling takes it and says that no child is left", PLAINLY)],
  },
  {
    name: "given-back-beside-a-child",
    removes: "A lease is not given back while a process lives that it names.",
    ...givenBackUnseen,
    killedBy: [child("a sibling takes it and ends meanwhile", PLAINLY)],
  },
  {
    name: "taken-without-knowing-its-children",
    removes: "Who takes a lease knows whom it names before he runs anything.",
    file: `${core}/LeaseClaims.ts`,
    from: "    own.written(record, from);\n",
    to: "",
    killedBy: [test("LeaseEnds", "when that is gone, and not before")],
  },
  {
    name: "waits-for-no-turn-of-a-sibling",
    removes: "A lease that waits for the child of a sibling goes as that one's turn is over.",
    file: `${core}/HeldLeases.ts`,
    from: "this.turn = from?.turn ?? turn ?? this.turn;",
    to: "this.turn = turn ?? this.turn;",
    killedBy: [test("LeaseEnds", "as soon as the turn is over that named it")],
  },
  {
    name: "own-move-taken-for-a-loss",
    removes: "A turn that moves its lease did not lose it before the answer says so.",
    file: `${core}/TurnWatch.ts`,
    from: "    yield* leases.alone(lease.session)(Effect.void);\n",
    to: "",
    killedBy: [
      child("it goes to another name with its turn, and stays", SETTLED, FAILING),
      test("TurnWatch", "loses nothing: it is the turn's own"),
    ],
  },
  {
    name: "child-named-while-the-lease-is-given-back",
    removes: "Behind the step in which a turn is over nobody is named that would be left alone.",
    file: `${core}/TurnHandle.ts`,
    from: "if (seat.running !== turn || turn.isOver) return Effect.void;",
    to: "if (seat.running !== turn) return Effect.void;",
    killedBy: [world("a child that is named while another is looked at")],
  },
];
