/**
 * Strangers: sessions of troupe's own server that troupe did not make, and machines that hide
 * their processes: what troupe leaves alone, and what it cannot see.
 */
import { SessionName } from "@troupe/core";
import { Either, Schema } from "effect";
import { type Finding, finding } from "./Finding.js";
import type { Patient } from "./Patient.js";

const isName = Schema.is(SessionName);

/** The sessions that are not of this home. */
export const strangers = ({ listing, mark, troupe }: Patient): ReadonlyArray<Finding> => {
  if (Either.isLeft(listing) || listing.right._tag !== "Server") return [];
  const others = listing.right.sessions.filter((session) => session.mark?.home !== mark);
  return others.map(({ mark: theirs, name, sessionId }) =>
    finding(
      "sessions-foreign",
      theirs === null
        ? `session ${name} (${sessionId}) is not troupe's`
        : `session ${name} (${sessionId}) is of another home`,
      theirs === null && isName(name) ? troupe("adopt", name) : null,
    ),
  );
};

/** Whether processes can be looked at. */
export const processView = ({ bootId, processes }: Patient): ReadonlyArray<Finding> => {
  const unseen = (detail: string) => [finding("processes-unseen", detail)];
  if (Either.isLeft(bootId)) return unseen(bootId.left.detail);
  return Either.isLeft(processes) ? unseen(processes.left.detail) : [];
};
