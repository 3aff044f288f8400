/**
 * ReconcileTable: every row state with every claim holder and every observation, on the real flow.
 *
 * Goal: the table of the design, whole. Method: a session is made on the fake, its row and claim
 * are put into the state in question, and tmux is brought to what is to be observed. Then the plan,
 * `decide`, every reader, one reconcile and a second one must agree with the table, which is
 * written here from the design and not from the code; and two programs that reconcile at the same
 * moment must end where one does.
 */
import { describe, expect, it } from "@effect/vitest";
import {
  type Decision,
  decide,
  type Observation,
  type SessionRecord,
  SessionState,
  type Sessions,
} from "@troupe/core";
import { Effect, Either } from "effect";
import {
  arranged,
  durable,
  holders,
  type Row,
  rows,
  type Sight,
  sights,
  stateOfRow,
} from "./Arranged.js";
import { type FakeHome, pass } from "./FakeHome.js";

/** What a reconcile makes of it: the row, with its cause, and what tmux has then. */
interface Outcome {
  readonly row: Row | "LookupFailed" | "NotFound";
  readonly cause?: string;
  readonly inTmux: ReadonlyArray<string>;
}

const isPresent = (sight: Sight): boolean => sight.startsWith("present");

const causes: Partial<Record<Sight, string>> = {
  "absent from its server": "vanished",
  "absent, its server dead": "server gone",
  "absent, from before a reboot": "reboot",
  "absent, its name a stranger's": "replaced",
};

const before = (row: Row, sight: Sight): ReadonlyArray<string> => {
  if (sight === "not to be looked at") return row === "none" ? [] : ["a"];
  return isPresent(sight) || sight.includes("stranger") ? ["a"] : [];
};

/** The table of the design, for a claim that nobody living holds. */
const expected = (row: Row, sight: Sight): Outcome => {
  const stays = sight.includes("stranger") ? ["a"] : [];
  if (sight === "not to be looked at") return { row: "LookupFailed", inTmux: ["a"] };
  const alive = sight === "present, its program alive";
  switch (row) {
    case "creating":
      return { row: "failed", inTmux: stays };
    case "restoring": {
      const late = isPresent(sight) ? "" : " before tmux had it";
      return { row: "lost", cause: `its restore was cut off${late}`, inTmux: stays };
    }
    case "deleting":
      return { row: "deleted", inTmux: stays };
    case "failed":
    case "deleted":
      return { row, inTmux: stays };
    case "none":
      if (!isPresent(sight)) return { row: "NotFound", inTmux: stays };
      return { row: alive ? "running" : "exited", cause: "adopted", inTmux: ["a"] };
    case "running":
    case "exited":
    case "lost": {
      if (isPresent(sight)) return { row: alive ? "running" : "exited", inTmux: ["a"] };
      const cause = row === "lost" ? "as before" : causes[sight];
      return { row: "lost", ...(cause === undefined ? {} : { cause }), inTmux: stays };
    }
  }
};

/** The state that a row has, by every reader; each once when all agree. */
const readings = Effect.fnUntraced(function* (sessions: Sessions["Type"]) {
  const got = yield* Effect.either(sessions.get("a"));
  const { sessions: listed } = yield* sessions.list({ all: true });
  const planned = yield* Effect.either(sessions.reconcilePlan);
  const told = [
    Either.isRight(got) ? got.right.state : got.left._tag === "NotFound" ? "none" : got.left._tag,
    listed.find(({ session }) => session === "a")?.state ?? "none",
    ...(Either.isRight(planned) ? planned.right : []).flatMap(({ outcome }) =>
      Either.isRight(outcome) && got._tag === "Right" ? [outcome.right.before] : [],
    ),
  ];
  return [...new Set(told)];
});

const ending = (record: SessionRecord | undefined): string => record?.state ?? "none";

const stateOf = (home: FakeHome): string => ending([...home.store.records.values()].at(-1));

const reconciled = (sessions: Sessions["Type"]) => Effect.either(pass(sessions.reconcile("a")));

