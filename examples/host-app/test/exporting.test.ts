/**
 * What a collector is sent while jobs run: the operations of Troupe below the service's own, its
 * metrics, and nothing of what a job was given.
 */
import { HttpClient, HttpClientResponse } from "@effect/platform";
import { describe, expect, it } from "@effect/vitest";
import { Sessions } from "@troupe/core";
import { VirtualClock } from "@troupe/testing";
import { Effect, Layer } from "effect";
import { exportingTo } from "../src/Exporting.js";
import { ask, onFakes, pass } from "./Service.js";

const secret = "canary-77ab";

/** A collector that keeps what it is sent, by path. */
const collector = () => {
  const sent: Array<string> = [];
  const client = HttpClient.make((request) =>
    Effect.sync(() => {
      const { body } = request;
      const text = body._tag === "Uint8Array" ? new TextDecoder().decode(body.body) : body._tag;
      sent.push(`${new URL(request.url).pathname} ${text}`);
      return HttpClientResponse.fromWeb(request, new Response(null, { status: 200 }));
    }),
  );
  const at = (path: string) => sent.filter((line) => line.startsWith(path)).join("\n");
  return { at, layer: Layer.succeed(HttpClient.HttpClient, client), sent };
};

/** One job that leaks what it was given, and one that cannot be started. */
const requests = Effect.gen(function* () {
  const env = { TOKEN: secret };
  const post = (body: object) => pass(ask("POST", "/jobs", { body: { ...body, env, cwd: "/" } }));
  const { id } = JSON.parse((yield* post({ command: ["leak"] })).text);
  yield* post({ command: ["/bin/no"] });
  yield* post({ command: [secret, ""] });
  yield* pass(ask("GET", `/jobs/${id}/output?follow=false`));
  yield* pass((yield* Sessions).send(id, { text: secret, enter: true }));
  yield* pass(ask("DELETE", `/jobs/${id}`));
  yield* Effect.logInfo("the requests are done");
  return id as string;
});

const exported = (to: ReturnType<typeof collector>) =>
  Effect.provide(
    requests,
    onFakes.pipe(
      Layer.provideMerge(Layer.provide(exportingTo("http://collector:4318"), to.layer)),
      Layer.provideMerge(VirtualClock.layer),
    ),
  );

describe("a collector", () => {
  it.effect("is sent spans with the session's name, metrics by outcome, and logs", () =>
    Effect.gen(function* () {
      const to = collector();
      const id = yield* exported(to);
      const spans = to.at("/v1/traces");
      for (const name of ["Jobs.start", "Sessions.create", "Sessions.output", "Sessions.delete"]) {
        expect(spans).toContain(`"name":"${name}"`);
      }
      expect(spans).toContain(`{"key":"session","value":{"stringValue":"${id}"}}`);
      const metrics = to.at("/v1/metrics");
      for (const name of [
        "operations",
        "actors",
        "mailbox.depth",
        "tmux.call.duration",
        "kill.duration",
      ]) {
        expect(metrics).toContain(`"troupe.${name}"`);
      }
      expect(metrics).toContain(`{"key":"outcome","value":{"stringValue":"StartFailed"}}`);
      expect(metrics).toContain('"unit":"ms"');
      expect(metrics).not.toContain(id);
      expect(to.at("/v1/logs")).toContain("the requests are done");
    }),
  );

  it.effect("is sent nothing that a job was given", () =>
    Effect.gen(function* () {
      const to = collector();
      yield* exported(to);
      expect(to.sent.length).toBeGreaterThan(2);
      expect(to.sent.join("\n")).not.toContain(secret);
    }),
  );
});
