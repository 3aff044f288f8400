/**
 * Quantity: a number that a caller gave, refused where it cannot have been meant.
 *
 * One that is negative, endless or no number at all is a bug of the caller and no failure to act
 * on, so it throws, which is a defect of the flow that asks; nothing was done before. What was not
 * given stays so. Not for what a person typed: the command line reads that itself.
 */

const checked = (name: string, given: number | undefined, what: string, fits: boolean) => {
  if (given === undefined || (fits && given >= 0)) return given;
  throw new RangeError(`${name} must be ${what} from 0, not ${String(given)}`);
};

/** A duration in milliseconds. */
export const milliseconds = (name: string, given: number | undefined): number | undefined =>
  checked(name, given, "a number of milliseconds", Number.isFinite(given));

/** So many of something. */
export const count = (name: string, given: number | undefined): number | undefined =>
  checked(name, given, "a whole number", Number.isSafeInteger(given));
