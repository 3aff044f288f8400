/**
 * LeasePlays: the plays of hints about leases; a holder is a program of this process.
 */
import * as Core from "@troupe/core";
import { expect } from "vitest";
import { CapacityReached } from "../../examples/cli/src/LeaseFailure.js";
import { callIn } from "../support/InProcess.js";
import { CAT_A, calls, json, made, type Play, saying, where } from "./HintPlay.js";
import { hold, letGo } from "./Holder.js";

/** Those about leases. */
export const leasePlays = {
  leased: {
    fails: async (stage) => {
      await json(stage, CAT_A.split(" "));
      await hold(stage, "a");
      return calls(stage, "lease release a");
    },
    helps: async (run, stage) => {
      await saying(/^holder +process \d+ \(alive\)$/m, /^a {2}taken from process \d+/)(run, stage);
      expect((await callIn(stage, ["lease", "show", "a"])).out).toBe("nobody holds a\n");
      await letGo(stage);
    },
  },
  leaseLost: {
    beside: true,
    fails: made(
      new Core.LeaseLost({ ...where, lease: Core.LeaseId.make("x"), held: 1, current: null }),
    ),
    helps: saying(/^nobody holds a$/m),
  },
  room: {
    beside: true,
    fails: made(new CapacityReached({ ...where, active: 1, max: 1, holders: [], oldestMs: 0 })),
  },
} as const satisfies Readonly<Record<string, Play>>;
