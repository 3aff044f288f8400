/**
 * The list of mutants stands on the sources as they are: every edit has its one place, and every
 * killer is there. What they kill is shown by `npm run mutants`.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { namedWorlds } from "../explore/NamedWorlds.js";
import { edited, top } from "../mutants/Copy.js";
import { type Edit, editsOf, type Killer } from "../mutants/Mutant.js";
import { mutants } from "../mutants/Mutants.js";

const worlds = namedWorlds.map(({ world }) => world.name);

const textOf = (path: string): string =>
  existsSync(join(top, path)) ? readFileSync(join(top, path), "utf8") : "";

const isThere = (killer: Killer): boolean =>
  "world" in killer
    ? worlds.includes(killer.world)
    : textOf(killer.in) !== "" && textOf(killer.writtenIn ?? killer.in).includes(killer.test);

const faultOf = (edit: Edit): string | null => {
  try {
    const text = textOf(edit.file);
    return edited(text, edit) === text ? `an edit of ${edit.file} changes nothing` : null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

const twice = (names: ReadonlyArray<string>): ReadonlyArray<string> =>
  names.filter((name, at) => names.indexOf(name) !== at);

describe("mutants", () => {
  it("are at least 40, each with a name of its own", () => {
    expect(mutants.length).toBeGreaterThanOrEqual(40);
    expect(twice(mutants.map(({ name }) => name))).toEqual([]);
  });

  it("change a text that stands in its file exactly once", () => {
    expect(mutants.flatMap(editsOf).flatMap((edit) => faultOf(edit) ?? [])).toEqual([]);
    const [first] = mutants;
    expect(first && faultOf({ ...first, from: "return" })).toMatch(/stands there \d+ times/);
    expect(first && faultOf({ ...first, file: "nowhere.ts" })).toMatch(/stands there 0 times/);
  });

  it("name worlds and tests that there are, and no two worlds have one name", () => {
    const missing = mutants.flatMap(({ killedBy }) => killedBy.filter((k) => !isThere(k)));
    expect(missing).toEqual([]);
    expect(twice(worlds)).toEqual([]);
    expect(isThere({ world: "nowhere" })).toBe(false);
    expect(isThere({ test: "nothing", in: "nowhere.test.ts" })).toBe(false);
  });
});
