/**
 * SweptAgainMutants: more single edits that a sweep over the sources found: what is given up, taken
 * off or forgotten behind a failure, and what a program does for a second time.
 *
 * Some were found by a world already that no list named, the others by a play about their kind.
 */
import { type Mutant, world } from "./Mutant.js";

const core = "packages/core/src";
const sqlite = "packages/sqlite/src";

const failedAdopt = "an adopt that fails behind its mark";

/** Of adopts that fail, and of a gc. */
const leftMutants: ReadonlyArray<Mutant> = [
  {
    name: "failed-adopt-leaves-its-mark",
    removes: "An adopt that fails takes its mark off: what is a user's stays his.",
    file: `${core}/AdoptStranger.ts`,
    from: "      disown(holding, marked).pipe(",
    to: "      Effect.void.pipe(",
    killedBy: [world(failedAdopt)],
  },
  {
    name: "mark-goes-off-late",
    removes: "A mark that may still go off does not where another has taken it up since.",
    file: `${core}/AdoptStranger.ts`,
    from: 'Effect.tapErrorTag("LookupFailed", () => holding.leaveUnknown)',
    to: 'Effect.tapErrorTag("LookupFailed", () => Effect.void)',
    killedBy: [world(`${failedAdopt}, which would go off late`)],
  },
  {
    name: "overtaken-adopt-takes-the-mark-off",
    removes: "Who was overtaken as he adopted takes no mark off under whoever adopts by then.",
    file: `${core}/AdoptStranger.ts`,
    from: "tmux.disown({ ...holding.fence(), server,",
    to: "tmux.disown({ ...holding.fence(), epoch: 2 ** 30, server,",
    killedBy: [
      world("an adopt that is overtaken behind its mark, and fails before who came has its row"),
    ],
  },
  {
    name: "mark-that-stays-is-what-failed",
    removes: "Who adopts hears why that failed, also where the mark could not be taken off.",
    file: `${core}/AdoptStranger.ts`,
    from: 'Effect.catchAll((failure) => Effect.logWarning("a mark of an adopt stays", failure)),',
    to: "",
    killedBy: [world(`${failedAdopt}, which would go off late`)],
  },
  {
    name: "gc-forgets-by-the-number-alone",
    removes: "A gc forgets what is due of a name, and nothing for what is due of another.",
    file: `${core}/Gc.ts`,
    from: "loose.filter((s) => s.session === session)",
    to: "loose",
    killedBy: [world("a gc of snapshots of two names, which are old and young")],
  },
  {
    name: "name-in-use-is-told-to-be-forgotten",
    removes: "What a gc tells to be forgotten is gone.",
    file: `${core}/GcStep.ts`,
    from: "if (!isGone) return",
    to: "if (false) return",
    killedBy: [world("a gc of a name that is used and ended meanwhile")],
  },
];

/** Of what a program has, and does again. */
const againMutants: ReadonlyArray<Mutant> = [
  {
    name: "lease-without-a-row-is-not-lost",
    removes: "A turn hears that its lease is lost, also where the name has none any more.",
    file: `${core}/TurnWatch.ts`,
    from: "if (found === null || !sameLease(found, lease)) {",
    to: "if (!sameLease(found as never, lease)) {",
    killedBy: [
      world("a turn that runs on in one program, and its session is deleted by another"),
      world("a turn that runs on in one program, and its session is made anew by another"),
    ],
  },
  {
    name: "sweeper-ends-for-ever",
    removes: "Leases are swept for again when there is something to sweep for again.",
    file: `${core}/LeaseSweep.ts`,
    from: `      isRunning = false;
      return false;`,
    to: "      return false;",
    killedBy: [world("leases that are owed, one after the other")],
  },
  {
    name: "program-has-two-names",
    removes: "A program takes one name and one lock, however much it begins with at once.",
    file: `${sqlite}/Self.ts`,
    from: "pipe(Effect.uninterruptible, turns.withPermits(1))",
    to: "pipe(Effect.uninterruptible)",
    killedBy: [world("a program that begins, and claims two names at once, on SQLite")],
  },
  {
    name: "program-does-not-know-itself",
    removes: "What a program has is its own, in its own eyes.",
    file: `${sqlite}/Self.ts`,
    from: 'return other === name ? "self" : "unknown";',
    to: 'return "unknown" as Holder;',
    killedBy: [
      world("a program holds a claim and a lease, and another sees it"),
      world("a program that begins, and claims two names at once, on SQLite"),
    ],
  },
  {
    name: "doubt-is-looked-at-under-its-own-epoch",
    removes: "A look behind a doubt has a new epoch, also where that could not be had at once.",
    file: `${core}/Holding.ts`,
    from: "      if (renewalDue) yield* renewal;\n",
    to: "",
    killedBy: [world("create that comes late, its registry gone for a while, and delete")],
  },
];

