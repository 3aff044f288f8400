/**
 * SelfWorlds: a program that changes something for the first time, twice at once, on SQLite: it has
 * one name and one lock, and both claims are its own, as it sees it and as another does.
 *
 * The first look at its own process is where the second call comes in.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { ProcessTable, Registry } from "@troupe/core";
import { Explore, type World } from "@troupe/testing";
import { Context, Effect, Layer } from "effect";
import { name } from "./LeaseWorld.js";
import type { NamedWorld } from "./NamedWorld.js";
import { ProgramProcesses } from "./ProgramProcesses.js";
import { sqliteIn, usedHome } from "./WorldStore.js";

const names = ["a", "b"].map(name);

const asked = { attempted: "explored", force: false };

const atOnce: World<ReadonlyArray<string>> = {
  name: "a program that begins, and claims two names at once, on SQLite",
  start: () => {
    const program = Effect.gen(function* () {
      const home = yield* usedHome;
      const processes = new ProgramProcesses();
      const on = (owner: string) => {
        const table = processes.of(owner);
        const look: typeof table.look = (pid) =>
          Effect.zipRight(Explore.point("looks at a process"), table.look(pid));
        const layer = sqliteIn(home, owner, Layer.succeed(ProcessTable, { ...table, look }));
        return Explore.quietly(Effect.map(Layer.build(layer), Context.get(Registry)));
      };
      const [one, two] = [yield* on("one"), yield* on("two")];
      const claims = yield* Effect.forEach(names, (session) => one.claim(session, asked), {
        concurrency: "unbounded",
      });
      const seenBy = (registry: Registry["Type"]) =>
        Effect.forEach(names, (session) =>
          Effect.map(registry.seeClaim(session, { asksLife: true }), ({ holder }) => holder),
        );
      const seen = [...(yield* seenBy(one)), ...(yield* seenBy(two))];
      const odd: Array<string> = [];
      const is = `${seen}`;
      if (is !== "self,self,alive,alive") odd.push(`its claims are held by ${is}`);
      const locks = readdirSync(join(home, "locks")).filter((file) => file.includes(",one-"));
      if (locks.length !== 1) odd.push(`it has ${locks.length} locks`);
      for (const claim of claims) yield* one.release(claim, { fenceDue: false });
      return odd;
    }).pipe(Explore.scoped, Effect.orDie, Effect.withTracerEnabled(false));
    return { program, check: ([first]) => first ?? null };
  },
};

/** The worlds. */
export const selfWorlds: ReadonlyArray<NamedWorld> = [{ world: atOnce, cost: 2 }];
