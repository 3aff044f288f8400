/**
 * Settings: the bounds that one home runs under. All durations are milliseconds.
 *
 * The defaults are right for people; a test gives others. None of them is a correctness condition:
 * when a bound passes, a typed error says so and the rows tell what is left to do.
 */
import { Context } from "effect";

/** The bounds, with what happens when each passes. */
export interface SettingsShape {
  /** The mark of this home in tmux; sessions of other homes are strangers. */
  readonly home: string;
  /** Queued messages of one name; one more is `MailboxFull`. */
  readonly mailboxBound: number;
  /** How long a message waits for a claim; then `Busy`. */
  readonly claimWaitMs: number;
  /** How often a claim that is waited for is looked at, at first; less often while one keeps it. */
  readonly claimSpacingMs: number;
  /** How long programs that catch TERM may take to end; then they are killed. */
  readonly graceMs: number;
  /** How long a kill is repeated until tmux shows the session gone; then `KillUnconfirmed`. */
  readonly killBoundMs: number;
  /** How long processes are killed and looked at; then `ProcessesSurvived`. */
  readonly processBoundMs: number;
  /** How long a server that was told to listen again may take; then it is `LookupFailed`. */
  readonly listenBoundMs: number;
  /** How often a waited-for fact is looked at. */
  readonly lookSpacingMs: number;
  /** How many lines of each terminal a delete keeps, of history beside the screen. */
  readonly snapshotLines: number;
  /** How long keeping them may take; then the delete goes on without. */
  readonly snapshotBoundMs: number;
  /** How many events the log of a home keeps; a subscriber behind that is told of a gap. */
  readonly eventsKept: number;
  /** How often a subscriber at the end of the log looks for what other programs wrote. */
  readonly eventSpacingMs: number;
  /** A segment of recorded output has at least so many bytes, and less than twice as many. */
  readonly outputSegmentBytes: number;
  /** How many segments of a terminal's output are kept; the oldest goes. */
  readonly outputSegments: number;
  /** How often a reader of output looks for more by itself. */
  readonly outputSpacingMs: number;
  /** The longest pause between two looks of a reader whether its terminal has ended. */
  readonly outputLookMs: number;
  /** How long a reader waits behind an end for what tmux knows of it; then it ends, too. */
  readonly outputSettleMs: number;
  /** How long it waits there for a recorder that is not known to have written everything. */
  readonly outputRecorderMs: number;
  /** How long a program must live for a create to succeed. */
  readonly startWindowMs: number;
  /** How many bytes can be sent to a terminal at once; more is `TmuxRefused`. */
  readonly inputBytes: number;
  /** How long keys wait behind text: programs that take a burst for a paste drop Enter in it. */
  readonly inputSettleMs: number;
  /** How many leases may be held on a home at once; `null`, or no whole number from 1: any. */
  readonly leaseCapacity: number | null;
  /** How often a host looks for sessions with time limits that it does not know of. */
  readonly limitLookMs: number;
  /** How often giving a lease back is tried while the registry is busy; then it stays held. */
  readonly leaseAttempts: number;
  /** The pause behind the first of these tries; behind the second twice that, and so on. */
  readonly leaseBackoffMs: number;
  /** How old a lease of this program is before it can be one that nobody answers for. */
  readonly leaseOrphanGraceMs: number;
  /** How often a program that holds leases looks for what is left behind of others. */
  readonly leaseSweepMs: number;
  /** How often a lease that waits for its turn is looked at; time alone never ends it. */
  readonly leaseRecheckMs: number;
  /** How long an end waits for a turn that it interrupted; then the lease waits for it. */
  readonly turnSettleMs: number;
  /** How long a writer's last client may stay away, in time awake; 0 is for ever. */
  readonly orphanGraceMs: number;
  /** How long a turn that nobody is at may be silent; then it is interrupted. 0: at once. */
  readonly activityStaleMs: number;
  /** How long it may take to settle then; then its writer ends all the same. */
  readonly interruptSettleMs: number;
  /** How long a client may take for one element; then it is taken for gone. */
  readonly viewerBoundMs: number;
  /** A writer that is so old and was not used for so long ends; 0: never. */
  readonly idleReleaseMs: number;
  /** How often at most it is looked for those, while there are writers. */
  readonly idleLookMs: number;
  /** How many writers may be there; those used longest ago end. `null` or 0: any number. */
  readonly liveWriters: number | null;
  /** How long behind the one that was too many. */
  readonly evictDelayMs: number;
}

/** The bounds in force; a reference with a default, so that only `home` must be given. */
export class Settings extends Context.Reference<Settings>()("@troupe/core/Settings", {
  defaultValue: (): SettingsShape => ({
    home: "unnamed",
    mailboxBound: 64,
    claimWaitMs: 5_000,
    claimSpacingMs: 25,
    graceMs: 2_000,
    killBoundMs: 2_000,
    processBoundMs: 1_000,
    listenBoundMs: 1_000,
    lookSpacingMs: 20,
    snapshotLines: 2_000,
    snapshotBoundMs: 1_000,
    eventsKept: 10_000,
    eventSpacingMs: 100,
    outputSegmentBytes: 512 * 1024,
    outputSegments: 8,
    outputSpacingMs: 200,
    outputLookMs: 2_000,
    outputSettleMs: 1_000,
    outputRecorderMs: 5_000,
    startWindowMs: 100,
    inputBytes: 16 * 1024 * 1024,
    inputSettleMs: 300,
    leaseCapacity: null,
    limitLookMs: 60_000,
    leaseAttempts: 3,
    leaseBackoffMs: 50,
    leaseOrphanGraceMs: 30_000,
    leaseSweepMs: 300_000,
    leaseRecheckMs: 1_800_000,
    turnSettleMs: 5_000,
    orphanGraceMs: 20_000,
    activityStaleMs: 600_000,
    interruptSettleMs: 60_000,
    viewerBoundMs: 5_000,
    idleReleaseMs: 6 * 60 * 60 * 1000,
    idleLookMs: 300_000,
    liveWriters: null,
    evictDelayMs: 100,
  }),
}) {}
