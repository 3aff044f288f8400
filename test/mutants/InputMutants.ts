/**
 * InputMutants: what is sent to a terminal arrives whole and once, and what is told of it is so.
 *
 * Their worlds lose answers and do lists late; a program in the pane says what it read.
 */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is the text of source
import { type Mutant, world } from "./Mutant.js";

const send = "packages/core/src/Send.ts";

/** Edits of how input is sent. */
export const inputMutants: ReadonlyArray<Mutant> = [
  {
    name: "input-looked-up-without-a-fence",
    removes: "The fence is raised before input whose answer was lost is looked up.",
    file: send,
    from: "raiseFence(holding).pipe(Effect.zipRight(tmux.input.wasSent(target, part)));",
    to: "tmux.input.wasSent(target, part);",
    killedBy: [world("keys, with a late list"), world("send one, with a late list")],
  },
  {
    name: "input-believed-without-a-receipt",
    removes: "Input whose answer was lost is delivered only where the pane bears its receipt.",
    file: send,
    from: 'if (found._tag === "Right" && found.right === true) return null;',
    to: 'if (found._tag === "Right") return null;',
    killedBy: [world("send one, with faults")],
  },
  {
    name: "receipt-of-another-part",
    removes: "A receipt says which part of the input was written.",
    file: "packages/tmux/src/SendList.ts",
    from: "`${epoch}-${part._tag}`;",
    to: "`${epoch}${part._tag.slice(0, 0)}`;",
    killedBy: [world("send one, with faults")],
  },
  {
    name: "doubt-told-as-failure",
    removes:
      "Input of which it is not known whether it arrived is told as that, and not as failed.",
    file: send,
    from: "  return doubtOf(failure, detail);\n",
    to: '  return yield* detail === "" ? doubtOf(failure, detail) : failure;\n',
    killedBy: [world("send one, with faults")],
  },
  {
    name: "half-sent-told-as-failure",
    removes: "Keys that fail behind text that arrived leave it half sent, and are not a failure.",
    file: send,
    from: "      Effect.catchAll((failure) =>\n        Effect.succeed(\n",
    to: "      Effect.catchAll((failure) =>\n        Effect.fail(\n",
    killedBy: [world("send one, with faults")],
  },
  {
    name: "keys-behind-a-doubt",
    removes: "Keys are not sent behind text of which it is not known whether it arrived.",
    file: send,
    from: "  if (doubt === null) return yield* writeBehind(holding, place, keys);\n",
    to: "  if (doubt !== undefined) return yield* writeBehind(holding, place, keys);\n",
    killedBy: [world("send one, with faults")],
  },
  {
    name: "loaded-input-goes-where-it-may-be-used",
    removes: "What was loaded is removed also where the list that would write it is refused.",
    file: "packages/tmux/src/SendList.ts",
    from: "    when(guarded(target), inPane, refused, sessionId),\n",
    to: "    when(guarded(target), sequence(inPane, ...spent), refused, sessionId),\n",
    and: [
      {
        file: "packages/tmux/src/SendList.ts",
        from: '    ...(part._tag === "Loaded" ? [`delete-buffer -b ${inputBuffer(target)}`] : []),\n',
        to: "",
      },
      {
        file: "packages/tmux/src/SendList.ts",
        from: "  const refused = print(`REFUSED",
        to: '  const spent = part._tag === "Loaded" ? [`delete-buffer -b ${inputBuffer(target)}`] : [];\n  const refused = print(`REFUSED',
      },
    ],
    killedBy: [world("what is left in tmux: send, whatever happens")],
  },
];
