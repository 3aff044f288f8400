/**
 * OvertakenMutants: guards of what is gone over by somebody else: what a taken lease cuts off, the
 * last word on a delete, files of what is forgotten, and what is held of what others ended.
 *
 * Each is met in the middle of one call by what another program does from beginning to end.
 */
import { type Mutant, world } from "./Mutant.js";

const core = "packages/core/src";

const taken = (call: string) => world(`${call}, and its lease is taken by force at any call of it`);
const forgotten = (call: string) => world(`${call}, and it is forgotten at any call of it`);
const beside = (call: string) =>
  world(`${call} in a program that holds something ∥ it is ended and forgotten`);
const anew = (call: string) =>
  world(`${call} in a program that holds what was forgotten, and makes it at any call of it`);

/** Of what others did meanwhile. */
export const overtakenMutants: ReadonlyArray<Mutant> = [
  {
    name: "taken-lease-leaves-what-it-cut-off",
    removes: "Who takes a lease by force finishes what he cut off by that.",
    file: `${core}/TakeLease.ts`,
    from: "yield* finishCutOff(holding, known.value, listing, attempted);",
    to: "void finishCutOff;",
    killedBy: [
      taken("delete, under a lease"),
      taken("delete a terminal"),
      taken("create"),
      taken("add"),
    ],
  },
  {
    name: "first-word-on-a-delete-stands",
    removes: "Of two deletes the last one says how what is cut off is finished.",
    file: `${core}/Delete.ts`,
    from: "[processes, intent]",
    to: "begun ? [processes] : [processes, intent]",
    killedBy: [
      world("delete, sparing, in doubt, and delete, cut off"),
      world("delete, in doubt, and delete, sparing, cut off"),
    ],
  },
  {
    name: "overtaken-delete-keeps-a-file",
    removes: "A delete that was overtaken takes back the snapshot of what is forgotten.",
    file: `${core}/Delete.ts`,
    from: "behindSnapshot(doomed.record)",
    to: "Effect.tap(() => Effect.as(Effect.void, behindSnapshot))",
    killedBy: [forgotten("delete")],
  },
  {
    name: "overtaken-delete-of-a-terminal-keeps-a-file",
    removes: "The same of a delete of one terminal.",
    file: `${core}/DeleteTerminal.ts`,
    from: "behindSnapshot(first.record),",
    to: "Effect.tap(() => Effect.as(Effect.void, behindSnapshot)),",
    killedBy: [forgotten("delete a terminal")],
  },
  {
    name: "overtaken-restore-keeps-a-file",
    removes: "The same of a restore.",
    file: `${core}/Restore.ts`,
    from: "made.pipe(behindSnapshot(old.record))",
    to: "Effect.tap(made, () => Effect.as(Effect.void, behindSnapshot))",
    killedBy: [forgotten("restore")],
  },
  {
    name: "gc-does-not-look-behind-the-row",
    removes: "A gc looks for snapshots once more when the row is gone.",
    file: `${core}/GcStep.ts`,
    from: "yield* Effect.either(snapshots.remove(record.session, record.generation));",
    to: "yield* Effect.either(Effect.void);",
    killedBy: [
      world("it is ended and forgotten, and a delete that stood still goes on at any call of that"),
    ],
  },
  {
    name: "lost-lease-of-what-has-ended",
    removes: "The lease that went with its session stands in the way of no end.",
    file: `${core}/EndSession.ts`,
    from: "(stands ? lost : Effect.void)",
    to: "(stands ? lost : lost)",
    killedBy: [world("a writer with a lease ends with its session ∥ create, replacing")],
  },
  {
    name: "set-env-hears-of-no-end",
    removes: "Values that are set let go of what has ended.",
    file: `${core}/SetEnv.ts`,
    from: "yield* newestAlone(session)",
    to: "yield* Effect.map(newestOrHeld(session), ({ record: one }) => Option.fromNullable(one))",
    and: [
      {
        file: `${core}/SetEnv.ts`,
        from: 'import { newestAlone } from "./LettingGo.js";',
        to: 'import { newestOrHeld } from "./LettingGo.js";',
      },
    ],
    killedBy: [beside("set the environment")],
  },
  {
    name: "call-of-no-row-hears-of-no-end",
    removes: "A call of a name without a row lets go of what is held of it.",
    file: `${core}/KnownName.ts`,
    from: `  yield* noLostRows(session, attempted);
  yield* letGo;`,
    to: `  yield* noLostRows(session, attempted);
  void letGo;`,
    killedBy: [beside("send")],
  },
  {
    name: "reconcile-of-no-row-hears-of-no-end",
    removes: "The same of a reconcile of the name.",
    file: `${core}/KnownName.ts`,
    from: `return session;
  yield* letGo;`,
    to: `return session;
  void letGo;`,
    killedBy: [beside("reconcile")],
  },
  {
    name: "reconcile-of-all-hears-of-no-end",
    removes: "A reconcile of everything lets go of what has ended.",
    file: `${core}/ReconcileAll.ts`,
    from: "lettingGo(planEvery({ heals: true }))",
    to: "Effect.zipLeft(planEvery({ heals: true }), Effect.sync(() => void lettingGo))",
    killedBy: [
      beside("reconcile all"),
      world("reconcile all in a program that holds something ∥ create, replacing"),
    ],
  },
  {
    name: "lets-go-of-what-was-made-since",
    removes: "Outside of a message only what was held before the look is let go.",
    file: `${core}/LettingGo.ts`,
    from: "held === null ? Effect.void : scopes.close(session, held)",
    to: "held === null ? Effect.void : scopes.closeOthers(session, null)",
    killedBy: [anew("send")],
  },
  {
    name: "reconcile-of-all-lets-go-of-what-was-made-since",
    removes: "What is held is asked for before the rows are read.",
    file: `${core}/LettingGo.ts`,
    from: `    const held = yield* scopes.held;
    const all = yield* reading;`,
    to: `    const all = yield* reading;
    const held = yield* scopes.held;`,
    killedBy: [anew("reconcile all")],
  },
  {
    name: "gc-holds-what-it-forgot",
    removes: "Who forgets a row lets go of what is held of it.",
    file: `${core}/GcStep.ts`,
    from: "yield* scopes.close(record.session, record.incarnation);",
    to: "void scopes;",
    killedBy: [world("gc in a program that holds something ∥ delete, by force")],
  },
];
