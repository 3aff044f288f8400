/**
 * DirectoryWatch: a hint that something in a directory changed.
 *
 * It asks the kernel to tell, and never reads or opens a file, so nothing in it can block. Where
 * the kernel cannot, the directory not being there yet or all watches being used up, no hint comes
 * and whoever waits looks by himself. A change between two waits is told at once at the second.
 */
import { type FSWatcher, watch } from "node:fs";
import { Effect, type Scope } from "effect";

class DirectoryWatch {
  private watcher: FSWatcher | null = null;
  private changed = false;
  private waiting: (() => void) | null = null;

  constructor(private readonly directory: string) {}

  private tell(): void {
    const { waiting } = this;
    this.waiting = null;
    if (waiting === null) this.changed = true;
    else waiting();
  }

  /** Tries anew at each wait, until there is something to watch. */
  private open(): void {
    if (this.watcher !== null) return;
    try {
      this.watcher = watch(this.directory, () => this.tell());
      this.watcher.on("error", () => this.close());
      // What changed before it was watched is a change, too.
      this.changed = true;
    } catch {
      // Nothing to watch, or no watch to be had: there are no hints then.
      this.watcher = null;
    }
  }

  close(): void {
    this.watcher?.close();
    this.watcher = null;
  }

  readonly next: Effect.Effect<void> = Effect.async<void>((resume) => {
    this.open();
    if (this.changed) {
      this.changed = false;
      resume(Effect.void);
      return undefined;
    }
    const waiting = () => resume(Effect.void);
    this.waiting = waiting;
    return Effect.sync(() => {
      if (this.waiting === waiting) this.waiting = null;
    });
  });
}

/** Watches until the scope closes; the effect ends at the first change since its last end. */
export const watchDirectory = (
  directory: string,
): Effect.Effect<Effect.Effect<void>, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => new DirectoryWatch(directory)),
      (watch) => Effect.sync(() => watch.close()),
    ),
    ({ next }) => next,
  );
