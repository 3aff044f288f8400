/**
 * RegistryContract: what every `Registry` must do, as named effects that know no test framework.
 *
 * A runner gives each case a home of its own, in which nothing was ever written, and runs it; a
 * case that does not hold dies with the values in its message. The cases know a store only
 * through the port, so the one in memory and the durable one are held to the same words.
 */
import type { ProcessId, Registry } from "@troupe/core";
import type { Effect, Scope } from "effect";
import { claimCases } from "./RegistryContractClaims.js";
import { commitCases } from "./RegistryContractCommits.js";
import { eventCases } from "./RegistryContractEvents.js";
import { forgettingCases } from "./RegistryContractForgetting.js";
import { leaseHolderCases } from "./RegistryContractLeaseHolders.js";
import { leaseRowCases } from "./RegistryContractLeaseRows.js";
import { leaseCases } from "./RegistryContractLeases.js";
import { overtakingCases } from "./RegistryContractOvertaking.js";
import { readCases } from "./RegistryContractReads.js";
import type { WriteFailure } from "./RegistryContractSample.js";

/** A home for one case. */
export interface RegistryHome {
  /**
   * One more program on this home, with an owner of its own, until the scope closes. A claim that
   * it holds then is left behind, as by a program that was killed.
   */
  readonly program: Effect.Effect<Registry["Type"], never, Scope.Scope>;
  /** Processes of this machine that are no such programs: one that lives, one that is dead. */
  readonly children: { readonly living: ProcessId; readonly dead: ProcessId };
}

/** One promise of the port. The name is a sentence. */
export interface RegistryCase {
  readonly name: string;
  /** Fails, or dies, where it does not hold. Wants a home of its own. */
  readonly holds: (home: RegistryHome) => Effect.Effect<void, WriteFailure, Scope.Scope>;
}

/** Every case. */
export const registryContract: ReadonlyArray<RegistryCase> = [
  ...readCases,
  ...eventCases,
  ...commitCases,
  ...claimCases,
  ...overtakingCases,
  ...forgettingCases,
  ...leaseCases,
  ...leaseHolderCases,
  ...leaseRowCases,
];