for (const row of rows) {
  describe(`a row that is ${row}`, () => {
    for (const sight of sights) {
      const outcome = expected(row, sight);
      it.scoped(`and ${sight} comes to ${outcome.row}, unless somebody living holds it`, () =>
        Effect.gen(function* () {
          for (const holder of holders) {
            const home = yield* arranged(row, sight, holder);
            const held = holder === "alive" || holder === "unknown";
            if (row === "none" && holder !== "none") continue;
            const state = row === "none" ? row : stateOfRow(row);
            expect(yield* readings(home.sessions), holder).toEqual([state]);
            const planned = yield* Effect.either(home.sessions.reconcilePlan);
            const plan = Either.isRight(planned) ? planned.right : [];
            const due = plan.filter(({ outcome: of }) => Either.isRight(of) && of.right.changed);
            if (held && !(["failed", "deleted"].includes(row) && isPresent(sight))) {
              expect(due, holder).toEqual([]);
            }
            const first = yield* reconciled(home.sessions);
            if (held) {
              const unknown = first._tag === "Right" ? first.right : null;
              expect(unknown, holder).toMatchObject({ after: state, changed: false });
              expect(stateOf(home), holder).toBe(state);
            } else if (outcome.row === "LookupFailed" || outcome.row === "NotFound") {
              expect(Either.isLeft(first) && first.left._tag, holder).toBe(outcome.row);
              expect(stateOf(home), holder).toBe(state);
            } else {
              expect(stateOf(home), holder).toBe(outcome.row);
              const { cause } = yield* home.record("a");
              if (outcome.cause !== undefined) expect(cause, holder).toBe(outcome.cause);
            }
            const { inTmux } = yield* durable(home);
            expect(inTmux, holder).toEqual(held ? before(row, sight) : outcome.inTmux);
          }
        }),
      );
    }
  });
}

describe("a reconcile", () => {
  for (const row of rows) {
    it.scoped(`of a row that is ${row} does what its plan said, and a second one nothing`, () =>
      Effect.gen(function* () {
        for (const sight of sights.slice(0, -1)) {
          const home = yield* arranged(row, sight, "dead");
          const untouched = yield* durable(home);
          const plan = yield* home.sessions.reconcilePlan;
          expect(yield* durable(home), sight).toEqual(untouched);
          yield* pass(home.sessions.reconcileAll);
          const [item] = plan;
          const after =
            item !== undefined && Either.isRight(item.outcome) ? item.outcome.right : null;
          if (after !== null) expect(stateOf(home), sight).toBe(after.after);
          else expect(stateOf(home), sight).toBe(row);
          const once = yield* durable(home);
          yield* Effect.either(pass(home.sessions.reconcile("a")));
          const again = yield* pass(home.sessions.reconcileAll);
          expect(yield* durable(home), sight).toEqual(once);
          const changes = again.map(
            ({ outcome }) => Either.isRight(outcome) && outcome.right.changed,
          );
          expect(changes.filter(Boolean), sight).toEqual([]);
          expect(yield* readings(home.sessions), sight).toHaveLength(1);
        }
      }),
    );

    it.scoped(`of a row that is ${row} ends the same by two programs at once as by one`, () =>
      Effect.gen(function* () {
        for (const sight of sights.slice(0, -1)) {
          const alone = yield* arranged(row, sight, "dead");
          yield* pass(alone.sessions.reconcileAll);
          const together = yield* arranged(row, sight, "dead");
          const second = yield* together.program("second");
          const both = [together.sessions.reconcileAll, second.reconcileAll];
          yield* pass(Effect.forEach(both, Effect.either, { concurrency: "unbounded" }));
          yield* pass(second.reconcileAll);
          const [one, two] = [yield* durable(alone), yield* durable(together)];
          const states = ({ rows }: typeof one) => rows.map(({ cause, state }) => [state, cause]);
          expect([states(two), two.inTmux], sight).toEqual([states(one), one.inTmux]);
          const told = ({ events }: typeof one) => events.map(({ body }) => body);
          expect(told(two), sight).toEqual(told(one));
        }
      }),
    );
  }
});

describe("decide", () => {
  const whys = ["vanished", "replaced", "server gone", "reboot"] as const;
  const tags: Readonly<Record<SessionState, Decision["_tag"]>> = {
    creating: "Fail",
    running: "Refresh",
    exited: "Refresh",
    lost: "Nothing",
    deleting: "FinishDelete",
    failed: "Nothing",
    deleted: "Nothing",
  };
  for (const state of SessionState.literals) {
    it.scoped(
      `says the same of a row that is ${state} whyever it is absent, and keeps the why`,
      () =>
        Effect.gen(function* () {
          const home = yield* arranged(state, "present, its program alive", "none");
          const record = yield* home.record("a");
          for (const why of whys) {
            const absent: Observation = { _tag: "Absent", why };
            const decision = decide(record, absent);
            expect(decision._tag).toBe(tags[state]);
            if (decision._tag !== "Refresh") continue;
            const [move] = decision.changes.slice(-1);
            expect(move).toMatchObject({ _tag: "Move", to: "lost", cause: why });
          }
        }),
    );
  }
});
