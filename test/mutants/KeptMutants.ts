/**
 * KeptMutants: what is kept of terminals, their output and their snapshots, and what ends a session
 * that nobody names: a gc, and the end of its time.
 *
 * Guards that stand behind each other go together, where the second would hide the first.
 */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is the text of source
import { type Mutant, world } from "./Mutant.js";

const core = "packages/core/src";

/** Of what is kept, and of what collects. */
export const keptMutants: ReadonlyArray<Mutant> = [
  {
    name: "gc-removes-files-of-what-it-keeps",
    removes: "Files go only of the incarnation that is forgotten, and behind that verdict.",
    file: `${core}/GcStep.ts`,
    from: "const due = records.filter(({ incarnation }) => incarnations.includes(incarnation));",
    to: "const due = incarnations.length === 0 ? [] : records;",
    and: [
      {
        file: `${core}/GcStep.ts`,
        from: `    if (verdict !== "forget") return done({ kept: [item] });
    const outputs = yield* OutputFiles;
`,
        to: `    const outputs = yield* OutputFiles;
    if (verdict !== "forget") {
      yield* outputs.remove(record.incarnation);
      return done({ kept: [item] });
    }
`,
      },
    ],
    killedBy: [world("gc: trouble"), world("gc ∥ delete: two programs")],
  },
  {
    name: "gc-tells-as-forgotten-what-it-could-not-remove",
    removes: "What of its files could not be removed is not told as forgotten.",
    file: `${core}/GcStep.ts`,
    from: "    yield* outputs.remove(record.incarnation);\n",
    to: "    yield* Effect.ignore(outputs.remove(record.incarnation));\n",
    and: [
      {
        file: `${core}/GcStep.ts`,
        from: "    yield* snapshots.remove(record.session, record.generation);\n",
        to: "    yield* Effect.ignore(snapshots.remove(record.session, record.generation));\n",
      },
    ],
    killedBy: [world("gc: trouble")],
  },
  {
    name: "gc-forgets-rows-before-files",
    removes:
      "Files go before their row, which says what is still to be removed; or they are found.",
    file: `${core}/GcStep.ts`,
    from: `    yield* outputs.remove(record.incarnation);
    yield* snapshots.remove(record.session, record.generation);
    const registry = yield* Registry;
    yield* holding.write((claim) => registry.forget(claim, record.incarnation, dead));
`,
    to: `    const registry = yield* Registry;
    yield* holding.write((claim) => registry.forget(claim, record.incarnation, dead));
    yield* outputs.remove(record.incarnation);
    yield* snapshots.remove(record.session, record.generation);
`,
    and: [
      {
        file: `${core}/GcPlan.ts`,
        from: "const known = new Set(reading.records.map((r) => `${r.session}/${r.generation}`));",
        to: "const known = new Set(reading.snapshots.map((r) => `${r.session}/${r.generation}`));",
      },
    ],
    killedBy: [world("gc: trouble")],
  },
  {
    name: "gc-forgets-snapshots-of-what-runs",
    removes:
      "A snapshot is of a row, whatever its state, when it is judged and when it is removed.",
    file: `${core}/GcPlan.ts`,
    from: "const known = new Set(reading.records.map((r) => `${r.session}/${r.generation}`));",
    to: `const ended = reading.records.filter(({ state }) => isFinal(state));
  const known = new Set(ended.map((r) => \`\${r.session}/\${r.generation}\`));`,
    and: [
      {
        file: `${core}/GcStep.ts`,
        from: "orphans.filter((number) => !known.has(number))",
        to: "orphans.filter((number) => !known.has(-number))",
      },
    ],
    killedBy: [world("gc, and a snapshot of what still runs")],
  },
  {
    name: "gc-forgets-what-is-lost",
    removes: "What is lost is kept until somebody restores or deletes it.",
    file: `${core}/GcPlan.ts`,
    from: 'if (record.state === "lost") return ["keep",',
    to: 'if (record.state === "lost") return ["forget",',
    killedBy: [world("gc: trouble")],
  },
  {
    name: "gc-forgets-a-name-that-was-used-again",
    removes: "The claim of a name goes only when no row of it is known in that very step.",
    file: `${core}/RegistryMemoryForgetting.ts`,
    from: "        if (recordsOf(claim.session).length > 0) return Effect.succeed(false);\n",
    to: "",
    and: [
      {
        file: `${core}/GcStep.ts`,
        from: '  if (ours) return "tmux has a session of it";\n',
        to: "",
      },
      {
        file: `${core}/GcStep.ts`,
        from: "const ours = look.sessions.some((s) => s.name === session && s.mark?.home === home);\n",
        to: "void home;\n",
      },
    ],
    killedBy: [world("gc beside another session, and a create at any call of it")],
  },
  {
    name: "gc-counts-from-the-beginning",
    removes: "What a gc forgets or deletes ended so long ago; how old it is does not matter.",
    file: `${core}/GcPlan.ts`,
    from: "const age = ageOf(record.updatedAt, bounds);\n  const ended = `${record.state}",
    to: "const age = ageOf(record.createdAt, bounds);\n  const ended = `${record.state}",
    and: [
      {
        file: `${core}/GcPlan.ts`,
        from: "const age = ageOf(record.updatedAt, bounds);\n  const { exitedMs }",
        to: "const age = ageOf(record.createdAt, bounds);\n  const { exitedMs }",
      },
    ],
    killedBy: [world("what a gc says before it does it, and what is old enough")],
  },
  {
    name: "snapshot-is-told-and-not-kept",
    removes: "A snapshot is told as kept when it is, and not when tmux has told what it shows.",
    file: `${core}/BeforeKill.ts`,
    from: "if (pane !== undefined) yield* snapshots.keep(shot(doomed, terminal, pane, at));",
    to: `if (pane === undefined) continue;
    yield* Effect.catchAllCause(snapshots.keep(shot(doomed, terminal, pane, at)), () => Effect.void);`,
    killedBy: [
      world("delete of what printed, and files that fail"),
      world("delete a terminal of what printed, and files that fail"),
    ],
  },
  {
    name: "snapshot-of-the-first-living-pane",
    removes: "What is kept of a terminal is what its own pane shows.",
    file: `${core}/BeforeKill.ts`,
    from: "captured.find((one) => one.paneId === paneId)",
    to: "captured.find((one) => one.exit === null || one.paneId === paneId)",
    killedBy: [world("delete of what printed, and files that fail")],
  },
  {
    name: "snapshot-behind-the-intent-alone",
    removes:
      "What a terminal shows is kept before anything of it is changed, by the first who asks.",
    file: `${core}/BeforeKill.ts`,
    from: 'if (panes.length === 0) return "none" as const;',
    to: 'if (panes.length === 0 || doomed.record.state !== "deleting") return "none" as const;',
    killedBy: [
      world("delete of what printed, and files that fail"),
      world("delete a terminal of what printed, and files that fail"),
    ],
  },
  {
    name: "cut-off-delete-begins-its-snapshots-anew",
    removes: "Whoever finishes a delete leaves what was kept before, of what is gone by now.",
    file: `${core}/BeforeKill.ts`,
    from: `  const server = serverOf(doomed.listing);
`,
    to: `  const server = serverOf(doomed.listing);
  const { generation, session: named, state } = doomed.record;
  if (state === "deleting") yield* (yield* Snapshots).remove(named, generation);
`,
    killedBy: [world("delete of what printed, and files that fail")],
  },
  {
    name: "unread-silence-counts-from-the-beginning",
    removes: "Where it is not known when something was printed, no limit without output passes.",
    file: `${core}/TimeLimits.ts`,
    from: "    const left = yield* files.left;\n",
    to: "    const left = yield* Effect.orElseSucceed(files.left, () => []);\n",
    and: [
      {
        file: `${core}/TimeLimits.ts`,
        from: "return left.find((output) => output.incarnation === incarnation)?.at ?? null;",
        to: "return left.find((output) => output.incarnation === incarnation)?.at ?? 0;",
      },
    ],
    killedBy: [world("reconcile of what is idle, and files that fail")],
  },
  {
    name: "silence-counts-from-the-beginning",
    removes: "A session that printed is over that long behind its last print.",
    file: `${core}/TimeLimits.ts`,
    from: "Math.max(createdAt, lastOutputAt)",
    to: "Math.min(createdAt, lastOutputAt)",
    killedBy: [world("reconcile of what was idle, and printed")],
  },
];
