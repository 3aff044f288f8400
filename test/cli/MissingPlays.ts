/**
 * MissingPlays: the plays of hints about what is not there: a name, a terminal, an output.
 *
 * What is not there any more is told with what is known of it, and each such state has its hint.
 */
import * as Core from "@troupe/core";
import { notFound } from "../../examples/cli/src/CommandFailure.js";
import {
  CAT_A,
  calls,
  cutOff,
  ENDED_A,
  failing,
  json,
  type Play,
  saying,
  where,
} from "./HintPlay.js";

/** Those about what is not there. */
export const missingPlays = {
  known: { beside: true, fails: failing("inspect never"), helps: saying(/^a /m) },
  near: { fails: failing("create build -- cat", "inspect biuld"), helps: saying(/^build /m) },
  restorable: { fails: failing(...ENDED_A, CAT_A), helps: saying(/^a /, /^a {2}deleted/) },
  over: {
    fails: failing(CAT_A, "delete a --no-snapshot", "capture a"),
    helps: saying(/^state +deleted/m),
  },
  unfinished: {
    fails: async (stage) => {
      await cutOff(stage);
      return notFound(new Core.NotFound({ ...where, attempted: "send", state: "creating" }), []);
    },
    helps: saying(/^state +creating/m, /a {2}creating → failed/),
  },
  incarnations: {
    beside: true,
    fails: failing("logs a --incarnation never-0001"),
    helps: saying(/"incarnation":"/),
  },
  terminals: { beside: true, fails: failing("capture a --terminal t9"), helps: saying(/^main /m) },
  unrecorded: {
    fails: async (stage) => {
      await json(stage, ["create", "a", "--no-log", "--", "sh", "-c", "echo hello; exec cat"]);
      await json(stage, ["wait", "a", "--text", "hello"]);
      return calls(stage, "logs a");
    },
    helps: saying(/^hello/),
  },
} as const satisfies Readonly<Record<string, Play>>;
