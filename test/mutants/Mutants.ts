/**
 * Mutants: all of them, in one list; `npm run mutants` holds each against its killers.
 *
 * The lists are by what is guarded. No two mutants have one name, which a test checks.
 */
import { adoptedMutants } from "./AdoptedMutants.js";
import { againMutants } from "./AgainMutants.js";
import { attachmentFaultMutants } from "./AttachmentFaultMutants.js";
import { attachmentMutants } from "./AttachmentMutants.js";
import { attachmentTwinsMutants } from "./AttachmentTwinsMutants.js";
import { awayMutants } from "./AwayMutants.js";
import { betweenCallsMutants } from "./BetweenCallsMutants.js";
import { borrowMutants } from "./BorrowMutants.js";
import { claimMutants } from "./ClaimMutants.js";
import { creationMutants } from "./CreationMutants.js";
import { doubtMutants } from "./DoubtMutants.js";
import { fenceMutants } from "./FenceMutants.js";
import { forgottenMutants } from "./ForgottenMutants.js";
import { heldMutants } from "./HeldMutants.js";
import { hiddenMutants } from "./HiddenMutants.js";
import { homeMutants } from "./HomeMutants.js";
import { idlerMutants } from "./IdlerMutants.js";
import { inputMutants } from "./InputMutants.js";
import { keptMutants } from "./KeptMutants.js";
import { killMutants } from "./KillMutants.js";
import { lateMutants } from "./LateMutants.js";
import { leaseFaultMutants } from "./LeaseFaultMutants.js";
import { leaseMeetMutants } from "./LeaseMeetMutants.js";
import { leaseMutants } from "./LeaseMutants.js";
import { movedMutants } from "./MovedMutants.js";
import type { Mutant } from "./Mutant.js";
import { namespaceMutants } from "./NamespaceMutants.js";
import { oldAnswerMutants } from "./OldAnswerMutants.js";
import { overtakenMutants } from "./OvertakenMutants.js";
import { peerMutants } from "./PeerMutants.js";
import { replacedMutants } from "./ReplacedMutants.js";
import { schemaMutants } from "./SchemaMutants.js";
import { seatMutants } from "./SeatMutants.js";
import { sightMutants } from "./SightMutants.js";
import { staleMutants } from "./StaleMutants.js";
import { sweptAgainMutants } from "./SweptAgainMutants.js";
import { sweptLeaseMutants } from "./SweptLeaseMutants.js";
import { sweptMutants } from "./SweptMutants.js";
import { takeoverMutants } from "./TakeoverMutants.js";
import { terminalsMutants } from "./TerminalsMutants.js";
import { tmuxMutants } from "./TmuxMutants.js";
import { twinsMutants } from "./TwinsMutants.js";
import { twoTroublesMutants } from "./TwoTroublesMutants.js";
import { verbMutants } from "./VerbMutants.js";
import { walkMutants } from "./WalkMutants.js";
import { writerMutants } from "./WriterMutants.js";

/** Every mutant. */
export const mutants: ReadonlyArray<Mutant> = [
  ...killMutants,
  ...leaseMutants,
  ...leaseFaultMutants,
  ...doubtMutants,
  ...twoTroublesMutants,
  ...leaseMeetMutants,
  ...movedMutants,
  ...takeoverMutants,
  ...attachmentMutants,
  ...attachmentFaultMutants,
  ...attachmentTwinsMutants,
  ...creationMutants,
  ...sightMutants,
  ...claimMutants,
  ...tmuxMutants,
  ...inputMutants,
  ...homeMutants,
  ...schemaMutants,
  ...hiddenMutants,
  ...againMutants,
  ...borrowMutants,
  ...betweenCallsMutants,
  ...keptMutants,
  ...heldMutants,
  ...verbMutants,
  ...overtakenMutants,
  ...oldAnswerMutants,
  ...lateMutants,
  ...awayMutants,
  ...idlerMutants,
  ...replacedMutants,
  ...adoptedMutants,
  ...fenceMutants,
  ...forgottenMutants,
  ...namespaceMutants,
  ...sweptMutants,
  ...sweptLeaseMutants,
  ...sweptAgainMutants,
  ...seatMutants,
  ...staleMutants,
  ...terminalsMutants,
  ...peerMutants,
  ...twinsMutants,
  ...walkMutants,
  ...writerMutants,
];
