/**
 * UnderLeaseWorlds: what is asked for under a lease, and another program that takes the lease by
 * force: behind the taking nothing of it reaches the session any more.
 *
 * The real sessions. Whoever takes by force takes the claim, too, so what is asked for is first or
 * fails, in its message or at the look at its lease.
 */
import { ActorId, LeaseId, type LeaseRecord, type LeaseRequest, SessionName } from "@troupe/core";
import { FakeTmux } from "@troupe/testing";
import { Effect } from "effect";
import type { ListedWorld } from "./NamedWorld.js";
import type { Call } from "./SessionWorld.js";

let held: LeaseRecord | null = null;
let isTaken = false;
let isLate = false;

/** A program that notes what comes behind the taking. */
const reader = FakeTmux.program((run) => {
  run.raw();
  run.onInput(() => {
    isLate ||= isTaken;
  });
});

const create: Call = {
  name: "create",
  run: (s) => s.create({ session: "a", command: ["reader"], cwd: "/" }),
};

/** A lease of the session, for this writer. */
export const leaseRequest = (who: string): LeaseRequest => ({
  session: SessionName.make("a"),
  attempted: "take the lease",
  lease: LeaseId.make(`lease-of-${who}`),
  component: "sessions",
  actor: ActorId.make(`actor-of-${who}`),
  surface: "explored",
  capacity: null,
});

const claim: Call = {
  name: "claim a lease",
  run: (s) =>
    Effect.map(s.claimLease(leaseRequest("one")), (lease) => {
      held = lease;
    }),
};

/** Another program takes the lease, whoever has it. */
export const takeByForce: Call = {
  name: "take the lease by force",
  run: (s) =>
    Effect.map(s.claimLease({ ...leaseRequest("two"), over: "any" }), () => {
      isTaken = true;
    }),
};

const send: Call = {
  name: "send under a lease",
  run: (s) => s.under(held as LeaseRecord).send("x"),
  tells: () => "sent",
};

const end: Call = {
  name: "end under a lease",
  run: (s) => s.under(held as LeaseRecord).delete({ graceMs: 0 }),
  tells: () => "ended",
};

const beside = (call: Call): ListedWorld => ({
  name: `${call.name} ∥ ${takeByForce.name}`,
  cost: 2,
  before: [create, claim],
  programs: [[call], [takeByForce]],
  machine: { programs: { reader } },
  onStart: () => {
    isTaken = false;
    isLate = false;
  },
  sometimes: [
    `${takeByForce.name}: ok`,
    `${call.name}: failed LeaseLost`,
    `${call.name}: failed Busy`,
  ],
  also: ({ told }) => {
    if (isLate) return "what was sent under a lease came behind its taking";
    const [ended, taken] = [end, takeByForce].map(({ name }) =>
      told.findIndex((line) => line.startsWith(`${name}: ok`)),
    ) as [number, number];
    return taken !== -1 && taken < ended ? "a session was deleted behind its lease" : null;
  },
});

/** The worlds. */
export const underLeaseWorlds: ReadonlyArray<ListedWorld> = [send, end].map(beside);
