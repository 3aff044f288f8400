/**
 * Ids: the port that makes identifiers.
 *
 * It is a port so that a test or an exploration decides every identifier and a run can be
 * repeated. Effect's own `Random` is not used: its default seed has 32 bits, and two programs
 * that draw the same seed would make the same incarnation.
 */
import { Context, type Effect } from "effect";
import type { IncarnationId } from "./Identity.js";

/** Makes identifiers. */
export class Ids extends Context.Tag("@troupe/core/Ids")<
  Ids,
  {
    /** A new incarnation id, unique across programs, machines and boots. Never fails. */
    readonly incarnation: Effect.Effect<IncarnationId>;
  }
>() {}
