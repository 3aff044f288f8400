/**
 * A fiber that somebody's call begins and that is the program's: nothing of the caller is in it.
 */
import { expect, it } from "@effect/vitest";
import { Effect, Exit, Fiber, Scope } from "effect";
import { askToEnd, forkOwned } from "../../packages/core/src/OwnedFiber.js";
import { insideTurns } from "../../packages/core/src/TurnInside.js";
import { runs, settle, turnHome } from "./TurnHome.js";

it.scoped("can be interrupted, although it was begun where nothing can", () =>
  Effect.gen(function* () {
    const scope = yield* Effect.scope;
    const fiber = yield* Effect.uninterruptible(forkOwned(scope, Effect.never));
    yield* settle;
    askToEnd(fiber);
    yield* settle;
    expect(yield* runs(fiber)).toBe(false);
  }),
);

it.scoped("is part of no turn, although it was begun in one", () =>
  Effect.gen(function* () {
    const home = yield* turnHome();
    const { handles } = yield* home.hosting("one");
    const scope = yield* Effect.scope;
    const handle = yield* handles.get("a");
    const [own, owned] = yield* handle.runTurn(() =>
      Effect.all([insideTurns, Effect.flatMap(forkOwned(scope, insideTurns), Fiber.join)]),
    );
    expect([own.length, owned.length]).toEqual([1, 0]);
  }),
);

it.effect("is over with its scope, which is told also where it never began", () =>
  Effect.gen(function* () {
    const scope = yield* Scope.make();
    const over: Array<string> = [];
    const behind = (name: string) => (exit: Exit.Exit<never>) =>
      Effect.zipRight(
        Effect.sync(() => over.push(name)),
        exit,
      );
    yield* forkOwned(scope, Effect.never, behind("begun"));
    yield* settle;
    yield* forkOwned(scope, Effect.never, behind("not begun"));
    yield* Scope.close(scope, Exit.void);
    expect(over.sort()).toEqual(["begun", "not begun"]);
  }),
);
