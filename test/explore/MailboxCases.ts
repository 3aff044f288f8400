/**
 * MailboxCases: what mailboxes promise, with the costs up to which each world of it is exhausted:
 * where fibers switch at ports, and where they may switch before every operation that can be seen.
 * No test itself.
 */
import type { World } from "@troupe/testing";
import {
  again,
  closing,
  exclusion,
  joining,
  leaving,
  type Make,
  order,
  twoNames,
} from "./MailboxWorlds.js";
import type { NamedWorld } from "./NamedWorld.js";

/** One promise. */
export interface MailboxCase {
  readonly world: (make: Make) => World<unknown>;
  readonly ports: number;
  readonly visible: number;
}

/** Every promise that any mailboxes can be held to. */
export const mailboxCases = {
  exclusion: { world: exclusion, ports: 4, visible: 1 },
  again: { world: again, ports: 6, visible: 2 },
  twoNames: { world: twoNames, ports: 4, visible: 1 },
  order: { world: order, ports: 2, visible: 1 },
  leaving: { world: leaving, ports: 4, visible: 2 },
  joining: { world: joining, ports: 3, visible: 1 },
  closing: { world: closing, ports: 3, visible: 2 },
} satisfies Record<string, MailboxCase>;

/** Their worlds over these mailboxes. */
export const mailboxWorldsOf = (make: Make): ReadonlyArray<NamedWorld> =>
  Object.values<MailboxCase>(mailboxCases).flatMap(({ ports, visible, ...of }) => {
    const world = of.world(make);
    const name = `${world.name}: at any operation`;
    return [
      { world, cost: ports },
      { world: { ...world, name, granularity: "visible" as const }, cost: visible },
    ];
  });
