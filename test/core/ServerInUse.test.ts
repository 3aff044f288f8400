/**
 * The server in which something is made: it is written as a living process, and where nobody
 * answers one is started only if none of this home lives.
 */
import { describe, expect, it } from "@effect/vitest";
import { ProcessTable } from "@troupe/core";
import { Effect } from "effect";
import { recordServer } from "../../packages/core/src/ServerInUse.js";
import { fakeHome, pass, sleep } from "./FakeHome.js";

describe("the server in which a session is made", () => {
  it.scoped("is recorded as the process that it is", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* pass(home.sessions.create({ session: "a", ...sleep }));
      const server = (yield* home.record("a")).server ?? { pid: 0, startTime: 0 };
      const change = yield* recordServer("a", { server, version: "3.3a" }).pipe(
        Effect.provideService(ProcessTable, home.processes),
      );
      expect(change.record).toMatchObject({ server, process: { pid: server.pid } });
      expect(home.store.servers).toContainEqual(change.record);
    }),
  );

  it.scoped("must be among the processes", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      const gone = { server: { pid: 4_000_000, startTime: 1 }, version: "3.3a" };
      const failure = yield* Effect.flip(recordServer("a", gone)).pipe(
        Effect.provideService(ProcessTable, home.processes),
      );
      expect(failure).toMatchObject({ _tag: "LookupFailed", reason: "server-exited" });
    }),
  );

  it.scoped("is started where nobody answers, and used from then on", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* pass(home.sessions.create({ session: "a", ...sleep }));
      yield* pass(home.sessions.create({ session: "b", ...sleep }));
      const [a, b] = [yield* home.record("a"), yield* home.record("b")];
      expect(a.server).toEqual(b.server);
      expect(home.store.servers).toHaveLength(1);
    }),
  );
});
