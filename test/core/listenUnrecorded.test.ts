/**
 * A server whose socket was removed, and a registry that does not say which servers it knows: one
 * that cannot be asked may know of another, a damaged one is rebuilt from what the server tells.
 */
import { describe, expect, it } from "@effect/vitest";
import { type Registry, RegistryCorrupt, RegistryUnavailable } from "@troupe/core";
import { Effect } from "effect";
import { fakeHome, pass, sleep } from "./FakeHome.js";

const where = { session: null, attempted: "read the servers", detail: "hidden" };

/** How often the server is told by a reconcile while the registry fails with this. */
const toldWhile = (failure: RegistryCorrupt | RegistryUnavailable) =>
  Effect.gen(function* () {
    let isFailing = false;
    const registry = (real: Registry["Type"]): Registry["Type"] => ({
      ...real,
      servers: Effect.suspend(() => (isFailing ? failure : real.servers)),
    });
    const home = yield* fakeHome({ registry });
    yield* pass(home.sessions.create({ session: "a", ...sleep }));
    const server = (yield* home.tmux.processes).find((p) => p.program.startsWith("tmux: server"));
    let told = 0;
    server?.handlers.set("USR1", () => {
      told += 1;
    });
    yield* home.tmux.unlinkSocket;
    isFailing = true;
    yield* pass(Effect.either(home.sessions.reconcile("a")));
    return told;
  });

describe("a server whose socket was removed", () => {
  it.scoped("is not told to listen while nobody can ask which servers are recorded", () =>
    Effect.gen(function* () {
      expect(yield* toldWhile(new RegistryUnavailable(where))).toBe(0);
    }),
  );

  it.scoped("is told where the registry is damaged", () =>
    Effect.gen(function* () {
      expect(yield* toldWhile(new RegistryCorrupt(where))).toBe(1);
    }),
  );
});
