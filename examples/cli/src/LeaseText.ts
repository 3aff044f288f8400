/**
 * LeaseText: a lease as text, for people: who holds it, whether he lives, what for and since when.
 *
 * That a lease is held does not prove that a turn runs: the turn is what its holder told.
 */
import { holderSeen } from "@troupe/core";
import { DateTime } from "effect";
import { ageText } from "./Age.js";
import type { LeaseInfo } from "./LeaseResult.js";
import { type Paper, table } from "./Table.js";

const ageOf = ({ acquiredAt }: LeaseInfo, now: number): string =>
  ageText(DateTime.toEpochMillis(DateTime.unsafeMake(acquiredAt)), now);

const childrenText = ({ children }: LeaseInfo): string | null =>
  children.length === 0 ? null : children.map(({ pid }) => `process ${pid}`).join(", ");

/** A lease in a line. */
export const leaseLine = (lease: LeaseInfo, now: number): string =>
  [
    `${holderSeen(lease)} for ${lease.surface} since ${ageOf(lease, now)}`,
    `epoch ${lease.epoch}`,
    ...(lease.turn === null ? [] : [`turn ${lease.turn}`]),
  ].join(", ");

/** A lease, one fact a line. */
export const leaseText = (lease: LeaseInfo, paper: Paper, now: number): string => {
  const facts: ReadonlyArray<readonly [string, string | null]> = [
    ["session", lease.session],
    ["holder", holderSeen(lease)],
    ["surface", lease.surface],
    ["age", ageOf(lease, now)],
    ["turn", lease.turn],
    ["children", childrenText(lease)],
    ["epoch", String(lease.epoch)],
    ["lease", lease.lease],
    ["writer", `${lease.actor} of ${lease.component}`],
    ["owner", lease.owner],
  ];
  const rows = facts.map(([name, text]) => [
    { text: name, colour: "dim" as const },
    { text: text ?? "-" },
  ]);
  return table(rows, { ...paper, width: null });
};
