/**
 * The application on fakes: what is answered, and that it is Troupe who knows.
 *
 * Method: requests to the routes themselves, on a virtual clock; a restart is a second program on
 * the same machine, behind the death of the first.
 */
import { describe, expect, it } from "@effect/vitest";
import { LookupFailed, Sessions } from "@troupe/core";
import { FakeMachine, FakeTmux, FakeTroupe, Fault, VirtualClock } from "@troupe/testing";
import { Effect, Layer } from "effect";
import { Jobs } from "../src/Jobs.js";
import { type Asked, ask, machine, onFakes, pass, type Reply } from "./Service.js";

const json = ({ text }: Reply) => JSON.parse(text);
const call = (method: string, path: string, asked: Asked = {}) => pass(ask(method, path, asked));
const post = (body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  call("POST", "/jobs", { body, headers });
const started = (...command: ReadonlyArray<string>) =>
  Effect.map(post({ command, cwd: "/" }), (reply): string => json(reply).id);

const onVirtualTime = <A, E>(
  test: Effect.Effect<A, E, Jobs | FakeTmux | Sessions | VirtualClock>,
) => Effect.provide(test, Layer.provideMerge(onFakes, VirtualClock.layer));

const behaves = (
  what: string,
  test: () => Effect.Effect<void, unknown, Jobs | FakeTmux | Sessions | VirtualClock>,
) => it.effect(what, () => onVirtualTime(Effect.suspend(test)));

describe("a job", () => {
  behaves("is started, runs, and has ended with its code before anybody wrote that down", () =>
    Effect.gen(function* () {
      const reply = yield* post({ command: ["work", "hello", "3"], cwd: "/" });
      expect(reply.status).toBe(201);
      const job = json(reply);
      expect(job).toMatchObject({ state: "running", exit: null, command: ["work", "hello", "3"] });
      expect(reply.headers.location).toBe(`/jobs/${job.id}`);
      yield* (yield* VirtualClock).advance("2 seconds");
      const ended = json(yield* call("GET", `/jobs/${job.id}`));
      expect(ended).toMatchObject({ state: "exited", exit: { code: 3, signal: null } });
      expect((yield* (yield* Sessions).get(job.id)).state).toBe("running");
    }),
  );

  behaves("that ends at once is a job that ended", () =>
    Effect.gen(function* () {
      const id = yield* started("false");
      yield* (yield* VirtualClock).advance("1 second");
      expect(json(yield* call("GET", `/jobs/${id}`))).toMatchObject({ exit: { code: 1 } });
    }),
  );

  behaves("is made once by requests with one key, also at once, and twice without", () =>
    Effect.gen(function* () {
      const request = ask("POST", "/jobs", {
        body: { command: ["work", "a"], cwd: "/" },
        headers: { "idempotency-key": "order-7" },
      });
      const both = yield* pass(Effect.all([request, request], { concurrency: 2 }));
      const again = yield* pass(request);
      expect(new Set([...both, again].map((reply) => json(reply).id)).size).toBe(1);
      yield* started("work", "a");
      yield* started("work", "a");
      expect(json(yield* call("GET", "/jobs")).jobs).toHaveLength(3);
    }),
  );

  behaves("tells its output to the end, byte for byte, and from any byte on", () =>
    Effect.gen(function* () {
      const id = yield* started("work", "hello");
      const { headers, text } = yield* call("GET", `/jobs/${id}/output`);
      expect(headers["content-type"]).toBe("application/x-ndjson");
      const lines = text
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line));
      const data = lines.filter(({ type }) => type === "data");
      const bytes = Buffer.concat(data.map(({ data }) => Buffer.from(data, "base64")));
      expect(bytes.toString()).toBe("hello\r\n");
      expect(lines.at(-1)).toMatchObject({ type: "end", reason: "exited", exit: { code: 0 } });
      const rest = yield* call("GET", `/jobs/${id}/output?from=5&follow=false`);
      expect(rest.text).toContain(Buffer.from("\r\n").toString("base64"));
    }),
  );

  behaves("is gone when a delete says so, and a second delete is a success", () =>
    Effect.gen(function* () {
      const id = yield* started("sleep", "600");
      expect(json(yield* call("DELETE", `/jobs/${id}`))).toEqual({ alreadyGone: false });
      expect(json(yield* call("DELETE", `/jobs/${id}`))).toEqual({ alreadyGone: true });
      expect(json(yield* call("GET", `/jobs/${id}`)).state).toBe("deleted");
      expect(json(yield* call("GET", "/jobs")).jobs).toEqual([]);
      expect(json(yield* call("GET", "/jobs?all=true")).jobs).toHaveLength(1);
    }),
  );

  behaves("is lost, and not ended, when its tmux server dies", () =>
    Effect.gen(function* () {
      const id = yield* started("sleep", "600");
      yield* (yield* FakeTmux).crash;
      expect(json(yield* call("GET", `/jobs/${id}`))).toMatchObject({ state: "lost", exit: null });
    }),
  );
});

