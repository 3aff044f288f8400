/**
 * Mutants: all of them, in one list; `npm run mutants` holds each against its killers.
 */
import { claimMutants } from "./ClaimMutants.js";
import { creationMutants } from "./CreationMutants.js";
import { homeMutants } from "./HomeMutants.js";
import { inputMutants } from "./InputMutants.js";
import { killMutants } from "./KillMutants.js";
import { leaseMutants } from "./LeaseMutants.js";
import type { Mutant } from "./Mutant.js";
import { schemaMutants } from "./SchemaMutants.js";
import { sightMutants } from "./SightMutants.js";
import { takeoverMutants } from "./TakeoverMutants.js";
import { tmuxMutants } from "./TmuxMutants.js";

/** Every mutant. */
export const mutants: ReadonlyArray<Mutant> = [
  ...killMutants,
  ...leaseMutants,
  ...takeoverMutants,
  ...creationMutants,
  ...sightMutants,
  ...claimMutants,
  ...tmuxMutants,
  ...inputMutants,
  ...homeMutants,
  ...schemaMutants,
];
