/**
 * What the registry in SQLite asks of its file: how many statements an operation runs, counted
 * where the driver runs them, and that each is prepared once.
 */
import { describe, expect, it } from "@effect/vitest";
import { type Registry, SessionName } from "@troupe/core";
import { FakeMachine } from "@troupe/testing";
import Sqlite from "better-sqlite3";
import { Effect, Option } from "effect";
import { vi } from "vitest";
import { begin, build, incarnation, sqliteHome, take, whileTimePasses } from "./registryHomes.js";

/** What every statement of the driver is made of. */
const statements = Effect.sync((): Sqlite.Statement => {
  const database = new Sqlite(":memory:");
  const prototype = Object.getPrototypeOf(database.prepare("SELECT 1"));
  database.close();
  return prototype;
});

/** The statements that the work runs, in order. */
const textsOf = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.acquireUseRelease(
    Effect.map(statements, (prototype) => {
      const texts: Array<string> = [];
      const spies = (["all", "run"] as const).map((way) => {
        const { [way]: real } = prototype;
        return vi.spyOn(prototype, way).mockImplementation(function (
          this: Sqlite.Statement,
          ...values
        ) {
          texts.push(this.source.trim());
          return Reflect.apply(real, this, values);
        });
      });
      return { spies, texts };
    }),
    ({ texts }) => Effect.map(work, () => texts),
    ({ spies }) =>
      Effect.sync(() => {
        for (const spy of spies) spy.mockRestore();
      }),
  );

/** The first words of those about claims or transactions. */
const statementsOf = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.map(textsOf(work), (texts) =>
    texts
      .filter((text) => /\bclaims\b|^(BEGIN|COMMIT)/.test(text))
      .map((text) =>
        text
          .split(/\s+/)
          .slice(0, text.startsWith("INSERT") ? 3 : 2)
          .join(" "),
      ),
  );

const released = (store: Registry["Type"]) =>
  Effect.gen(function* () {
    const claim = yield* take(store);
    yield* store.commit(claim, incarnation(1), [begin], { release: true });
  });

describe("a registry in SQLite", () => {
  it.scoped("waits for the disk where rows are written, and not where a claim is", () =>
    Effect.gen(function* () {
      const { program } = yield* sqliteHome;
      const store = yield* program;
      const texts = yield* textsOf(released(store));
      const begun = texts.lastIndexOf("BEGIN IMMEDIATE");
      const isSynced = (text: string) => text.startsWith("PRAGMA synchronous");
      expect(texts.slice(0, begun).findLast(isSynced)).toBe("PRAGMA synchronous = FULL");
      expect(texts.slice(begun).filter(isSynced)).toEqual([]);
      expect(texts.at(-1)).toBe("COMMIT");
      const [relaxed, , strict, ...more] = yield* textsOf(take(store));
      const pragmas = ["PRAGMA synchronous = NORMAL", "PRAGMA synchronous = FULL"];
      expect([[relaxed, strict], more]).toEqual([pragmas, []]);
    }),
  );

  it.scoped("takes the first claim of a name without a transaction, too", () =>
    Effect.gen(function* () {
      const { program } = yield* sqliteHome;
      const store = yield* program;
      yield* released(store);
      const other = SessionName.make("other");
      expect(yield* statementsOf(take(store, other))).toEqual([
        "UPDATE claims",
        "INSERT INTO claims",
      ]);
      expect(yield* store.seeClaim(other, { asksLife: true })).toMatchObject({
        epoch: 1,
        holder: "self",
        fenceDue: false,
      });
    }),
  );

  it.scoped("takes, renews and gives back a claim in one statement each", () =>
    Effect.gen(function* () {
      const { program } = yield* sqliteHome;
      const store = yield* program;
      yield* released(store);
      expect(yield* statementsOf(take(store))).toEqual(["UPDATE claims"]);
      const claim = yield* take(store);
      expect(yield* statementsOf(store.renew(claim))).toEqual(["UPDATE claims"]);
      const renewed = { ...claim, epoch: claim.epoch + 1 };
      const release = store.release(renewed, { fenceDue: false });
      expect(yield* statementsOf(release)).toEqual(["UPDATE claims"]);
      expect((yield* store.seeClaim(build, { asksLife: false })).owner).toBe(null);
    }),
  );

  it.scoped("takes a claim of a program that opened the file just now in one statement too", () =>
    Effect.gen(function* () {
      const { program } = yield* sqliteHome;
      yield* released(yield* program);
      const other = yield* program;
      yield* other.get(build);
      // The lock that proves this program's life is a transaction on a file of its own.
      const statements = yield* statementsOf(take(other));
      expect(statements).toEqual(["BEGIN EXCLUSIVE", "UPDATE claims"]);
    }),
  );

  it.scoped("prepares a statement once for a connection, and again where that failed", () =>
    Effect.gen(function* () {
      const { program } = yield* sqliteHome;
      const store = yield* program;
      yield* released(store);
      yield* store.get(build);
      const prepared = yield* Effect.acquireRelease(
        Effect.sync(() => vi.spyOn(Sqlite.prototype, "prepare")),
        (spy) => Effect.sync(() => spy.mockRestore()),
      );
      yield* store.get(build);
      expect(prepared.mock.calls).toEqual([]);
      prepared.mockImplementationOnce(() => {
        throw Object.assign(new Error("database is locked"), { code: "SQLITE_BUSY" });
      });
      expect(Option.isNone(yield* whileTimePasses(store.findRequest("r1")))).toBe(true);
      expect(prepared.mock.calls).toHaveLength(2);
    }),
  );

  it.scoped("writes a claim that is in the way in a transaction, and not without asking", () =>
    Effect.gen(function* () {
      const { program } = yield* sqliteHome;
      const [store, other] = [yield* program, yield* program];
      const claim = yield* take(store);
      const busy = yield* Effect.flip(take(other));
      expect(busy).toMatchObject({ _tag: "Busy", holder: claim.owner });
      const seen = yield* store.seeClaim(build, { asksLife: false });
      expect([seen.owner, seen.epoch]).toEqual([claim.owner, claim.epoch]);
      expect(Option.isNone(yield* store.get(build))).toBe(true);
    }),
  );
});

/** What a reconcile of so many names asks, that has nothing to do: of tmux, and of the file. */
const reconciled = (names: number) =>
  Effect.gen(function* () {
    const { program } = yield* sqliteHome;
    const registry = yield* program;
    const machine = yield* FakeMachine.make({ registry: () => registry });
    const sessions = yield* machine.program("program");
    const make = (at: number) =>
      sessions.create({ session: `n${at}`, command: ["sleep", "100000"], cwd: "/" });
    const all = Effect.forEach(Array.from({ length: names }), (_, at) => make(at), {
      concurrency: "unbounded",
    });
    yield* whileTimePasses(all);
    const before = (yield* machine.tmux.requests).length;
    const texts = yield* textsOf(whileTimePasses(sessions.reconcileAll));
    const calls = (yield* machine.tmux.requests).length - before;
    return { calls, texts };
  });

describe("a reconcile of every name that has nothing to do", () => {
  it.scoped("asks tmux once and reads the registry once, however many names there are", () =>
    Effect.gen(function* () {
      const [one, many] = [yield* reconciled(1), yield* reconciled(40)];
      expect([one.calls, many.calls]).toEqual([1, 1]);
      expect(many.texts).toEqual(one.texts);
      // The version of the tables, then the rows; none begins to write.
      expect(many.texts.map((text) => text.startsWith("SELECT"))).toEqual([true, true]);
      expect(many.texts[1]).toContain("FROM incarnations");
    }),
  );
});
