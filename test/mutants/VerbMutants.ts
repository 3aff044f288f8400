/**
 * VerbMutants: guards of what a verb is told: its options, its names, the terminal and the session
 * that are meant, values that are given, limits, and what a program that starts finishes.
 *
 * Each was a guard that no world missed, before its verb ran in one with that option.
 */
import { type Mutant, test, world } from "./Mutant.js";

const core = "packages/core/src";

const terminals = "the terminal that is meant, and one that is no more";
const last = "the last terminal, a peer that a user closed, and a window of a user's";
const restores = "a restore that could not be, which changes nothing";
const deletes = "deletes of two kinds at once:";

/** Of what is meant. */
const meant: ReadonlyArray<Mutant> = [
  {
    name: "request-of-another-name",
    removes: "A request that made a session of one name makes none, and gives none, of another.",
    file: `${core}/ClearName.ts`,
    from: "if (made.session === holding.session) return made;",
    to: "if (made.session.length > 0) return made;",
    killedBy: [world("a request, asked for again, of another name, and behind its end")],
  },
  {
    name: "last-terminal-despite-windows",
    removes: "The last terminal takes no session with it in which a user has windows.",
    file: `${core}/DeleteTerminal.ts`,
    from: 'if (windows.length > 0 && record.state !== "deleting") {',
    to: "if (windows.length < 0) {",
    killedBy: [world(last)],
  },
  {
    name: "peer-known-by-its-row",
    removes: "A peer whose window a user closed is none, whatever its row says.",
    file: `${core}/DeleteTerminal.ts`,
    from: '\n    .filter((t) => seen._tag === "Absent" || paneOf(t, seen) !== null);',
    to: ";",
    killedBy: [world(last)],
  },
  {
    name: "sent-to-another-terminal",
    removes: "Input for a terminal that is gone is written to no other.",
    file: `${core}/Send.ts`,
    from: "return there.find((t) => named === null || t.terminal === named) ?? null;",
    to: "return there.find((t) => t.terminal === named) ?? there[0] ?? null;",
    killedBy: [world(terminals)],
  },
  {
    name: "delete-joined-whatever-it-keeps",
    removes: "A delete that keeps a snapshot and one that keeps none are two.",
    file: `${core}/SessionActor.ts`,
    from: `\${spareDetached} \${snapshot}\``,
    to: `\${spareDetached}\``,
    killedBy: [
      world(`${deletes} delete ∥ delete, without a snapshot`),
      world(`${deletes} delete, without a snapshot ∥ delete`),
    ],
  },
  {
    name: "delete-joined-whatever-it-spares",
    removes: "A delete that spares what left its session and one that does not are two.",
    file: `${core}/SessionActor.ts`,
    from: ` \${spareDetached} \${snapshot}\``,
    to: ` \${snapshot}\``,
    killedBy: [
      world(`${deletes} delete ∥ delete, sparing`),
      world(`${deletes} delete, sparing ∥ delete`),
    ],
  },
  {
    name: "restore-beside-a-stranger",
    removes: "A restore looks for who has its name before it ends anything.",
    file: `${core}/Restore.ts`,
    from: "  yield* refuseStranger(old.record, old.listing);\n",
    to: "",
    killedBy: [world(restores)],
  },
  {
    name: "restore-without-its-directory",
    removes: "A restore looks for its directory before it ends anything.",
    file: `${core}/Restore.ts`,
    from: "  yield* checkDirectory(checked, spec.cwd);\n",
    to: "",
    killedBy: [world(restores)],
  },
  {
    name: "gap-told-to-who-wants-all",
    removes: "What of the log is not kept is told also to who wants one name of it.",
    file: `${core}/EventSubscription.ts`,
    from: 'session === null || entry.type === "gap" || entry.session === session;',
    to: 'session === null || (entry.type !== "gap" && entry.session === session);',
    killedBy: [world("what is told of the log, from where and of whom")],
  },
];

/** Of values that are given. */
const given: ReadonlyArray<Mutant> = [
  {
    name: "held-values-win",
    removes: "What the caller names wins over what is held.",
    file: `${core}/SuppliedAgain.ts`,
    from: "new Map([...held, ...supplied])",
    to: "new Map([...supplied, ...held])",
    killedBy: [world("values, held and given")],
  },
  {
    name: "a-value-of-the-host-is-as-good",
    removes: "A name that was supplied is asked for again, also where the host has one of it.",
    file: `${core}/SuppliedAgain.ts`,
    from: "(name) => !known.has(name));",
    to: "(name) => !environment.has(name));",
    killedBy: [test("SuppliedAgain", "are not the host's of the same names, although the session")],
  },
  {
    name: "values-given-take-all",
    removes: "Values that are given come beside those that are held.",
    file: `${core}/SessionScopes.ts`,
    from: "known.environment = new Map([...known.environment, ...values]);",
    to: "known.environment = new Map(values);",
    killedBy: [world("values, held and given")],
  },
];

