/**
 * WaitChannels: the channels of `wait-for`, on which clients wait for each other.
 *
 * A signal without a waiter is kept once. Locks are handed to the next in line. When the server
 * ends, everybody goes on.
 */

interface Channel {
  locked: boolean;
  woken: boolean;
  waiters: Array<() => void>;
  lockers: Array<() => void>;
}

/** All channels of one server. A callback continues a client that waits. */
export class WaitChannels {
  private readonly channels = new Map<string, Channel>();

  private open(name: string): Channel {
    const found = this.channels.get(name);
    if (found !== undefined) return found;
    const channel: Channel = { locked: false, woken: false, waiters: [], lockers: [] };
    this.channels.set(name, channel);
    return channel;
  }

  private tidy(name: string, channel: Channel): void {
    if (!channel.locked && channel.waiters.length === 0 && channel.woken)
      this.channels.delete(name);
  }

  signal(name: string): void {
    const channel = this.open(name);
    if (channel.waiters.length === 0 && !channel.woken) {
      channel.woken = true;
      return;
    }
    for (const goOn of channel.waiters.splice(0)) goOn();
    this.tidy(name, channel);
  }

  /** `true` when there is nothing to wait for. */
  wait(name: string, goOn: () => void): boolean {
    const channel = this.open(name);
    if (channel.woken) {
      this.tidy(name, channel);
      return true;
    }
    channel.waiters.push(goOn);
    return false;
  }

  /** `true` when the lock is had at once. */
  lock(name: string, goOn: () => void): boolean {
    const channel = this.open(name);
    if (channel.locked) {
      channel.lockers.push(goOn);
      return false;
    }
    channel.locked = true;
    return true;
  }

  /** `false` when nobody has the lock. */
  unlock(name: string): boolean {
    const channel = this.channels.get(name);
    if (channel?.locked !== true) return false;
    const next = channel.lockers.shift();
    if (next !== undefined) next();
    else {
      channel.locked = false;
      this.tidy(name, channel);
    }
    return true;
  }

  /** Lets everybody go on. */
  flush(): void {
    const all = [...this.channels.values()];
    this.channels.clear();
    for (const { lockers, waiters } of all) for (const goOn of [...waiters, ...lockers]) goOn();
  }
}
