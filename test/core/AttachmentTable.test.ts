/**
 * The attachment table: that it has an answer to everything, what holds of it over any history, and
 * that the documentation shows it.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import {
  type AttachmentEvent,
  type AttachmentState,
  AwakeMillis,
  attachmentRow,
  attachmentTable,
  attachmentTableText,
  ClientId,
  type EndReason,
  type OrphanDecision,
  stepAttachment,
  TurnId,
  unattended,
} from "@troupe/core";
import { FastCheck } from "effect";
import { describe, expect, it } from "vitest";

const ids = ["x", "y", "z"].map((id) => ClientId.make(id));
const turns = ["t1", "t2"].map((id) => TurnId.make(id));
const moment = FastCheck.integer({ min: 0, max: 100_000 }).map((at) => AwakeMillis(at));
const client = FastCheck.constantFrom(...ids);
const turn = FastCheck.constantFrom(...turns);
const graceMs = FastCheck.constantFrom(0, 20_000);
const reason = FastCheck.constantFrom<EndReason>("explicit_close", "lease_lost", "lru_evict");
const holds = FastCheck.integer({ min: 1, max: 4 });

const decision: FastCheck.Arbitrary<OrphanDecision> = FastCheck.oneof(
  FastCheck.constantFrom<OrphanDecision>({ _tag: "KeepAttached" }, { _tag: "Park" }),
  FastCheck.record({
    _tag: FastCheck.constant("RecheckAt" as const),
    at: moment,
    why: FastCheck.constantFrom("turn-active" as const, null),
  }),
  FastCheck.record({
    _tag: FastCheck.constant("InterruptOnce" as const),
    turn,
    settlesBy: moment,
  }),
  FastCheck.record({ _tag: FastCheck.constant("Reap" as const), forced: FastCheck.boolean() }),
);

const tagged = <T extends string, R extends object>(
  tag: T,
  fields: { readonly [K in keyof R]: FastCheck.Arbitrary<R[K]> },
) => FastCheck.record(fields).map((record) => ({ _tag: tag, ...(record as R) }));

/** Any event; a few numbers, so that they meet. */
const event: FastCheck.Arbitrary<AttachmentEvent> = FastCheck.oneof(
  tagged("Attach", {
    viewer: FastCheck.record({
      client,
      since: moment,
      holds: holds.map((hold) => [hold] as const),
      closes: FastCheck.constantFrom(false, false, true),
    }),
    isLive: FastCheck.constantFrom(true, true, false),
    waits: FastCheck.boolean(),
  }),
  tagged("Expect", { at: moment, graceMs }),
  tagged("Leave", { client, hold: FastCheck.option(holds), at: moment, graceMs }),
  tagged("Due", { generation: FastCheck.integer({ min: 0, max: 4 }), decision }),
  tagged("Settled", { turn, isNext: FastCheck.boolean(), at: moment, graceMs }),
  tagged("End", { reason }),
  tagged("Evict", { reason, isIdle: FastCheck.boolean() }),
  tagged("Done", {}),
);

/** How a writer comes to be left, and its turn to be interrupted: by chance alone that is rare. */
const [first = ClientId.make("x"), ...others] = ids;
const begun: ReadonlyArray<AttachmentEvent> = [
  {
    _tag: "Attach",
    viewer: { client: first, since: AwakeMillis(0), holds: [1], closes: false },
    isLive: true,
    waits: false,
  },
  { _tag: "Leave", client: first, hold: null, at: AwakeMillis(0), graceMs: 20_000 },
  {
    _tag: "Due",
    generation: 1,
    decision: { _tag: "InterruptOnce", turn: TurnId.make("t1"), settlesBy: AwakeMillis(9) },
  },
];
const comesAgain = others.map(
  (each, index): AttachmentEvent => ({
    _tag: "Attach",
    viewer: { client: each, since: AwakeMillis(1), holds: [index + 1], closes: false },
    isLive: true,
    waits: true,
  }),
);

const history = FastCheck.tuple(
  FastCheck.constantFrom([], begun.slice(0, 2), begun, [...begun, ...comesAgain]),
  FastCheck.array(event, { maxLength: 12 }),
).map(([prefix, rest]) => [...prefix, ...rest]);

const stateAfter = (events: ReadonlyArray<AttachmentEvent>): AttachmentState =>
  events.reduce<AttachmentState>((state, each) => stepAttachment(state, each).state, unattended);

const generationOf = (state: AttachmentState): number =>
  "generation" in state ? state.generation : Number.POSITIVE_INFINITY;

const check = (property: Parameters<typeof FastCheck.assert>[0]) =>
  FastCheck.assert(property, { seed: 11, numRuns: 2_000 });