/** Of leases. */
const leased: ReadonlyArray<Mutant> = [
  {
    name: "part-sweeps-for-all",
    removes: "A part of a program sweeps its own leases, and those of the dead.",
    file: `${core}/LeaseRows.ts`,
    from: "      record.component === component &&\n",
    to: "",
    killedBy: [world("leases of parts of one program, taken over, lent and swept")],
  },
  {
    name: "lease-moved-to-nobody",
    removes: "A lease is moved only to a name of which a session is there.",
    file: `${core}/LeaseRows.ts`,
    from: "  if (there === null) return { pruned, outcome: notFound(to) };\n",
    to: "",
    and: [
      {
        file: `${core}/LeaseRows.ts`,
        from: "session, actor, incarnation: there, turn };",
        to: "session, actor, incarnation: there ?? from.incarnation, turn };",
      },
    ],
    killedBy: [world("leases that scopes acquire, share, move and give back")],
  },
  {
    name: "borrowed-for-any-name",
    removes: "What is lent is lent for the name that the lender said.",
    file: `${core}/LeaseService.ts`,
    from: "        if (session === expecting) {",
    to: '        if (session !== "") {',
    killedBy: [world("a takeover by force, of a turn that runs, and of one that is lent")],
  },
];

/** Of what hosts do by themselves. */
const hosted: ReadonlyArray<Mutant> = [
  {
    name: "limit-that-is-known-not-waited-for",
    removes: "A host sleeps no longer than to the next limit that it knows.",
    file: `${core}/TimeLimits.ts`,
    from: "pause = Math.min(pause, limit.at - now);",
    to: "{}",
    killedBy: [world("limits ∥ create, replacing, with a limit")],
  },
  {
    name: "limit-of-what-begins-not-heard",
    removes: "A host looks for limits when a session begins.",
    file: `${core}/TimeLimits.ts`,
    from: "if (isDoubtful || page.events.some(begins)) return;",
    to: "if (isDoubtful) return;",
    killedBy: [world("limits, and a session that begins behind a look")],
  },
  {
    name: "idle-although-something-runs",
    removes: "A writer that something runs for is not idle, as is known, or as is asked.",
    file: `${core}/IdleWriters.ts`,
    from: " && !background.isHeld;",
    to: ";",
    and: [
      {
        file: `${core}/IdleWriters.ts`,
        from: "Effect.all([background.presence, nativeClients])",
        to: "Effect.all([nativeClients])",
      },
    ],
    killedBy: [world("writers that nobody uses, and more of them than may be there")],
  },
  {
    name: "idle-although-it-is-shown",
    removes: "A writer whose session a client of tmux shows is not idle.",
    file: `${core}/IdleWriters.ts`,
    from: "Effect.all([background.presence, nativeClients])",
    to: "Effect.all([background.presence])",
    killedBy: [world("writers that nobody uses, and more of them than may be there")],
  },
  {
    name: "unfinished-terminals-forgotten",
    removes: "A program that starts finishes what was begun with single terminals, too.",
    file: `${core}/Unfinished.ts`,
    from: "[state, ...terminals.map((t) => t.state)].some(",
    to: "[state, ...terminals.slice(0, 0).map((t) => t.state)].some(",
    killedBy: [world("delete a terminal, in vain, and a program that starts")],
  },
  {
    name: "end-of-a-program-not-written-down",
    removes: "A writer that ends because its program did has that written down.",
    file: `${core}/EndReason.ts`,
    from: "session_exited: { ...asked, reconciles: true,",
    to: "session_exited: { ...asked, reconciles: false,",
    killedBy: [world("turns of a writer, one behind the other, interrupted and retired")],
  },
  {
    name: "owed-limit-is-forgotten",
    removes: "What was begun at a limit and could not be ended is ended at a later look.",
    file: `${core}/TimeLimits.ts`,
    from: "limit.why : before.get(session);",
    to: "limit.why : undefined;",
    killedBy: [world("limits, and a registry or a tmux that fails")],
  },
  {
    name: "owed-limit-is-left-to-who-has-the-name",
    removes: "What was begun at a limit is ended although somebody had the name at a look.",
    file: `${core}/TimeLimits.ts`,
    from: ' && done.right.after !== "deleting"',
    to: "",
    killedBy: [test("TimeLimits", "although somebody had the name at its next look")],
  },
  {
    name: "given-back-in-advance",
    removes: "A claim is given back where the write failed that was to be its last.",
    file: `${core}/Holding.ts`,
    from: "isGivenBack ||= isLast;",
    to: "isGivenBack ||= false;",
    and: [
      {
        file: `${core}/Holding.ts`,
        from: "registry.commit(claim, incarnation, changes, options)).pipe(",
        to: `{
        isGivenBack ||= options.release;
        return registry.commit(claim, incarnation, changes, options);
      }).pipe(`,
      },
    ],
    killedBy: [
      world("delete of a program that lives on, and who comes behind it"),
      test("Holding", "is given back where the write failed that was to be its last"),
    ],
  },
  {
    name: "taker-cuts-off-where-no-lease-is",
    removes: "Who takes a lease of a name without a row cuts nobody off.",
    file: `${core}/TakeLease.ts`,
    from: "knownName(request.session, request.attempted), ",
    to: "Effect.void, ",
    killedBy: [world("adopt, and another program's verb at any call of it")],
  },
  {
    name: "bound-of-input-is-the-callers",
    removes: "The settings of a layer are those that its methods go by.",
    file: `${core}/Sessions.ts`,
    from: 'provide(inputOf(yield* parseSessionName(name, "send"), given))',
    to: 'inputOf(yield* parseSessionName(name, "send"), given)',
    killedBy: [test("layerSettings", "are read by no method")],
  },
];

/** All of them. */
export const verbMutants: ReadonlyArray<Mutant> = [...meant, ...given, ...leased, ...hosted];
