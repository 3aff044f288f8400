/**
 * NameLocks: one thing at a time for each name in this program, and names never wait for each
 * other.
 *
 * Whoever waits may be interrupted and is then forgotten; a name that nobody uses costs nothing.
 * Not a mailbox: who holds a lock is the caller's own fiber, and may not take it again.
 */
import { Effect } from "effect";

interface Lock {
  readonly semaphore: Effect.Semaphore;
  users: number;
}

/** The locks of each registry that this program uses. */
const known = new WeakMap<object, NameLocks>();

/** The locks of every name. */
export class NameLocks {
  /** Those that all share who use this registry: its leases, and what is done under them. */
  static of(registry: object): NameLocks {
    const locks = known.get(registry) ?? new NameLocks();
    known.set(registry, locks);
    return locks;
  }

  private readonly locks = new Map<string, Lock>();

  /** How many names are in use. */
  get size(): number {
    return this.locks.size;
  }

  /** Runs the effect alone among those of its name. */
  readonly alone =
    (name: string) =>
    <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      Effect.acquireUseRelease(
        Effect.sync(() => this.enter(name)),
        ({ semaphore }) => semaphore.withPermits(1)(effect),
        (lock) => Effect.sync(() => this.leave(name, lock)),
      );

  private enter(name: string): Lock {
    const lock = this.locks.get(name) ?? { semaphore: Effect.unsafeMakeSemaphore(1), users: 0 };
    lock.users += 1;
    this.locks.set(name, lock);
    return lock;
  }

  private leave(name: string, lock: Lock): void {
    lock.users -= 1;
    if (lock.users === 0) this.locks.delete(name);
  }
}
