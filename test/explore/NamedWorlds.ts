/**
 * NamedWorlds: every world that has a name, in one list: what `npm run explore` exhausts, what
 * mutants are held against, and what tests of worlds run.
 *
 * No two have one name, which a test checks. It runs nothing.
 */
import { makeMailboxes } from "@troupe/core";
import { adoptedWorlds } from "./AdoptedWorlds.js";
import { adoptPlays } from "./AdoptPlays.js";
import { againPlays } from "./AgainPlays.js";
import { askedAgainWorlds } from "./AskedAgainWorlds.js";
import { attachmentTwinsWorlds } from "./AttachmentTwinsWorlds.js";
import { attachmentWorlds } from "./AttachmentWorlds.js";
import { besideWorlds } from "./BesideWorlds.js";
import { betweenWorlds } from "./BetweenWorlds.js";
import { birthWorlds } from "./BirthWorlds.js";
import { borrowWorlds } from "./BorrowWorlds.js";
import { canaryWorlds } from "./CanaryWorlds.js";
import { childWorlds } from "./ChildWorlds.js";
import { claimWorlds } from "./ClaimWorlds.js";
import { clientPlays } from "./ClientPlays.js";
import { collectWorlds } from "./CollectWorlds.js";
import { creationWorlds } from "./CreationWorlds.js";
import { daemonWorlds } from "./DaemonWorlds.js";
import { drawnWorlds } from "./DrawnWorlds.js";
import { droppedTurnWorlds } from "./DroppedTurnWorlds.js";
import { earlyChildPlays } from "./EarlyChildPlays.js";
import { earlyLeaverWorlds } from "./EarlyLeaverWorlds.js";
import { endingWorlds } from "./EndingWorlds.js";
import { eventWorlds } from "./EventWorlds.js";
import { followPlays } from "./FollowPlays.js";
import { forgottenWorlds } from "./ForgottenWorlds.js";
import { gcPlays } from "./GcPlays.js";
import { gcWorlds } from "./GcWorlds.js";
import { givenWorlds } from "./GivenWorlds.js";
import { guestWorlds } from "./GuestWorlds.js";
import { handBackWorlds } from "./HandBackWorlds.js";
import { highFenceWorlds } from "./HighFenceWorlds.js";
import { hurryWorlds } from "./HurryWorlds.js";
import { idlerWorlds } from "./IdlerWorlds.js";
import { inheritedWorlds } from "./InheritedWorlds.js";
import { keepWorlds } from "./KeepWorlds.js";
import { killWorlds } from "./KillWorlds.js";
import { lastTerminalWorlds } from "./LastTerminalWorlds.js";
import { lateWordWorlds } from "./LateWordWorlds.js";
import { leaseDoubtWorlds } from "./LeaseDoubtWorlds.js";
import { leaseFaultWorlds } from "./LeaseFaultWorlds.js";
import { leaseMeetWorlds } from "./LeaseMeetWorlds.js";
import { leasePlays } from "./LeasePlays.js";
import { leaseWalks } from "./LeaseWalkWorlds.js";
import { leaseWorlds } from "./LeaseWorlds.js";
import { leftHeldWorlds } from "./LeftHeldWorlds.js";
import { letInWorlds } from "./LetInWorlds.js";
import { lettingGoWorlds } from "./LettingGoWorlds.js";
import { limitWorlds } from "./LimitWorlds.js";
import { listenWorlds } from "./ListenWorlds.js";
import { listWorlds } from "./ListWorlds.js";
import { litterWorlds } from "./LitterWorlds.js";
import { lockWorlds } from "./LockWorlds.js";
import { full, passing, reentrant } from "./MailboxBounds.js";
import { mailboxWorldsOf } from "./MailboxCases.js";
import { makePlays } from "./MakePlays.js";
import { meetingWorlds } from "./MeetingWorlds.js";
import { movedWorlds } from "./MovedWorlds.js";
import { moveWorlds } from "./MoveWorlds.js";
import type { ListedWorld, NamedWorld } from "./NamedWorld.js";
import { namePlays } from "./NamePlays.js";
import { namespaceWorlds } from "./NamespaceWorlds.js";
import { oldAnswerWorlds } from "./OldAnswerWorlds.js";
import { outageWorlds } from "./OutageWorlds.js";
import { outputWorlds } from "./OutputWorlds.js";
import { overtakenForgettingWorlds } from "./OvertakenForgettingWorlds.js";
import { overtakenWorlds } from "./OvertakenWorlds.js";
import { owedWorlds } from "./OwedWorlds.js";
import { pairWorlds } from "./PairWorlds.js";
import { patienceWorlds } from "./PatienceWorlds.js";
import { peerWorlds } from "./PeerWorlds.js";
import { pidWorlds } from "./PidWorlds.js";
import { readerPlays } from "./ReaderPlays.js";
import { readingWorlds } from "./ReaderWorlds.js";
import { reconcilePlays } from "./ReconcilePlays.js";
import { registryTwinsWorlds } from "./RegistryTwinsWorlds.js";
import { replacedWorlds } from "./ReplacedWorlds.js";
import { requestWorlds } from "./RequestWorlds.js";
import { restoreWorlds } from "./RestoreWorlds.js";
import { scopesWorlds } from "./ScopesWorlds.js";
import { seatPlays } from "./SeatPlays.js";
import { seatWorlds } from "./SeatWorlds.js";
import { selfWorlds } from "./SelfWorlds.js";
import { sendWorlds } from "./SendWorlds.js";
import { sessionPlays } from "./SessionPlays.js";
import { sessionWorld } from "./SessionWorld.js";
import { settlingPlays } from "./SettlingPlays.js";
import { sightWorlds } from "./SightWorlds.js";
import { sleeperWorlds } from "./SleeperWorlds.js";
import { sparingTerminalsWorlds } from "./SparingTerminalsWorlds.js";
import { sparingWorlds } from "./SparingWorlds.js";
import { sqliteWorlds } from "./SqliteWorlds.js";
import { startWorlds } from "./StartWorlds.js";
import { stoppedChildWorlds } from "./StoppedChildWorlds.js";
import { suppliedWorlds } from "./SuppliedWorlds.js";
import { takingWorlds } from "./TakingWorlds.js";
import { terminalPlays } from "./TerminalPlays.js";
import { terminalsWorlds } from "./TerminalsWorlds.js";
import { threeClaimWorlds } from "./ThreeClaimWorlds.js";
import { togetherWorlds } from "./TogetherWorlds.js";
import { toldStreams } from "./ToldStreams.js";
import { toldWorlds } from "./ToldWorlds.js";
import { twoTroublesWorlds } from "./TwoTroublesWorlds.js";
import { underLeaseWorlds } from "./UnderLeaseWorlds.js";
import { waiterWorlds } from "./WaiterWorlds.js";
import { walkWorlds } from "./WalkWorlds.js";
import { windowPlays } from "./WindowPlays.js";
import { windowsWorlds } from "./WindowsWorlds.js";
import { writerEndWorlds } from "./WriterEndWorlds.js";
import { writerPlays } from "./WriterPlays.js";

