/**
 * FenceMutants: guards of a change that tmux refused because a fence stands above its epoch: the
 * registry says whether its message was overtaken, and where it was not the change is done.
 *
 * The fence of another home, or of a registry that was lost, stands there before the verb.
 */
import { type Mutant, world } from "./Mutant.js";

const core = "packages/core/src";

const below = (call: string, how = "") => world(`${call}, below a fence that stands high${how}`);
const risen = (call: string) => world(`${call}, and a fence is raised high at any call of it`);
const overtaken = (call: string) => below(call, ", and a delete by force at any call of it");

/** What changes something in tmux, by the list that does it. */
const lists = ["create", "adopt", "add", "delete", "delete a terminal", "send", "send keys"];

/** Of a fence that nobody of this home raised. */
export const fenceMutants: ReadonlyArray<Mutant> = [
  {
    name: "higher-fence-is-an-overtaking",
    removes: "A higher fence alone does not say that a message was overtaken.",
    file: `${core}/HigherFence.ts`,
    from: "yield* tmux.fenceOf(session, server);",
    to: "yield* Effect.as(tmux.fenceOf(session, server), null);",
    killedBy: [below("create, replacing"), ...lists.map((call) => below(call)), risen("send")],
  },
  {
    name: "higher-fence-ends-the-message",
    removes: "What a higher fence refused is asked for again in the same message.",
    file: `${core}/HigherFence.ts`,
    from: "const again = yield* Effect.suspend(change);",
    to: "const again: A | Stale = reply;",
    killedBy: [below("create"), risen("adopt")],
  },
  {
    name: "higher-fence-is-passed-unasked",
    removes: "An epoch that passes is taken of the registry, which knows who was overtaken.",
    file: `${core}/Holding.ts`,
    from: "        return Effect.map(registry.renew(claim, height), (renewed) => {",
    to: `        const own = Effect.succeed({ ...claim, epoch: height });
        return Effect.map(Effect.orElse(registry.renew(claim, height), () => own), (renewed) => {`,
    killedBy: [overtaken("create"), overtaken("create, replacing")],
  },
];
