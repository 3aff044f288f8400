/**
 * AttachmentTwinsMutants: rows of the attachment table and of the decision about an orphan that are
 * wrong in what a client asked for, or in a number or a moment, which a second word on them shows.
 *
 * The first hides in two rows what is told only at the next leave.
 */
import { type Edit, type Mutant, world } from "./Mutant.js";

const core = "packages/core/src";

const everySequence = world("attachments, said twice: every sequence of two clients");
const longOnes = world("attachments, said twice: long ones of three");

const inRows = (from: string, to: string): Edit => ({ file: `${core}/AttachRows.ts`, from, to });

const inherited = `const left = (viewers: ReadonlyArray<Viewer>, e: Leaving): ReadonlyArray<Viewer> => {
  const closes =
    e.hold === null && viewers.some((each) => each.client === e.client && each.closes);
  return without(viewers, e.client).map((each) => (closes ? { ...each, closes } : each));
};
`;

const isHeld = "/** Whether this attachment is open; any of the client, when none is named. */\n";

/** Each edit makes the table answer otherwise than the plain program. */
export const attachmentTwinsMutants: ReadonlyArray<Mutant> = [
  {
    name: "closing-is-inherited",
    removes: "What a client asked for that is said to be gone goes with it, and not to who stays.",
    ...inRows(isHeld, `${inherited}\n${isHeld}`),
    and: [
      inRows(
        "attached(s.generation, without(s.viewers, e.client))",
        "attached(s.generation, left(s.viewers, e))",
      ),
      inRows("waiting: without(s.waiting, e.client)", "waiting: left(s.waiting, e)"),
    ],
    killedBy: [everySequence, longOnes],
  },
  {
    name: "closing-is-of-the-last-to-come",
    removes: "A client that asked to close behind it has asked, also when it comes once more.",
    ...inRows("closes: each.closes || viewer.closes", "closes: viewer.closes"),
    killedBy: [everySequence, longOnes],
  },
  {
    name: "any-turn-lets-in",
    removes: "Who waits for a turn is there when that one has settled, not another.",
    file: `${core}/OrphanRows.ts`,
    from: "(s, e) => e.turn !== s.turn",
    to: "(s, e) => e.turn !== s.turn && s.waiting.length === 0",
    killedBy: [everySequence, longOnes],
  },
  {
    name: "settled-goes-on-in-the-same-detachment",
    removes: "Behind a turn that settled and another that was accepted, a detachment is a new one.",
    file: `${core}/OrphanRows.ts`,
    from: "detachedAt(s.generation + 1, e.at, e.graceMs)",
    to: "detachedAt(s.generation, e.at, e.graceMs)",
    killedBy: [everySequence, longOnes],
  },
  {
    name: "silent-a-moment-later",
    removes: "A turn that said nothing for as long as it may is silent.",
    file: `${core}/OrphanDecision.ts`,
    from: "now - activity < bounds.activityStaleMs",
    to: "now - activity <= bounds.activityStaleMs",
    killedBy: [everySequence],
  },
];
