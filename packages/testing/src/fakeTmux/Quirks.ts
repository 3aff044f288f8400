/**
 * Quirks: ways in which a fake may be wrong on purpose.
 *
 * They exist to show that the comparison with the real tmux notices each of them. Nothing else
 * turns one on.
 */

/** Each is off in a right fake. */
export interface Quirks {
  readonly noPrefixMatching: boolean;
  readonly reusedIds: boolean;
  readonly emptyTargetFails: boolean;
  readonly displayMessageFailsOnMissingTarget: boolean;
  readonly noCurrentTargetMissing: boolean;
  readonly namesNotRewritten: boolean;
  readonly serverOutlivesLastSession: boolean;
}

/** None. */
export const noQuirks: Quirks = {
  noPrefixMatching: false,
  reusedIds: false,
  emptyTargetFails: false,
  displayMessageFailsOnMissingTarget: false,
  noCurrentTargetMissing: false,
  namesNotRewritten: false,
  serverOutlivesLastSession: false,
};
