/**
 * RegistryContractReads: the cases about what is told.
 *
 * Records, the list and the servers, after writes that succeed. What is refused is the matter of
 * the cases about commits and claims, the log that of the cases about events.
 */
import { Effect, Option } from "effect";
import type { RegistryCase } from "./RegistryContract.js";
import { present, same } from "./RegistryContractCheck.js";
import {
  begin,
  bring,
  build,
  claim,
  incarnation,
  message,
  moveTo,
  server,
  spec,
  terminal,
  watch,
  withTerminal,
} from "./RegistryContractSample.js";

const nothingKnown: RegistryCase = {
  name: "a home in which troupe never ran has no sessions, no servers and no events",
  holds: (home) =>
    Effect.gen(function* () {
      const store = yield* home.program;
      yield* same("get", Option.isNone(yield* store.get(build)), true);
      yield* same("find", Option.isNone(yield* store.find(incarnation(1))), true);
      yield* same("findRequest", Option.isNone(yield* store.findRequest("request-1")), true);
      yield* same("list", yield* store.list({ ended: true }), { records: [], unreadable: [] });
      yield* same("servers", yield* store.servers, []);
      const log = { first: 1, last: 0, events: [], unreadable: [] };
      yield* same("events", yield* store.events(0, 10), log);
    }),
};

const toldWhole: RegistryCase = {
  name: "an incarnation is told whole, the same by name, by incarnation and in the list",
  holds: (home) =>
    Effect.gen(function* () {
      const store = yield* home.program;
      const exit = { code: null, signal: 9 };
      const process = { pid: 201, startTime: 77, bootId: "boot-1" };
      const written = yield* message(store, build, incarnation(1), [
        { _tag: "Server", record: server(1) },
        begin("request-1"),
        withTerminal(terminal(1)),
        { _tag: "Move", to: "running", cause: null, sessionId: "$4" },
        { _tag: "Processes", terminal: null, processes: [process] },
        withTerminal(terminal(1, { state: "exited", exit })),
        moveTo("exited", 'it said "no"\n'),
      ]);
      yield* same("written", written, {
        session: build,
        generation: 1,
        incarnation: incarnation(1),
        state: "exited",
        cause: 'it said "no"\n',
        spec,
        server: server(1).server,
        sessionId: "$4",
        createdAt: written.createdAt,
        updatedAt: written.createdAt,
        terminals: [terminal(1, { state: "exited", exit })],
        processes: [{ ...process, terminal: null }],
        claim: { owner: null, epoch: 1, holder: "none", fenceDue: false },
      });
      yield* same("get", yield* present("get", yield* store.get(build)), written);
      const request = yield* store.findRequest("request-1");
      yield* same("findRequest", yield* present("findRequest", request), written);
      yield* same("other request", Option.isNone(yield* store.findRequest("request-2")), true);
      yield* same("find", yield* present("find", yield* store.find(incarnation(1))), written);
      const list = yield* store.list({ ended: false });
      yield* same("list", list, { records: [written], unreadable: [] });
    }),
};

const listed: RegistryCase = {
  name: "the list has the newest incarnation of every name, by name, and ended ones when asked",
  holds: (home) =>
    Effect.gen(function* () {
      const store = yield* home.program;
      yield* bring(store, watch, incarnation(1), "deleted");
      yield* bring(store, watch, incarnation(2), "running");
      yield* bring(store, build, incarnation(3), "failed");
      const told = (ended: boolean) =>
        Effect.map(store.list({ ended }), ({ records }) =>
          records.map((r) => [r.session, r.generation, r.state]),
        );
      yield* same("all", yield* told(true), [
        [build, 1, "failed"],
        [watch, 2, "running"],
      ]);
      yield* same("active", yield* told(false), [[watch, 2, "running"]]);
      const old = yield* present("old", yield* store.find(incarnation(1)));
      yield* same("old", [old.generation, old.state], [1, "deleted"]);
    }),
};

const serversTold: RegistryCase = {
  name: "servers are told newest first, and one that is recorded again keeps its place",
  holds: (home) =>
    Effect.gen(function* () {
      const store = yield* home.program;
      const again = { ...server(1), version: "3.4" };
      yield* message(store, build, incarnation(1), [
        { _tag: "Server", record: server(1) },
        { _tag: "Server", record: server(2) },
        begin(),
        { _tag: "Server", record: again },
      ]);
      yield* same("servers", yield* store.servers, [server(2), again]);
    }),
};

const notDamaged: RegistryCase = {
  name: "a store that can be read is not kept aside, and is told as before",
  holds: (home) =>
    Effect.gen(function* () {
      const store = yield* home.program;
      yield* same("nothing yet", yield* store.setAside, null);
      const written = yield* bring(store, build, incarnation(1), "lost");
      yield* same("good", yield* store.setAside, null);
      yield* same("told", yield* present("record", yield* store.get(build)), written);
    }),
};

const holders: RegistryCase = {
  name: "a record tells whether the holder of its claim is none, itself, alive or dead",
  holds: (home) =>
    Effect.gen(function* () {
      const store = yield* home.program;
      yield* bring(store, build, incarnation(1), "running");
      const seen = Effect.flatMap(store.get(build), (found) => present("record", found));
      const holder = Effect.map(seen, (record) => record.claim.holder);
      yield* same("free", yield* holder, "none");
      const own = yield* claim(store, build);
      yield* same("own", yield* holder, "self");
      yield* store.release(own, { fenceDue: false });
      yield* Effect.scoped(
        Effect.gen(function* () {
          const other = yield* home.program;
          const held = yield* claim(other, build);
          const record = yield* seen;
          yield* same("living", record.claim, {
            owner: held.owner,
            epoch: held.epoch,
            holder: "alive",
            fenceDue: false,
          });
          const { records } = yield* store.list({ ended: false });
          yield* same(
            "listed",
            records.map((r) => r.claim.holder),
            ["alive"],
          );
        }),
      );
      yield* same("ended", yield* holder, "dead");
    }),
};

/** The cases, in the order of what a reader asks first. */
export const readCases: ReadonlyArray<RegistryCase> = [
  nothingKnown,
  toldWhole,
  listed,
  serversTold,
  notDamaged,
  holders,
];
