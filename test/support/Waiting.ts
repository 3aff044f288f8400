/**
 * Waiting: until a fact of the real world is so, with a bound.
 *
 * Tests that meet processes have nothing better than to look again; this is the only place where
 * they do, so that a test says what it waits for and never for how long.
 */

const boundMs = 20_000;
const spacingMs = 10;

/** Looks until there is something other than `null`, `undefined` or `false`; fails at the bound. */
export const waitFor = async <A>(
  what: string,
  look: () => A | Promise<A>,
): Promise<NonNullable<A>> => {
  const endsAt = performance.now() + boundMs;
  for (;;) {
    const seen = await look();
    if (seen !== null && seen !== undefined && seen !== false) return seen;
    if (performance.now() > endsAt) throw new Error(`waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, spacingMs));
  }
};
