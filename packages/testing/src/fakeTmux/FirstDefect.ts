/**
 * FirstDefect: what a machine remembers of the first thing that went wrong inside of it.
 *
 * A defect leaves a step half done, so nothing that the machine answers later can be trusted: every
 * later step tells the same defect again, and does nothing. It is no fault that a test asked for.
 */

/** Mutable; one for each machine. */
export class FirstDefect {
  private found: { readonly defect: unknown } | null = null;

  /** Takes a step, unless one has failed already. */
  during<A>(step: () => A): A {
    if (this.found !== null) throw this.found.defect;
    try {
      return step();
    } catch (defect) {
      this.found ??= { defect };
      throw defect;
    }
  }
}
