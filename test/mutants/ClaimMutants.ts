/**
 * ClaimMutants: one writer for a name: claims, epochs, the fence that is due, and mailboxes inside
 * one program; and what a session owns.
 *
 * Most are edits of the registry in memory, which worlds run on; `SchemaMutants` has the other.
 */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is the text of source
import { type Mutant, world } from "./Mutant.js";

const core = "packages/core/src";

/** Edits of who may act. */
export const claimMutants: ReadonlyArray<Mutant> = [
  {
    name: "claim-given-to-two",
    removes: "A claim that a living program holds is given to nobody else.",
    file: `${core}/RegistryMemoryClaims.ts`,
    from: 'if (!force && (holder === "alive" || holder === "unknown")) {',
    to: 'if (!force && holder === "unknown") {',
    killedBy: [world("create ∥ delete, with nobody behind them")],
  },
  {
    name: "waits-for-the-dead",
    removes: "Whoever waits for a claim asks now and then whether its holder lives.",
    file: `${core}/ClaimWait.ts`,
    from: "const asksLife = now - seen.asked >= LIFE_MS || now >= end;",
    to: "const asksLife = now >= end;",
    killedBy: [
      {
        test: "takes it over within two seconds of his death, and not before",
        in: "test/core/ClaimWait.test.ts",
      },
    ],
  },
  {
    name: "gives-up-on-the-dead",
    removes: "At the end of a wait for a claim it is asked whether its holder lives.",
    file: `${core}/ClaimWait.ts`,
    from: "const asksLife = now - seen.asked >= LIFE_MS || now >= end;",
    to: "const asksLife = now - seen.asked >= LIFE_MS;",
    killedBy: [
      {
        test: "takes it at the end of a wait that is too short to ask on the way",
        in: "test/core/ClaimWait.test.ts",
      },
    ],
  },
  {
    name: "asks-at-every-look",
    removes: "Whoever waits for a claim does not look at its holder's lock each time.",
    file: `${core}/ClaimWait.ts`,
    from: "const asksLife = now - seen.asked >= LIFE_MS || now >= end;",
    to: "const asksLife = now >= seen.asked;",
    killedBy: [
      {
        test: "is written to once in twenty seconds, and the lock looked at once in each",
        in: "test/contract/registry.waiting.fake.test.ts",
      },
    ],
  },
  {
    name: "overtaken-still-writes",
    removes: "A holder that was overtaken writes nothing more.",
    file: `${core}/RegistryMemoryClaims.ts`,
    from: "if (owner === claim.owner && epoch === claim.epoch) return null;",
    to: "if (owner !== undefined && epoch >= claim.epoch) return null;",
    killedBy: [world("delete ∥ delete by force, with nobody behind them")],
  },
  {
    name: "epoch-does-not-grow",
    removes: "Each claim has an epoch of its own, above all before it.",
    file: `${core}/RegistryMemoryClaims.ts`,
    from: "Math.max(row.epoch + 1, atLeast);",
    to: "Math.max(row.epoch, 1, atLeast);",
    killedBy: [world("create, with a late list")],
  },
  {
    name: "fence-due-forgotten",
    removes: "Whoever claims behind a claim that did not end cleanly raises the fence first.",
    file: `${core}/RegistryMemoryClaims.ts`,
    from: "const fenceDue = owner !== null || claimRow(store, session).fenceDue;",
    to: "const fenceDue = owner === undefined;",
    killedBy: [world("create, with a late list and a crash")],
  },
  {
    name: "fence-not-raised",
    removes: "A look behind an unknown outcome raises the fence first.",
    file: `${core}/Holding.ts`,
    from: "const ask = fenceDue ?",
    to: "const ask = fenceDue === null ?",
    killedBy: [world("create, with a late list")],
  },
  {
    name: "claim-not-given-back",
    removes: "A claim is given back whatever came of its message.",
    file: `${core}/Holding.ts`,
    from: "const released = yield* Effect.exit(holding.release);",
    to: "const released = yield* Effect.exit(Effect.void);",
    killedBy: [world("delete behind a create that was refused")],
  },
  {
    name: "other-options-joined",
    removes: "A delete joins only one with the same options.",
    file: `${core}/SessionActor.ts`,
    from: "key: `delete ${graceMs} ${force} ${spareDetached} ${snapshot}`,",
    to: "key: `delete ${graceMs} ${spareDetached} ${snapshot}`,",
    killedBy: [world("delete and delete by force, of what a stopped program holds")],
  },
  {
    name: "reconcile-joins-a-running-one",
    removes: "A reconcile that may have looked already answers nobody who came later.",
    file: `${core}/SessionActor.ts`,
    from: '{ key: "reconcile", whileRunning: false }',
    to: '{ key: "reconcile", whileRunning: true }',
    killedBy: [world("reconcile, and another behind an end")],
  },
  {
    name: "other-kind-joined",
    removes: "A message joins only one of the same kind.",
    file: `${core}/MailboxQueues.ts`,
    from: "last.waiting > 0 && last.joining?.key === joining.key",
    to: "last.waiting > 0",
    killedBy: [
      world("an equal message answers whoever stays, and runs once for those that joined"),
    ],
  },
  {
    name: "joined-past-others",
    removes: "A message joins only the last one, and passes nobody's.",
    file: `${core}/MailboxQueues.ts`,
    from: "const last = queue.at(-1) ?? running;",
    to: "const last = running ?? queue.at(-1);",
    killedBy: [world("an equal message never passes one that was there before it")],
  },
  {
    name: "joined-one-that-was-left",
    removes: "A message that its callers left answers nobody who comes later.",
    file: `${core}/MailboxQueues.ts`,
    from: "last.waiting > 0 && last.joining?.key === joining.key",
    to: "last.joining?.key === joining.key",
    killedBy: [
      world("an equal message answers whoever stays, and runs once for those that joined"),
    ],
  },
  {
    name: "two-messages-at-once",
    removes: "A name has one worker, so that its messages run one at a time.",
    file: `${core}/Mailboxes.ts`,
    from: "const started = put.first ? startWorker(workers, name) : Effect.void;",
    to: "const started = put.message === message ? startWorker(workers, name) : Effect.void;",
    killedBy: [world("one message of a name at a time, all of them answered")],
  },
  {
    name: "left-message-runs",
    removes: "A caller that leaves takes out what was not begun.",
    file: `${core}/Mailboxes.ts`,
    from: "      queues.takeOut(name, message);\n",
    to: "",
    killedBy: [world("a caller that leaves takes out what was not begun, and what was begun ends")],
  },
  {
    name: "waits-for-itself",
    removes: "Work that asks its own name is refused.",
    file: `${core}/Mailboxes.ts`,
    from: "if (HashSet.has(names, name)) {",
    to: "if (HashSet.size(names) < 0) {",
    killedBy: [world("work that asks its own name is refused, and is no deadlock")],
  },
  {
    name: "mailbox-without-a-bound",
    removes: "A mailbox that is full refuses the next message.",
    file: `${core}/MailboxQueues.ts`,
    from: "if (queue.length >= this.bound) {",
    to: "if (queue.length >= 10 * this.bound) {",
    killedBy: [world("a mailbox that is full refuses one more")],
  },
  {
    name: "close-leaves-unanswered",
    removes: "What waits when the layer closes is answered.",
    file: `${core}/MailboxQueues.ts`,
    from: "for (const { attempted, reply } of queue.splice(0)) {",
    to: "for (const { attempted, reply } of queue.splice(0).slice(1)) {",
    killedBy: [world("closing answers what waits, and lets what runs end")],
  },
  {
    name: "close-does-not-wait",
    removes: "A layer closes only when what runs has ended.",
    file: `${core}/Mailboxes.ts`,
    from: "        Deferred.await(queues.ended),\n",
    to: "        Effect.void,\n",
    killedBy: [world("closing answers what waits, and lets what runs end")],
  },
  {
    name: "scope-outlives-its-session",
    removes: "What a program holds for a session ends when it learns that the session ended.",
    file: `${core}/Holding.ts`,
    from: "isFinal(state) ? scopes.close(session, incarnation) : Effect.void;",
    to: "isFinal(state) && session === null ? scopes.close(session, incarnation) : Effect.void;",
    killedBy: [
      {
        test: "comes at once with a delete by this program, for ten readers together",
        in: "test/core/OutputEnd.test.ts",
      },
    ],
  },
  {
    name: "finalizers-stop-at-a-bug",
    removes: "The scopes of all sessions close, whatever became of one.",
    file: `${core}/SessionScopes.ts`,
    from: "Effect.exit(this.take(session))",
    to: "Effect.map(this.take(session), Exit.succeed)",
    killedBy: [world("what is held for two sessions ends, whatever the other finalizers did")],
  },
  {
    name: "finalizer-fails-the-end",
    removes: "A session has ended whatever its finalizers die of.",
    file: `${core}/SessionScopes.ts`,
    from: "Effect.catchAllCause((cause) =>",
    to: "Effect.tapErrorCause((cause) =>",
    killedBy: [world("a session has ended whatever becomes of what was held for it")],
  },
];
