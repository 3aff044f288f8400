/**
 * GivenWorlds: values that are held, given and left out, one call after the other, in a program
 * that was told them and in one that started anew.
 *
 * What the caller names wins over what is held, of what is missing he is told by name, and what one
 * terminal was given is its own.
 */
import { InvalidEnv } from "@troupe/core";
import { Effect } from "effect";
import { env } from "./Canary.js";
import type { ListedWorld } from "./NamedWorld.js";
import { programEnds, reconcile, remove } from "./SessionCalls.js";
import type { Call } from "./SessionWorld.js";
import {
  createValued,
  expect,
  found,
  LATER,
  MADE,
  made,
  note,
  replacing,
  restored,
  spec,
  told,
  values,
  world,
} from "./Tellers.js";
import { HOST_VALUE } from "./WorldProgram.js";

/** Whoever is refused is told which names. */
const refusedFor = (names: string, call: Effect.Effect<unknown, unknown>) =>
  Effect.map(Effect.either(call), (outcome) => {
    const failure = outcome._tag === "Left" ? outcome.left : null;
    const said = failure instanceof InvalidEnv ? failure.variables.join() : String(failure);
    if (said !== names) note(`refused for ${said}, not ${names}`);
  });

type Told = (s: Parameters<Call["run"]>[0]) => Effect.Effect<unknown, unknown>;

/** What a terminal finds that is added so. */
const adds =
  (
    options: Omit<Parameters<Parameters<Call["run"]>[0]["addTerminal"]>[0], "session" | "command">,
    expected: string,
  ): Told =>
  (s) =>
    Effect.map(s.addTerminal({ ...spec, ...options }), ({ incarnation, terminal }) =>
      expect(terminal.terminal, found.get(`${incarnation} ${terminal.terminal}`), expected),
    );

const restores =
  (options: Parameters<Parameters<Call["run"]>[0]["restore"]>[1], expected: string): Told =>
  (s) =>
    Effect.map(s.restore("a", options), ({ incarnation }) =>
      expect("main", found.get(`${incarnation} main`), expected),
    );

const ends: Told = (s) => Effect.zipRight(s.reconcile("a"), Effect.void);

/** One after the other, in one program. */
const inTurn = (
  name: string,
  steps: ReadonlyArray<Told | Call>,
  how: Partial<ListedWorld> = {},
): ListedWorld => ({
  ...world,
  name,
  cost: 0,
  before: [createValued],
  programs: [
    [
      {
        name: "calls in turn",
        isAccident: true,
        run: (s, tmux) =>
          Effect.forEach(
            steps,
            (step) => (typeof step === "function" ? step(s) : step.run(s, tmux)),
            {
              discard: true,
            },
          ),
      },
    ],
  ],
  succeeds: ["calls in turn"],
  ...how,
});

const requested: Call = {
  name: "create, requested",
  run: (s) => s.create({ ...spec, env, requestId: "request" }),
};

const missing: Told = (s) => refusedFor(MADE, s.addTerminal(spec));

/** The worlds. */
export const givenWorlds: ReadonlyArray<ListedWorld> = [
  inTurn("values, held and given", [
    adds({}, told(made, null, null)),
    (s) => s.setEnv("a", { [LATER]: values.later }),
    adds({}, told(made, values.later, null)),
    adds({ env: { [MADE]: values.other } }, told(values.other, values.later, null)),
    adds({}, told(made, values.later, null)),
    (s) => s.setEnv("a", { [MADE]: values.other }),
    adds({}, told(values.other, values.later, null)),
    adds({ withoutEnv: true }, told(null, null, null)),
    adds({ withoutEnv: true, env: { [LATER]: values.other } }, told(null, values.other, null)),
  ]),
  inTurn(
    "values of a program that started anew",
    [
      missing,
      adds({ withoutEnv: true }, told(null, null, null)),
      adds({ env }, told(made, null, null)),
      // What one terminal was given is its own.
      missing,
      (s) => s.setEnv("a", env),
      adds({}, told(made, null, null)),
    ],
    { startsAnew: true },
  ),
  inTurn(
    "values of a restore",
    [
      (s) => refusedFor(MADE, s.restore("a")),
      restores({ env }, told(made, null, null)),
      programEnds,
      ends,
      restores({}, told(made, null, null)),
      programEnds,
      ends,
      restores({ withoutEnv: true }, told(null, null, null)),
      adds({}, told(null, null, null)),
    ],
    { ...restored, startsAnew: true },
  ),
  inTurn(
    "values of a restore that fails at first",
    [
      (s) => s.setEnv("a", env),
      (s) => Effect.flip(s.restore("a")),
      restores({}, told(made, null, null)),
    ],
    {
      before: [
        { name: "create", run: (s) => s.create({ ...spec, command: ["flaky"], env }) },
        programEnds,
        reconcile,
      ],
      startsAnew: true,
    },
  ),
  inTurn(
    "values of a request that is asked for again",
    [missing, requested, adds({}, told(made, null, null))],
    { before: [requested], startsAnew: true },
  ),
  inTurn("values of what took its place", [
    (s) => s.setEnv("a", { [LATER]: values.later }),
    replacing,
    adds({}, told(null, null, null)),
    remove,
    (s) => Effect.flip(s.setEnv("a", env)),
  ]),
  inTurn("values of the host", [
    (s) => s.create({ ...spec, inheritEnv: true, env, replace: true }),
    adds({}, told(made, null, HOST_VALUE.EXPLORED_HOST)),
    adds({ withoutEnv: true }, told(null, null, null)),
  ]),
];
