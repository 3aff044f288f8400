/**
 * Doctor: from where a home is to what is wrong with it.
 *
 * Loaded only by its command, with everything that it looks at.
 */
import { Effect, Either } from "effect";
import type { Location } from "../Location.js";
import type { DoctorResult } from "../Results.js";
import { findings } from "./Checks.js";
import { thisMachine } from "./Machine.js";
import { examine } from "./Patient.js";
import { versionOf } from "./TmuxProgram.js";

/** Looks at everything, and tells what was found. */
export const diagnose = (
  location: Location,
  words: ReadonlyArray<string>,
): Effect.Effect<typeof DoctorResult.Type> =>
  Effect.map(examine(location, words, thisMachine), (patient) => {
    const { home, listing, registry, socket, tmux } = patient;
    const answers = Either.isRight(listing) && listing.right._tag === "Server";
    const server = answers
      ? { pid: listing.right.server.pid, version: listing.right.version }
      : null;
    return {
      home,
      socket,
      tmux: { program: tmux, version: versionOf(patient) },
      server,
      registry: registry.state,
      findings: findings(patient, thisMachine),
    };
  });