/** Of limits, values, readers and messages. */
const toldMutants: ReadonlyArray<Mutant> = [
  {
    name: "what-runs-has-no-limit",
    removes: "A session that runs is ended when its time is over.",
    file: `${core}/TimeLimits.ts`,
    from: 'if (state !== "running" && state !== "exited") return [];',
    to: 'if (state !== "exited") return [];',
    killedBy: [world("limits, and another program's verb at any call of it")],
  },
  {
    name: "limits-never-pass",
    removes: "A session with a limit is over when that has passed.",
    file: `${core}/TimeLimits.ts`,
    from: "if (record.spec.ttlMs === undefined && record.spec.idleTtlMs === undefined)",
    to: "if (true)",
    killedBy: [world("limits, and another program's verb at any call of it")],
  },
  {
    name: "values-go-along-unasked",
    removes: "Who says so starts a session without the values of before, and nobody else.",
    file: `${core}/SuppliedAgain.ts`,
    from: "given.withoutEnv === true",
    to: "given.withoutEnv === false",
    killedBy: [world("values, held and given")],
  },
  {
    name: "nobody-hurries",
    removes: "A delete hurries what runs before it.",
    file: `${core}/MailboxQueues.ts`,
    from: "joining?.hurries === true",
    to: "joining?.hurries === false",
    killedBy: [world("a message that waits, and one that hurries behind it")],
  },
  {
    name: "reader-is-over-at-once",
    removes: "A reader gives what was recorded, and then how it ended.",
    file: `${core}/OutputReader.ts`,
    from: "private over = false",
    to: "private over = true",
    killedBy: [world("read output ∥ delete, two programs")],
  },
  {
    name: "reader-does-not-hear-of-a-close",
    removes: "A reader hears that its program lets go of the session.",
    file: `${core}/OutputReader.ts`,
    from: "private sawClosed = false",
    to: "private sawClosed = true",
    killedBy: [world("who follows and waits in a program that ends")],
  },
  {
    name: "list-needs-tmux",
    removes: "A list is given also where tmux does not answer, and says what is not known.",
    file: `${core}/Readers.ts`,
    from: `    listed._tag === "Right"
      ? viewOf(record, listed.right.listing)`,
    to: `    listed._tag === "Right" || record.generation > 0
      ? viewOf(record, (listed as Extract<typeof listed, { _tag: "Right" }>).right.listing)`,
    killedBy: [world("list, and a fault of any call of it")],
  },
  {
    name: "plain-input-goes-to-the-first-terminal",
    removes: "Input is for the terminal that was named.",
    file: `${core}/Sessions.ts`,
    from: "actor.send(session, input, options?.terminal ?? null)",
    to: "actor.send(session, input, null)",
    killedBy: [world("the terminal that is meant, and one that is no more")],
  },
];

const pathless = world("a program that is looked for where there is no PATH");

/** Of programs that are looked for, by each that makes something. */
const lookedMutants: ReadonlyArray<Mutant> = (
  [
    ["create", "Creation"],
    ["add", "TerminalCreation"],
    ["restore", "Restore"],
  ] as const
).map(([verb, file]) => ({
  name: `${verb}-needs-a-path`,
  removes: "A program is looked for in the usual places where there is no PATH.",
  file: `${core}/${file}.ts`,
  from: "path ?? DEFAULT_PATH",
  to: 'path ?? ""',
  killedBy: [pathless],
}));

/** Of files, which a test of the registry's contract looks at. */
const fileMutants: ReadonlyArray<Mutant> = [
  {
    name: "directories-left-over-are-not-told",
    removes: "What is left of who made a registry is told, as his lock is.",
    file: `${sqlite}/Leftovers.ts`,
    from: "return [...locks, ...directories.map(({ leftover }) => leftover)];",
    to: "return [...locks];",
    killedBy: [
      {
        test: "of the dead are told without being touched, and gone when that is asked for",
        in: "test/contract/registry.leftovers.fake.test.ts",
      },
    ],
  },
  {
    name: "parents-of-a-home-are-not-made",
    removes: "A home is made with its parents that are missing.",
    file: `${sqlite}/HomeFiles.ts`,
    from: "if (!fs.existsSync(parent)) makePrivate(parent);",
    to: "",
    killedBy: [
      {
        test: "makes the parents of a home that are missing, all of them private",
        in: "test/contract/registry.files.fake.test.ts",
      },
    ],
  },
  {
    name: "what-is-made-was-there-already",
    removes: "Who makes something hears that he did, and makes it private.",
    file: `${sqlite}/HomeFiles.ts`,
    from: `    act();
    return true;`,
    to: `    act();
    return false;`,
    killedBy: [
      {
        test: "is a registry of its own, private, with everything that was there",
        in: "test/contract/registry.disk.fake.test.ts",
      },
    ],
  },
  {
    name: "aside-needs-every-file",
    removes: "What is left of a registry whose move was cut off is kept aside, too.",
    file: `${sqlite}/Aside.ts`,
    from: "if (found === null || (part",
    to: "if ((part",
    killedBy: [
      {
        test: "of which only the log is left, as when somebody died in between",
        in: "test/contract/registry.aside.fake.test.ts",
      },
    ],
  },
];

/** Of all that. */
export const sweptAgainMutants: ReadonlyArray<Mutant> = [
  ...leftMutants,
  ...againMutants,
  ...toldMutants,
  ...lookedMutants,
  ...fileMutants,
];