const made = (listed: ReadonlyArray<ListedWorld>): ReadonlyArray<NamedWorld> =>
  listed.map(({ cost, walks = 0, ...options }) => ({ world: sessionWorld(options), cost, walks }));

const mailboxes = makeMailboxes(8);

const mailboxWorlds: ReadonlyArray<NamedWorld> = [
  ...mailboxWorldsOf(mailboxes),
  ...[passing, reentrant].map((world) => ({ world: world(mailboxes), cost: 2 })),
  { world: full(makeMailboxes(2), 2), cost: 1 },
];

/** The worlds in which one guard stands in the middle: small enough for every test run. */
export const guardWorlds: ReadonlyArray<NamedWorld> = [
  ...made([
    ...killWorlds,
    ...guestWorlds,
    ...pidWorlds,
    ...birthWorlds,
    ...creationWorlds,
    ...sightWorlds,
    ...claimWorlds,
    ...canaryWorlds,
  ]),
  ...scopesWorlds,
];

/** How many of those that are drawn by chance. */
const DRAWN = 150;

/** How many long walks of leases. */
const WALKS = 150;

/** Every named world. */
export const namedWorlds: ReadonlyArray<NamedWorld> = [
  ...guardWorlds,
  ...mailboxWorlds,
  ...[...sqliteWorlds, ...betweenWorlds, ...registryTwinsWorlds],
  ...leaseWorlds,
  ...leaseFaultWorlds,
  ...leaseDoubtWorlds,
  ...leaseMeetWorlds,
  ...lateWordWorlds,
  ...writerEndWorlds,
  ...lettingGoWorlds,
  ...made([...overtakenWorlds, ...inheritedWorlds]),
  ...made([...underLeaseWorlds, ...threeClaimWorlds]),
  ...[...moveWorlds, ...handBackWorlds, ...owedWorlds, ...seatPlays, ...seatWorlds],
  ...[...movedWorlds, ...leaseWalks(WALKS)],
  ...childWorlds,
  ...stoppedChildWorlds,
  ...borrowWorlds,
  ...sleeperWorlds,
  ...leftHeldWorlds,
  ...replacedWorlds,
  ...[...attachmentWorlds, ...letInWorlds, ...attachmentTwinsWorlds],
  ...[...eventWorlds, ...toldWorlds, ...toldStreams],
  ...[...waiterWorlds, ...askedAgainWorlds, ...patienceWorlds],
  ...made([...restoreWorlds, ...sendWorlds, ...outputWorlds, ...gcWorlds, ...listenWorlds]),
  ...made(pairWorlds),
  ...made([...besideWorlds, ...daemonWorlds, ...endingWorlds, ...listWorlds, ...meetingWorlds]),
  ...made(readingWorlds),
  ...made([...requestWorlds, ...sparingWorlds, ...collectWorlds, ...keepWorlds]),
  ...made([...lastTerminalWorlds, ...sparingTerminalsWorlds, ...earlyLeaverWorlds]),
  ...made(highFenceWorlds),
  ...made([...terminalsWorlds, ...windowsWorlds, ...peerWorlds]),
  ...made([...startWorlds, ...suppliedWorlds, ...givenWorlds, ...limitWorlds]),
  ...made([
    ...togetherWorlds,
    ...outageWorlds,
    ...idlerWorlds,
    ...twoTroublesWorlds,
    ...litterWorlds,
  ]),
  ...made([...adoptedWorlds, ...forgottenWorlds, ...namespaceWorlds]),
  ...made([...oldAnswerWorlds, ...drawnWorlds(DRAWN)]),
  ...[...windowPlays, ...namePlays, ...terminalPlays],
  ...[...made(takingWorlds), ...droppedTurnWorlds, ...overtakenForgettingWorlds],
  ...[...clientPlays, ...followPlays, ...hurryWorlds, ...lockWorlds, ...settlingPlays],
  ...[...reconcilePlays, ...earlyChildPlays],
  ...[...adoptPlays, ...gcPlays, ...againPlays, ...selfWorlds],
  ...walkWorlds,
  ...[...leasePlays, ...makePlays, ...sessionPlays, ...readerPlays, ...writerPlays],
];