/** What holds in every state. */
const isSound = (state: AttachmentState): boolean => {
  if (state._tag === "Interrupting") {
    return state.waiting.every((viewer) => viewer.holds.length > 0);
  }
  if (state._tag !== "Attached") return true;
  const { viewers } = state;
  const different = new Set(viewers.map((viewer) => viewer.client)).size === viewers.length;
  return viewers.length > 0 && different && viewers.every((viewer) => viewer.holds.length > 0);
};

describe("the table", () => {
  it("is what the documentation shows", () => {
    const path = fileURLToPath(new URL("../../docs/attachments.md", import.meta.url));
    const text = readFileSync(path, "utf8");
    const [before = "", rest = ""] = text.split("<!-- table -->\n");
    const [, behind = ""] = rest.split("<!-- end of the table -->");
    const table = `${attachmentTableText()}\n`;
    const whole = `${before}<!-- table -->\n${table}<!-- end of the table -->${behind}`;
    if (process.env.TROUPE_GOLDEN === "write") writeFileSync(path, whole);
    else expect(text).toBe(whole);
  });

  it("has a row for every event in every state, and each row is somebody's", () => {
    const used = new Set<unknown>();
    check(
      FastCheck.property(history, (events) => {
        let state: AttachmentState = unattended;
        for (const each of events) {
          used.add(attachmentRow(state, each));
          state = stepAttachment(state, each).state;
        }
      }),
    );
    const unused = attachmentTable.filter((row) => !used.has(row));
    expect(unused.map(({ does, event, from }) => [from.join(), event, does])).toEqual([]);
  });

  it("comes to the state that its row says", () => {
    check(
      FastCheck.property(history, event, (events, last) => {
        const before = stateAfter(events);
        const { from, to } = attachmentRow(before, last);
        const { state } = stepAttachment(before, last);
        return from.includes(before._tag) && (to === null ? state === before : state._tag === to);
      }),
    );
  });
});

describe("whatever comes, in whatever order,", () => {
  it("attached is who has somebody, each once and by an open attachment", () => {
    check(FastCheck.property(history, (events) => isSound(stateAfter(events))));
  });

  it("who is refused has changed nothing, and to leave twice is to leave once", () => {
    check(
      FastCheck.property(history, event, (events, last) => {
        const before = stateAfter(events);
        const { action, state } = stepAttachment(before, last);
        if (action.startsWith("refuse")) return state === before;
        return last._tag !== "Leave" || stepAttachment(state, last).state === state;
      }),
    );
  });

  it("the number of a detachment only grows, and what is of an older one does nothing", () => {
    check(
      FastCheck.property(history, event, (events, last) => {
        const before = stateAfter(events);
        const { state } = stepAttachment(before, last);
        if (generationOf(state) < generationOf(before)) return false;
        const isStale = last._tag === "Due" && last.generation !== generationOf(before);
        return !isStale || state === before;
      }),
    );
  });

  it("nobody who is there is interrupted or reaped, and of one detachment it is done once", () => {
    check(
      FastCheck.property(history, (events) => {
        const interrupted = new Set<number>();
        let [state, ends] = [unattended, 0];
        for (const each of events) {
          const before = state;
          const step = stepAttachment(before, each);
          state = step.state;
          if (step.action === "interrupt") {
            if (before._tag !== "Detached" || interrupted.has(before.generation)) return false;
            interrupted.add(before.generation);
          }
          const isDue = each._tag === "Due" || each._tag === "Settled" || each._tag === "Evict";
          if (step.action === "reap" && isDue && before._tag === "Attached") return false;
          if (state._tag === "Reaping" && before._tag !== "Reaping") ends += 1;
        }
        return ends <= 1;
      }),
    );
  });

  it("a detachment with a grace has a moment at which it is looked at", () => {
    check(
      FastCheck.property(history, client, moment, (events, who, at) => {
        const before = stateAfter(events);
        const leaves: AttachmentEvent = {
          _tag: "Leave",
          client: who,
          hold: null,
          at,
          graceMs: 20_000,
        };
        const { action, state } = stepAttachment(before, leaves);
        const isNew = state._tag === "Detached" && before._tag === "Attached";
        return !isNew || (action === "arm" && state.due === at + 20_000);
      }),
    );
  });

  it("the end of a writer is left by nothing but that it is done", () => {
    check(
      FastCheck.property(history, event, (events, last) => {
        const before = stateAfter(events);
        const { state } = stepAttachment(before, last);
        if (before._tag === "Gone") return state === before;
        return before._tag !== "Reaping" || state === before || last._tag === "Done";
      }),
    );
  });
});
