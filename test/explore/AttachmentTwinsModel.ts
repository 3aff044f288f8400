/**
 * AttachmentTwinsModel: the attachments of a writer a second time, as a plain program that keeps a
 * list of people and a few facts, written from docs/attachments.md and not from the table.
 *
 * It is told what happens in words of its own, decides by itself what speaks against the end, and
 * says what there is then. Nothing of the table, of its rows or of its decision is in it.
 */

/** What is found when it is looked whether the writer may end. */
export interface Sight {
  readonly turn: { readonly id: string; readonly activity: number | null } | null;
  readonly isAwaited: boolean;
  readonly background: "none" | "some" | "unknown";
  readonly tmux: "none" | "some" | "unknown";
}

/** What happens. */
export type Happens =
  | {
      readonly what: "comes";
      readonly who: string;
      readonly hold: number;
      readonly closes: boolean;
      readonly isLive: boolean;
      readonly waits: boolean;
    }
  | { readonly what: "expected" }
  /** By this attachment; `null`: said to be gone, with all of them. */
  | { readonly what: "leaves"; readonly who: string; readonly hold: number | null }
  /** `late`: it was of so many detachments before. */
  | { readonly what: "looked"; readonly late: number; readonly sight: Sight }
  | { readonly what: "settled"; readonly turn: string; readonly isNext: boolean }
  | { readonly what: "ended" }
  | { readonly what: "evicted"; readonly isIdle: boolean }
  | { readonly what: "over" }
  | { readonly what: "time passes"; readonly ms: number };

/** The bounds of a program. */
export interface Bounds {
  readonly graceMs: number;
  readonly silentMs: number;
  readonly settleMs: number;
}

/** Somebody who is there, or waits. */
interface Person {
  readonly who: string;
  readonly since: number;
  holds: Array<number>;
  closes: boolean;
}

/** How long nobody has been there, and when it is looked at. */
interface Away {
  readonly since: number;
  due: number | null;
  why: string | null;
}

const told = ({ closes, holds, since, who }: Person): string =>
  `${who} since ${since} by ${holds.join("+")}${closes ? " who closes" : ""}`;

/** The attachments of one writer. */
export class PlainAttachments {
  private people: Array<Person> = [];
  private away: Away | null = null;
  private stopping: { readonly turn: string; readonly by: number } | null = null;
  private end: { readonly why: string; readonly forced: boolean; isOver: boolean } | null = null;
  private absences = 0;

  constructor(private readonly bounds: Bounds) {}

  /** One that is as this is, and goes its own way. */
  copy(): PlainAttachments {
    const other = new PlainAttachments(this.bounds);
    other.people = this.people.map((person) => ({ ...person, holds: [...person.holds] }));
    other.away = this.away === null ? null : { ...this.away };
    other.stopping = this.stopping;
    other.end = this.end === null ? null : { ...this.end };
    other.absences = this.absences;
    return other;
  }

  /** How many times everybody had left so far. */
  get detachments(): number {
    return this.absences;
  }

  /** What there is, in words. */
  get words(): string {
    const { absences, away, end, people, stopping } = this;
    if (end !== null) {
      return end.isOver ? `gone: ${end.why}` : `ends: ${end.why}${end.forced ? ", forced" : ""}`;
    }
    const who = people.map(told).join(", ");
    if (stopping !== null) {
      return `${absences}: stops ${stopping.turn} by ${stopping.by}, waiting: ${who}`;
    }
    if (away !== null) return `${absences}: left ${away.since}, due ${away.due}, ${away.why}`;
    return people.length > 0 ? `${absences}: there: ${who}` : `${absences}: nobody came`;
  }

  /** What is to be done behind it. */
  hear(event: Happens, now: number): string {
    switch (event.what) {
      case "comes":
        return this.comes(event, now);
      case "expected":
        if (this.end !== null || this.absences > 0 || this.people.length > 0) return "nothing";
        return this.left(now);
      case "leaves":
        return this.leaves(event.who, event.hold, now);
      case "looked":
        return this.looked(event.late, event.sight, now);
      case "settled":
        return this.settled(event.turn, event.isNext, now);
      case "ended":
        return this.ends("explicit_close", false, "nothing");
      case "evicted": {
        const isInUse = this.people.length > 0 || this.stopping !== null;
        return event.isIdle && !isInUse ? this.ends("idle_timeout", false, "reap") : "nothing";
      }
      case "over":
        if (this.end !== null) this.end.isOver = true;
        return "nothing";
      case "time passes":
        return "nothing";
    }
  }

