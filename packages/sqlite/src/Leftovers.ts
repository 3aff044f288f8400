/**
 * Leftovers: what programs that were killed left in a home beside its registry.
 *
 * Those are locks, which show by themselves whether their owners live, and directories in which
 * something was being made. One of a registry has no owner's name, but whoever makes a registry
 * holds his lock already: with no lock held by another, it is of the dead. One of a copy tells
 * nothing, because a copy needs no lock. Nothing is made here.
 */
import path from "node:path";
import type { Leftover, Registry } from "@troupe/core";
import { Effect, Either } from "effect";
import { type HomePaths, namesIn, removeDirectory, workPrefixes } from "./HomeFiles.js";
import { lockOwners, lookAtLock } from "./KernelLock.js";
import { patiently } from "./Patience.js";
import type { Self } from "./Self.js";

const lockOf = (owner: string, why: string, removable: boolean): Leftover => ({
  what: `lock of ${owner}`,
  why,
  removable,
});

/** The locks of others; `living` are those that are held, or may be. */
const locksOf = (
  { locks }: HomePaths,
  self: Self,
  claims: (owner: string) => Effect.Effect<boolean>,
) =>
  Effect.gen(function* () {
    const left: Array<Leftover & { readonly owner: string }> = [];
    const living: Array<string> = [];
    for (const owner of yield* lockOwners(locks)) {
      if ((yield* self.holderOf(owner)) === "self") continue;
      const looked = yield* Effect.either(lookAtLock(locks, owner));
      if (Either.isLeft(looked)) {
        const why = `it cannot be looked at: ${looked.left.detail}`;
        left.push({ ...lockOf(owner, why, false), owner });
      }
      const verdict = Either.getOrElse(looked, () => "held" as const);
      if (verdict === "held") living.push(owner);
      if (verdict !== "free") continue;
      const isBereft = !(yield* claims(owner));
      const why = isBereft ? "its program is dead" : "its program is dead, and has a claim still";
      left.push({ ...lockOf(owner, why, isBereft), owner });
    }
    return { left, living };
  });

/** Whether a registry was being made in it, which nobody may have come far with. */
const isOfRegistry = (
  { database }: HomePaths,
  directory: string,
  names: ReadonlyArray<string>,
): boolean => {
  const file = path.basename(database);
  return (
    directory.startsWith(workPrefixes.registry) && names.every((name) => name.startsWith(file))
  );
};

const directoryOf = (paths: HomePaths, living: ReadonlyArray<string>, name: string) =>
  Effect.map(namesIn(path.join(paths.home, name)), (names): Leftover => {
    const what = `directory ${name}`;
    const [owner] = living;
    if (!isOfRegistry(paths, name, names)) {
      return { what, why: "it is not known whose it is", removable: false };
    }
    return owner === undefined
      ? { what, why: "whoever made it is dead", removable: true }
      : { what, why: `${owner} lives and may need it`, removable: false };
  });

/** The port's `leftovers`; `claims` tells whether claims of an owner are left. */
export const makeLeftovers =
  (
    paths: HomePaths,
    self: Self,
    claims: (owner: string) => Effect.Effect<boolean>,
  ): Registry["Type"]["leftovers"] =>
  ({ remove }) =>
    patiently(
      { session: null, attempted: "look for leftovers" },
      Effect.gen(function* () {
        // Listed before the locks are looked at: a later one may be of a program that came since.
        const prefixes = Object.values(workPrefixes);
        const made = (yield* namesIn(paths.home)).filter((name) =>
          prefixes.some((prefix) => name.startsWith(prefix)),
        );
        const { left, living } = yield* locksOf(paths, self, claims);
        const directories = yield* Effect.forEach(made, (name) =>
          Effect.map(directoryOf(paths, living, name), (leftover) => ({ name, leftover })),
        );
        if (remove) {
          yield* Effect.forEach(
            left.filter(({ removable }) => removable),
            ({ owner }) => self.forget(owner),
          );
          yield* Effect.forEach(
            directories.filter(({ leftover }) => leftover.removable),
            ({ name }) => removeDirectory(path.join(paths.home, name)),
          );
        }
        const locks = left.map(({ removable, what, why }): Leftover => ({ what, why, removable }));
        return [...locks, ...directories.map(({ leftover }) => leftover)];
      }),
    );
