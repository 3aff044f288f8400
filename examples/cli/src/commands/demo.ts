/**
 * demo: the tour of the README, on a throwaway home.
 *
 * It exits with 1 when anything of it did not hold, and when there is no tmux to do it with. What
 * it made is gone when it ends, however it ends.
 */
import { fileURLToPath } from "node:url";
import type { LookupFailed } from "@troupe/core";
import { Effect } from "effect";
import { Caller } from "../Caller.js";
import { asFailure, type CommandFailure, DemoFailed } from "../CommandFailure.js";
import { type Call, type CommandSpec, type Outcome, outcome } from "../CommandSpec.js";
import { locationOf } from "../Location.js";
import * as Options from "../Options.js";
import { DemoResult } from "../Results.js";

const program = () => fileURLToPath(new URL("../../bin/troupe.js", import.meta.url));

const HOW_TO_INSTALL =
  "tmux is not there, and the tour needs it: apt-get install tmux, brew install tmux, or --tmux PATH";

const withoutTmux = (failure: LookupFailed): Effect.Effect<never, DemoFailed | LookupFailed> =>
  failure.reason === "missing-program"
    ? Effect.fail(new DemoFailed({ reason: HOW_TO_INSTALL }))
    : Effect.fail(failure);

/** The tour itself; the home and everything in it is gone when this ends. */
const walk = (call: Call) =>
  Effect.gen(function* () {
    const { say } = yield* Caller;
    const { throwawayHome, clearHome } = yield* Effect.promise(
      () => import("../demo/Throwaway.js"),
    );
    const { cutOffDelete } = yield* Effect.promise(() => import("../demo/CutOffDelete.js"));
    const { AGENT, tour } = yield* Effect.promise(() => import("../demo/Tour.js"));
    const { Troupe } = yield* Effect.promise(() => import("@troupe/node"));
    const home = yield* throwawayHome;
    const { reconcileOnStart, tmux } = yield* locationOf(call);
    const location = { home, reconcileOnStart, ...(tmux === undefined ? {} : { tmux }) };
    yield* say(`A tour of troupe, on a throwaway home: ${home}`);
    const cutOff = cutOffDelete(program(), "agent", location);
    const walked = Effect.ensuring(
      tour(say, { how: "dies by SIGKILL", agent: AGENT, cutOff }),
      clearHome(home),
    );
    const toured = yield* Effect.provide(walked, Troupe.layer(location));
    return { home, toured };
  }).pipe(Effect.scoped);

/** The tour on a real tmux, and what must hold of its end. */
const realTour = (call: Call) =>
  Effect.gen(function* () {
    const { home, toured } = yield* walk(call);
    const { noFile, noProcess } = yield* Effect.promise(() => import("../demo/Proof.js"));
    const { LinuxProcessTable } = yield* Effect.promise(() => import("@troupe/node"));
    const processes = yield* Effect.provide(noProcess(toured.pids), LinuxProcessTable.layer);
    return [toured.fact, processes, noFile(home)];
  });

const fakeTour = Effect.gen(function* () {
  const { say } = yield* Caller;
  const { fakeTour } = yield* Effect.promise(() => import("../demo/FakeTour.js"));
  yield* say("A tour of troupe, on a fake tmux and a registry in memory");
  return yield* fakeTour(say);
});

const prove = (call: Call) =>
  Effect.gen(function* () {
    const { say } = yield* Caller;
    const facts = yield* call.has(Options.fake) ? fakeTour : realTour(call);
    const { verdict } = yield* Effect.promise(() => import("../demo/Proof.js"));
    yield* say("\n6. Proof.");
    yield* Effect.forEach(facts, ({ holds, text }) => say(`   ${holds ? "✔" : "✘"} ${text}`));
    return yield* outcome(DemoResult, { facts }, "\n", verdict(facts));
  });

const run = (call: Call): Effect.Effect<Outcome, CommandFailure, Caller> =>
  Effect.catchTag(prove(call), "LookupFailed", withoutTmux).pipe(
    Effect.mapError((failure) => asFailure(failure)),
  );

/** `troupe demo` */
export const demo: CommandSpec = {
  name: "demo",
  alias: null,
  summary: "a tour on a throwaway home, with a crash in the middle",
  about:
    "Makes two sessions, lists them, reads what one printed, kills a process that deletes the " +
    "other, lets a reconcile finish the job, and shows that tmux and the registry agree and that " +
    "nothing is left. Takes a few seconds, touches neither your sessions nor your tmux server, " +
    "and exits with 1 when anything of it did not hold.",
  args: { usage: "", least: 0, most: 0, tail: false },
  options: [Options.fake],
  examples: ["troupe demo", "troupe demo --fake"],
  run,
};