  private left(now: number): string {
    const { graceMs } = this.bounds;
    this.absences += 1;
    this.stopping = null;
    this.away = { since: now, due: graceMs > 0 ? now + graceMs : null, why: null };
    return "arm";
  }

  private ends(why: string, forced: boolean, action: string): string {
    if (this.end !== null) return "nothing";
    this.end = { why, forced, isOver: false };
    return action;
  }

  private comes(event: Extract<Happens, { readonly what: "comes" }>, now: number): string {
    const { closes, hold, who } = event;
    if (this.end !== null) return this.end.isOver ? "refuse: stale" : "refuse: closing";
    if (!event.isLive) return "refuse: client gone";
    if (this.stopping !== null && !event.waits) return "refuse: settling";
    this.away = null;
    const same = this.people.find((person) => person.who === who);
    if (same === undefined) this.people.push({ who, since: now, holds: [hold], closes });
    else {
      same.holds.push(hold);
      // Once it has asked for that, it stays asked until this client is gone.
      if (closes) same.closes = true;
    }
    return this.stopping === null ? "bind" : "wait";
  }

  private leaves(who: string, hold: number | null, now: number): string {
    const person = this.people.find((each) => each.who === who);
    if (this.end !== null || person === undefined) return "nothing";
    const rest = hold === null ? [] : person.holds.filter((other) => other !== hold);
    if (hold !== null && rest.length === person.holds.length) return "nothing";
    person.holds = rest;
    if (rest.length > 0) return "nothing";
    this.people = this.people.filter((each) => each !== person);
    if (this.people.length > 0 || this.stopping !== null) return "nothing";
    return person.closes ? this.ends("client_disconnect", false, "reap") : this.left(now);
  }

  private looked(late: number, sight: Sight, now: number): string {
    if (late !== 0 || this.end !== null) return "nothing";
    if (this.stopping !== null) {
      if (sight.turn?.id !== this.stopping.turn) return this.ends("orphan_reap", false, "reap");
      return now < this.stopping.by ? "nothing" : this.ends("orphan_reap", true, "reap");
    }
    const { away } = this;
    if (away === null || away.due === null || now < away.due) return "nothing";
    const why = this.speaksForIt(sight, now, away.why);
    if (why !== "nothing") {
      away.due = now + this.bounds.graceMs;
      away.why = why;
      return "nothing";
    }
    if (sight.turn === null) return this.ends("orphan_reap", false, "reap");
    this.away = null;
    this.stopping = { turn: sight.turn.id, by: now + this.bounds.settleMs };
    return "interrupt";
  }

  /** What puts the end off, in the order of the documentation; `null`: its grace begins anew. */
  private speaksForIt(sight: Sight, now: number, before: string | null): string | null {
    const doubt = (found: Sight["tmux"], what: string): string | null =>
      found === "none" ? null : found === "some" ? what : `${what}-unknown`;
    const seen =
      doubt(sight.tmux, "native-tmux-client") ?? doubt(sight.background, "background-work");
    if (seen !== null) return seen;
    if (before?.startsWith("native-tmux-client") === true) return null;
    if (sight.turn === null) return sight.isAwaited ? "turn-active" : "nothing";
    const { activity } = sight.turn;
    // A word of a time to come is none.
    const isSilent = activity === null || activity > now || now >= activity + this.bounds.silentMs;
    return isSilent ? "nothing" : "turn-active";
  }

  private settled(turn: string, isNext: boolean, now: number): string {
    if (this.end !== null || this.stopping?.turn !== turn) return "nothing";
    if (this.people.length > 0) {
      this.stopping = null;
      return "bind";
    }
    return isNext ? this.left(now) : this.ends("orphan_reap", false, "reap");
  }
}
