/**
 * quickstart: two callers ask for one name at once; one session is made, and deleted for real.
 *
 * Run it with a directory of its own: node examples/dist/quickstart.js /tmp/troupe-quickstart
 */
// #region quickstart
import { Sessions } from "@troupe/core";
import { Troupe } from "@troupe/node";
import { Effect } from "effect";

const program = Effect.gen(function* () {
  const sessions = yield* Sessions;
  const create = Effect.either(sessions.create({ session: "build", command: ["sleep", "600"] }));
  const callers = yield* Effect.all([create, create], { concurrency: "unbounded" });
  console.log(callers.map((c) => (c._tag === "Right" ? c.right.state : c.left.message)).sort());
  const { alreadyGone } = yield* sessions.delete("build");
  console.log({ alreadyGone, now: (yield* sessions.get("build")).state });
});

Effect.runPromise(Effect.provide(program, Troupe.layer({ home: process.argv[2] ?? "/tmp/quick" })));
// #endregion
