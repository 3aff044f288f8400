/**
 * RegistryMemoryEvents: the log in a `MemoryStore`: written, bounded, read and waited for.
 *
 * Whoever waits is told by the commit itself, whichever program on the store made it, so no time
 * passes and nobody looks again and again. To be told is to be woken: a commit waits for no reader.
 */
import { Effect } from "effect";
import { forgottenWith } from "./EventLog.js";
import type { MemoryStore } from "./MemoryStore.js";
import type { Registry } from "./Registry.js";
import type { SessionEvent } from "./SessionEvents.js";

/** The newest number; some event is always kept, so none is used again. */
const lastOf = ({ events }: MemoryStore): number => events.at(-1)?.sequence ?? 0;

/** Writes the events in order, forgets what is beyond the bound, and tells those who wait. */
export const appendEvents = (
  store: MemoryStore,
  events: ReadonlyArray<Omit<SessionEvent, "sequence">>,
  kept: number,
): void => {
  for (const event of events) {
    const sequence = lastOf(store) + 1;
    store.events.push({ sequence, ...event });
    const forgotten = forgottenWith(sequence, kept);
    const first = store.events.findIndex((e) => e.sequence > forgotten);
    store.events.splice(0, first);
  }
  if (events.length === 0) return;
  const waiting = [...store.waiting];
  store.waiting.clear();
  for (const wake of waiting) wake();
};

/** The port's calls about the log. */
export const memoryEvents = (
  store: MemoryStore,
): Pick<Registry["Type"], "events" | "awaitEvents"> => ({
  events: (since, limit) =>
    Effect.sync(() => ({
      first: store.events[0]?.sequence ?? 1,
      last: lastOf(store),
      events: store.events.filter((e) => e.sequence > since).slice(0, Math.max(0, limit)),
      unreadable: [],
    })),
  awaitEvents: (last) =>
    Effect.async((resume) => {
      // Looked at and entered in one step: a commit comes before it or finds it here.
      if (lastOf(store) !== last) return resume(Effect.void);
      const wake = () => resume(Effect.void);
      store.waiting.add(wake);
      return Effect.sync(() => void store.waiting.delete(wake));
    }),
});