describe("a session that is no job", () => {
  behaves("is not listed, not told, and not deleted", () =>
    Effect.gen(function* () {
      const sessions = yield* Sessions;
      yield* pass(sessions.create({ session: "mine", command: ["sleep", "9"], cwd: "/" }));
      expect(json(yield* call("GET", "/jobs")).jobs).toEqual([]);
      for (const method of ["GET", "DELETE"]) {
        expect((yield* call(method, "/jobs/mine")).status).toBe(404);
      }
      expect((yield* sessions.get("mine")).state).toBe("running");
    }),
  );
});

describe("what is refused", () => {
  const unknown = `job-${"0".repeat(32)}`;
  const command = ["work"];
  for (const [method, path, asked, status, told] of [
    ["POST", "/jobs", { body: "{" }, 400, "the body is no JSON"],
    ["POST", "/jobs", { body: 3 }, 400, "no object"],
    ["POST", "/jobs", { body: {} }, 400, "command is missing"],
    ["POST", "/jobs", { body: { command: [] } }, 400, "command is a list of 1 to 256 words"],
    ["POST", "/jobs", { body: { command, cwd: "here" } }, 400, "cwd is an absolute path"],
    ["POST", "/jobs", { body: { command, env: { A: 1 } } }, 400, "env.A does not fit"],
    ["POST", "/jobs", { body: { command, shell: true } }, 400, "shell is not known"],
    ["POST", "/jobs", { body: { command: ["/bin/no"] } }, 422, "was not found"],
    ["GET", `/jobs/${unknown}`, {}, 404, "there is no session"],
    ["GET", `/jobs/${unknown}/output`, {}, 404, "there is no session"],
    ["DELETE", `/jobs/${unknown}`, {}, 404, "there is no session"],
    ["GET", "/jobs/../x", {}, 404, "there is no such path"],
    ["GET", "/jobs?all=perhaps", {}, 400, "all is true or false"],
    ["GET", `/jobs/${unknown}/output?from=-1`, {}, 400, "from is a number of bytes"],
  ] as const) {
    behaves(`${method} ${path} ${JSON.stringify(asked)} is ${status}: ${told}`, () =>
      Effect.gen(function* () {
        const reply = yield* call(method, path, asked);
        expect([reply.status, json(reply).message]).toEqual([
          status,
          expect.stringContaining(told),
        ]);
        expect((yield* (yield* FakeTmux).processes).length).toBe(0);
      }),
    );
  }

  behaves("a key that is none is 400", () =>
    Effect.gen(function* () {
      const reply = yield* post({ command }, { "idempotency-key": "a b" });
      expect([reply.status, json(reply).problems[0].field]).toEqual([400, "idempotency-key"]);
    }),
  );

  behaves("what could not be found out is 503 with a time to come again, and changes nothing", () =>
    Effect.gen(function* () {
      const id = yield* started("sleep", "600");
      const tmux = yield* FakeTmux;
      yield* tmux.inject({ fault: Fault.hang, times: 9 });
      const reply = yield* call("DELETE", `/jobs/${id}`);
      expect([reply.status, json(reply).error]).toEqual([503, "LookupFailed"]);
      expect(reply.headers["retry-after"]).toBe("1");
      const job = json(yield* call("GET", `/jobs/${id}`));
      expect(job).toMatchObject({ state: "running", seen: "unknown", why: "timeout" });
    }),
  );
});

describe("an output that cannot be read on", () => {
  const why = { session: null, attempted: "read output", source: "files", detail: "EIO" } as const;
  const failure = new LookupFailed({ ...why, reason: "unclear" });
  const failing = FakeTroupe.layer({
    ...machine,
    output: (files) => ({ ...files, read: () => Effect.fail(failure) }),
  });

  it.effect("ends with a line that says so, and with no end", () =>
    Effect.gen(function* () {
      const id = yield* started("sleep", "600");
      const { status, text } = yield* call("GET", `/jobs/${id}/output`);
      const last = JSON.parse(text.trimEnd().split("\n").at(-1) ?? "");
      expect([status, last.type, last.error]).toEqual([200, "failed", "LookupFailed"]);
    }).pipe(
      Effect.provide(
        Layer.provideMerge(Layer.provideMerge(Jobs.layer, failing), VirtualClock.layer),
      ),
    ),
  );
});

describe("a restart", () => {
  it.scoped("forgets no job, and makes none twice", () =>
    Effect.gen(function* () {
      const { host, store } = yield* FakeMachine.make(machine);
      const program = (owner: string) =>
        Effect.map(host(owner), (services) =>
          Layer.provide(Jobs.layer, Layer.succeedContext(services)),
        );
      const request = (key: number) =>
        ask("POST", "/jobs", {
          body: { command: ["sleep", "600"], cwd: "/" },
          headers: { "idempotency-key": `k${key}` },
        });
      const all = Effect.forEach([1, 2, 3], request, { concurrency: "unbounded" });
      const ids = (replies: ReadonlyArray<Reply>) => replies.map((reply) => json(reply).id);
      const before = yield* Effect.provide(pass(all), yield* program("first"));
      yield* store.declare("first", "dead");
      const second = yield* program("second");
      const after = yield* Effect.provide(pass(all), second);
      expect(ids(after)).toEqual(ids(before));
      const { jobs } = json(yield* Effect.provide(call("GET", "/jobs"), second));
      expect(jobs.map(({ state }: { state: string }) => state)).toEqual(Array(3).fill("running"));
    }).pipe(Effect.provide(VirtualClock.layer)),
  );
});
