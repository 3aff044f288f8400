/**
 * skipped: what does not run in a place, and why it cannot.
 *
 * A test that is skipped without a line here is a failure of the place: none is left out silently.
 */

const reasons = [];

/** Why the test cannot run there; `null` where nothing says so. */
export const reasonOf = (place, test) =>
  reasons.find(({ at, what }) => (at === null || at === place) && what.test(test))?.why ?? null;
