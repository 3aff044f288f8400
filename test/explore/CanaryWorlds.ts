/**
 * CanaryWorlds: programs that print a value that they were given and fail at their start: whoever
 * asked is told what they printed without it, and so is the row.
 *
 * What is told is looked at in every world; here there is something to tell.
 */
import { FakeTmux } from "@troupe/testing";
import { Effect } from "effect";
import { env } from "./Canary.js";
import type { ListedWorld } from "./NamedWorld.js";
import { create, programEnds } from "./SessionCalls.js";
import type { Call } from "./SessionWorld.js";

let tells = true;

/** Prints the values that it was given and fails, unless it is to live. */
const telling = FakeTmux.program((run) => {
  if (!tells) return;
  for (const name of Object.keys(env)) run.write(`${name}: ${run.env.get(name)}\n`);
  run.exit(1);
});

const spec = { session: "a", command: ["telling"], cwd: "/" };

const createTelling: Call = { name: "create", run: (s) => s.create({ ...spec, env }) };
const addTelling: Call = { name: "add", run: (s) => s.addTerminal({ ...spec, env }) };

/** These are given none: the values are taken that the program holds. */
const addHeld: Call = { name: "add with what is held", run: (s) => s.addTerminal(spec) };
const restoreHeld: Call = { name: "restore with what is held", run: (s) => s.restore("a") };

/** A session whose program lives, and would not if it was started again. */
const createLiving: Call = {
  name: "create",
  run: (s, tmux) =>
    Effect.sync(() => {
      tells = false;
    }).pipe(
      Effect.zipRight(createTelling.run(s, tmux)),
      Effect.ensuring(
        Effect.sync(() => {
          tells = true;
        }),
      ),
    ),
};

const untold = (call: Call, before: ReadonlyArray<Call>): ListedWorld => ({
  name: `${call.name} of a program that tells its value, and fails`,
  cost: 1,
  before,
  programs: [[call]],
  machine: { programs: { telling } },
  crash: true,
  also: ({ told }) => told.find((line) => line.startsWith(`${call.name}: ok`)) ?? null,
});

/** Who is told of what fails at its start. */
export const canaryWorlds: ReadonlyArray<ListedWorld> = [
  untold(createTelling, []),
  untold(addTelling, [create]),
  untold(addHeld, [create]),
  untold(restoreHeld, [createLiving, programEnds]),
];
