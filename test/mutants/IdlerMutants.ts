/**
 * IdlerMutants: guards of a claim that goes back whatever came of its message: of a bug, of what is
 * out of reach, of a name that is forgotten, behind a renewal and in doubt.
 *
 * Without them nobody but the end of its program frees the name, and one that idles does not end.
 */
import { type Mutant, world } from "./Mutant.js";

const core = "packages/core/src";

const idler = (call: string) =>
  world(`${call} of a program that lives on, and who comes behind it`);

/** Of a claim that somebody keeps who does nothing any more. */
export const idlerMutants: ReadonlyArray<Mutant> = [
  {
    name: "bug-keeps-the-claim",
    removes: "A claim is given back also behind a bug.",
    file: `${core}/Holding.ts`,
    from: "const released = yield* Effect.exit(holding.release);",
    to: `const died = exit._tag === "Failure" && Cause.isDie(exit.cause);
      const released = yield* Effect.exit(died ? Effect.void : holding.release);`,
    and: [
      {
        file: `${core}/Holding.ts`,
        from: 'import { Effect, type Option } from "effect";',
        to: 'import { Cause, Effect, type Option } from "effect";',
      },
    ],
    killedBy: [idler("create"), idler("delete"), idler("send")],
  },
  {
    name: "out-of-reach-keeps-the-claim",
    removes: "A claim is given back also where the registry was out of reach a moment ago.",
    file: `${core}/Holding.ts`,
    from: "const exit = yield* Effect.exit(message(holding));",
    to: `let isOut = false;
      const noted = Effect.tapError(message(holding), (error) => {
        isOut = typeof error === "object" && error !== null && "detail" in error;
        return Effect.void;
      });
      const exit = yield* Effect.exit(noted);`,
    and: [
      {
        file: `${core}/Holding.ts`,
        from: "const released = yield* Effect.exit(holding.release);",
        to: "const released = yield* Effect.exit(isOut ? Effect.void : holding.release);",
      },
    ],
    killedBy: [idler("create"), idler("delete"), idler("send")],
  },
  {
    name: "end-gives-the-claim-back",
    removes: "A claim is given back by the write that says so, and not by one that ends a session.",
    file: `${core}/Holding.ts`,
    from: "isGivenBack ||= isLast;",
    to: "isGivenBack ||= isLast || isFinal(state);",
    killedBy: [idler("create, replacing")],
  },
  {
    name: "forgotten-in-advance",
    removes: "A claim is given back where its name could not be forgotten.",
    file: `${core}/Holding.ts`,
    from: "write: (how) => Effect.suspend(() => how(claim)),",
    to: `write: (how) =>
      Effect.suspend(() => {
        isGivenBack ||= how === registry.forgetName;
        return how(claim);
      }),`,
    killedBy: [idler("gc")],
  },
  {
    name: "first-epoch-is-given-back",
    removes: "What is given back is the claim as it is by then, also behind a renewal.",
    file: `${core}/Holding.ts`,
    from: "giveBack(registry, claim))",
    to: "giveBack(registry, { ...claim, epoch: first.epoch }))",
    killedBy: [idler("create"), idler("add"), idler("send")],
  },
  {
    name: "doubt-keeps-the-claim",
    removes: "A claim behind which the fence is due is given back as any other.",
    file: `${core}/Holding.ts`,
    from: "(isGivenBack ? Effect.void",
    to: "(isGivenBack || claim.fenceDue ? Effect.void",
    killedBy: [idler("create"), idler("delete"), idler("send")],
  },
];
