/**
 * Strangers: sessions of troupe's own server that troupe did not make, and machines that hide
 * their processes: what troupe leaves alone, and what it cannot see.
 *
 * A session is offered to be adopted only where an adopt would not be refused.
 */
import { isFinal, SessionName } from "@troupe/core";
import { Either, Schema } from "effect";
import { type Finding, finding } from "./Finding.js";
import type { Machine } from "./Machine.js";
import { otherServers } from "./OtherServers.js";
import type { Patient } from "./Patient.js";

const isName = Schema.is(SessionName);

/**
 * The sessions that are not of this home. Beside another server of ours none is adopted, and none
 * whose name a row holds.
 */
export const strangers = (patient: Patient, machine: Machine): ReadonlyArray<Finding> => {
  const { listing, mark, rows, troupe } = patient;
  if (Either.isLeft(listing) || listing.right._tag !== "Server") return [];
  const others = listing.right.sessions.filter((session) => session.mark?.home !== mark);
  const held = (rows?.records ?? []).filter(({ state }) => !isFinal(state));
  const names = new Set<string>(held.map(({ session }) => session));
  const isAlone = otherServers(patient, machine).length === 0;
  return others.map(({ mark: theirs, name, sessionId }) =>
    finding(
      "sessions-foreign",
      theirs === null
        ? `session ${name} (${sessionId}) is not troupe's`
        : `session ${name} (${sessionId}) is of another home`,
      theirs === null && isName(name) && isAlone && !names.has(name) ? troupe("adopt", name) : null,
    ),
  );
};

/** Whether processes can be looked at. */
export const processView = (patient: Patient): ReadonlyArray<Finding> => {
  const { bootId, processes, servingUnseen } = patient;
  const unseen = (detail: string) => [finding("processes-unseen", detail)];
  if (Either.isLeft(bootId)) return unseen(bootId.left.detail);
  if (Either.isLeft(processes)) return unseen(processes.left.detail);
  return servingUnseen === null ? [] : unseen(servingUnseen.detail);
};
