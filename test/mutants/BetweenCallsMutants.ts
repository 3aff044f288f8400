/**
 * BetweenCallsMutants: what a program keeps from one call to the next is no older than it may be:
 * who was found dead, what was read of the log, that a holder lived when he was asked for.
 *
 * Their worlds ask for the same thing again and again, while others begin, commit, end and die.
 */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is the text of source
import { type Mutant, world } from "./Mutant.js";

const self = "packages/sqlite/src/Self.ts";
const watch = "packages/sqlite/src/LogWatch.ts";

const wait = "packages/core/src/ClaimWait.ts";

const allHave = "two programs begin at once and ask for all that each has";

/** Of what is kept between calls. */
export const betweenCallsMutants: ReadonlyArray<Mutant> = [
  {
    name: "a-free-lock-is-remembered",
    removes: "Whose lock was free once is asked for again: he may just have begun.",
    file: self,
    from: "    let swept = false;\n",
    to: "    let swept = false;\n    const ended = new Set<string>();\n",
    and: [
      {
        file: self,
        from: "const life = (other: string) => lifeOf(",
        to: 'const life = (other: string): Effect.Effect<Life> =>\n      ended.has(other) ? Effect.succeed("dead") : lifeOf(',
      },
      {
        file: self,
        from: '"free") continue;\n',
        to: '"free") continue;\n            ended.add(other);\n',
      },
    ],
    killedBy: [world(`${allHave}, and one ends`), world(`${allHave}, and one dies`)],
  },
  {
    name: "the-watch-knows-what-anybody-read",
    removes: "What one who waits has read is news to those who waited before him.",
    file: watch,
    from: "  waiting = 0;\n",
    to: "  waiting = 0;\n  seen = 0;\n",
    and: [
      {
        file: watch,
        from: "        gate.waiting++;\n",
        to: "        gate.waiting++;\n        gate.seen = known;\n",
      },
      { file: watch, from: "now.right === seen)", to: "now.right === gate.seen)" },
      {
        file: watch,
        from: "if (Either.isRight(now)) seen = now.right;",
        to: "if (Either.isRight(now)) gate.seen = seen = now.right;",
      },
    ],
    killedBy: [world("subscribers of one program, and commits of another")],
  },
  {
    name: "the-watch-ends-for-good",
    removes: "Where nobody waited for a while, who waits then is watched for again.",
    file: watch,
    from: "        gate.isWatched = false;\n",
    to: "",
    killedBy: [world("subscribers of one program, and commits of another")],
  },
  {
    name: "who-lived-once-is-not-asked-for-again",
    removes: "Whoever waits asks again whether a holder lives who lived when he was asked for.",
    file: wait,
    from: "    let now = yield* Clock.currentTimeMillis;\n",
    to: "    let now = yield* Clock.currentTimeMillis;\n    let lives: string | null = null;\n",
    and: [
      {
        file: wait,
        from: "const asksLife = now",
        to: "const asksLife: boolean = lives === `${seen.owner} ${seen.epoch}` ? false : now",
      },
      {
        file: wait,
        from: "      seen = seenAgain(",
        to: '      if (claim.holder === "alive") lives = `${claim.owner} ${claim.epoch}`;\n      seen = seenAgain(',
      },
    ],
    killedBy: [
      world("two wait for a claim that one keeps"),
      world("two wait for a claim that one keeps, and then another"),
    ],
  },
];
