/**
 * SweptLeaseMutants: single edits about leases, claims and locks that a sweep over the sources
 * found, and that no world of those days noticed.
 *
 * Each is found by a world of its kind: every fate of a session, every way to see a program.
 */
import { type Mutant, world } from "./Mutant.js";

const core = "packages/core/src";
const sqlite = "packages/sqlite/src";

/** Of who has what. */
export const sweptLeaseMutants: ReadonlyArray<Mutant> = [
  {
    name: "lease-is-not-taken-on-sqlite",
    removes: "Who takes a lease of one that lives removes its row, and tells of that.",
    file: `${sqlite}/Leases.ts`,
    from: "if (outcome.over !== undefined)",
    to: "if (false)",
    killedBy: [world("a lease that two take, on SQLite")],
  },
  {
    name: "lease-goes-with-any-move-on-sqlite",
    removes: "A lease goes with the end of its session, and with no other move of it.",
    file: `${sqlite}/Commit.ts`,
    from: 'change._tag === "Move" && isFinal(change.to) && after !== null',
    to: 'change._tag === "Move" && after !== null',
    killedBy: [
      world("a lease, and the program ends and reconcile, on SQLite"),
      world("a lease, and the server dies and reconcile, on SQLite"),
    ],
  },
  {
    name: "lease-is-told-to-go-with-any-move",
    removes: "That a lease went is told where its session has ended.",
    file: `${core}/RegistryMemoryCommit.ts`,
    from: 'lease !== null && change._tag === "Move" && isFinal(change.to) ?',
    to: 'lease !== null && change._tag === "Move" ?',
    killedBy: [
      world("a lease, and the program ends and reconcile"),
      world("a lease, and the server dies and reconcile"),
    ],
  },
  {
    name: "lock-that-is-held-proves-nothing",
    removes: "Who holds the lock of his name lives, whatever the table of processes shows.",
    file: `${sqlite}/Liveness.ts`,
    from: '    if (verdict === "held") return "alive";\n',
    to: "",
    killedBy: [
      world("a program holds a claim and a lease, and another does not see it"),
      world("a program holds a claim and a lease, and another sees another in its place"),
    ],
  },
  {
    name: "lease-is-given-back-for-ever",
    removes: "A lease that was given back is not given back again.",
    file: `${core}/LeaseDeferral.ts`,
    from: "if (Exit.isSuccess(released)) return;",
    to: "if (false) return;",
    killedBy: [
      world("a lease that waits for its turn, and a registry that fails 0 times then"),
      world("a lease that waits for its turn, and a registry that fails 3 times then"),
    ],
  },
  {
    name: "stopped-turn-takes-the-lease-along",
    removes: "A turn that is stopped before it begins gives back only what it claimed itself.",
    file: `${core}/TurnAdmission.ts`,
    from: "if (known === null) yield* undo(leases, seat, lease);",
    to: "yield* undo(leases, seat, lease);",
    killedBy: [world("a turn that is stopped before it begins, of a writer with a lease")],
  },
  {
    name: "stopped-turn-leaves-its-claim",
    removes: "A turn that is stopped before it begins gives back what it claimed.",
    file: `${core}/TurnAdmission.ts`,
    from: "if (known === null) yield* undo(leases, seat, lease);",
    to: "",
    killedBy: [world("a turn that is stopped before it begins, of a writer without a lease")],
  },
  {
    name: "overtaken-forgets-a-session",
    removes: "Who was overtaken forgets no session any more.",
    file: `${core}/RegistryMemoryForgetting.ts`,
    from: `    forget: (claim, incarnation, servers) =>
      Effect.suspend(() => {
        const refusal = overtakenBy(store, claim, "forget");
        if (refusal !== null) return refusal;`,
    to: `    forget: (claim, incarnation, servers) =>
      Effect.suspend(() => {`,
    and: [
      {
        file: `${sqlite}/Forget.ts`,
        from: 'requireCurrent(sql, claim, "forget").pipe(',
        to: "Effect.void.pipe(",
      },
    ],
    killedBy: [
      world("who forgets a session and is overtaken"),
      world("who forgets a session and is overtaken, on SQLite"),
    ],
  },
  {
    name: "overtaken-forgets-a-name",
    removes: "Who was overtaken forgets no name any more.",
    file: `${core}/RegistryMemoryForgetting.ts`,
    from: `    forgetName: (claim) =>
      Effect.suspend(() => {
        const refusal = overtakenBy(store, claim, "forget");
        if (refusal !== null) return refusal;`,
    to: `    forgetName: (claim) =>
      Effect.suspend(() => {`,
    killedBy: [world("who forgets a name and is overtaken")],
  },
];
