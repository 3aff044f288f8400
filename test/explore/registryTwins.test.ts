/**
 * Two registries are asked the same and answer alike: a few numbers of everything together here,
 * and more of each subject in `npm run explore`.
 *
 * The flaws show that a difference is found, in a read, in a lease and in what is forgotten.
 */
import { Explore } from "@troupe/testing";
import { Effect, Option } from "effect";
import { describe, expect, it } from "vitest";
import type { Flawed } from "./RegistryTwins.js";
import { subjects, twinsWorld } from "./RegistryTwinsWorlds.js";

type Subject = keyof typeof subjects;

const flaws: ReadonlyArray<readonly [what: string, subject: Subject, flawed: Flawed]> = [
  [
    "says that what begins had begun before",
    "sessions",
    (registry) => ({
      ...registry,
      history: (session) =>
        Effect.map(registry.history(session), (told) => ({
          ...told,
          records: told.records.map((record) => ({ ...record, createdAt: record.createdAt - 1 })),
        })),
    }),
  ],
  [
    "gives back the lease of whoever holds it",
    "leases",
    (registry) => ({
      ...registry,
      releaseLease: (ref) =>
        Effect.flatMap(registry.leaseOf(ref.session), (found) =>
          registry.releaseLease(Option.getOrElse(found, () => ref)),
        ),
    }),
  ],
  ["forgets nothing", "forgetting", (registry) => ({ ...registry, forget: () => Effect.void })],
];

const found = (subject: Subject, flawed?: Flawed): string =>
  Explore.explore(twinsWorld({ ...subjects[subject], calls: 60 }, 3, flawed), { cost: 1 }).failure
    ?.message ?? "nothing";

describe("two registries that are asked the same", () => {
  it("answer alike", () => {
    expect(found("together")).toBe("nothing");
  });

  it.each(flaws)("do not where one %s", (_, subject, flawed) => {
    expect(found(subject, flawed)).toContain("in SQLite");
  });
});
