/**
 * Parts of commands for scripts: flags, names, targets and formats.
 *
 * What exists in tmux at a time is guessed from a small set of names and ids.
 */
import type { Choices } from "./fake-tmux-choices.js";
import { makeFormat } from "./fake-tmux-formats.js";
import * as words from "./fake-tmux-words.js";

/** A command as an argv. */
export type CommandWords = ReadonlyArray<string>;

/** Makes words from choices. */
export class WordMaker {
  constructor(protected readonly choices: Choices) {}

  protected flag(probability: number, ...among: ReadonlyArray<string>): CommandWords {
    return this.choices.some(probability, () => [this.choices.pick(among)]);
  }

  protected name(): string {
    const { choices } = this;
    return choices.pick(choices.chance(0.6) ? words.plainNames : words.hostileNames);
  }

  protected id(sigil: string): string {
    return `${sigil}${this.choices.below(8)}`;
  }

  protected target(): string {
    const { choices } = this;
    return choices.weighted<() => string>([
      [30, () => choices.pick(words.plainNames)],
      [
        20,
        () =>
          choices.pick(["", "="]) +
          choices.pick(words.plainNames) +
          choices.pick(words.placesInSession),
      ],
      [25, () => this.id(choices.pick(["$", "@", "%"]))],
      [12, () => choices.pick(words.oddTargets)],
      [3, () => ""],
      [10, () => choices.pick(words.hostileNames)],
    ])();
  }

  /** Mostly something that is there. */
  protected near(): string {
    const { choices } = this;
    if (choices.chance(0.2)) return this.target();
    const place = choices.pick(["", ":", ":", ":0", ":w"]);
    return choices.pick(["alpha", "alpha2", "beta"]) + place;
  }

  protected at(probability = 0.85): CommandWords {
    return this.choices.some(probability, () => ["-t", this.pickTarget()]);
  }

  private pickTarget(): string {
    return this.choices.chance(0.5) ? this.near() : this.target();
  }

  /** A format of some depth. */
  format(depth = 2): string {
    return makeFormat(this.choices, depth);
  }

  protected formatted(probability = 0.8): CommandWords {
    return this.choices.some(probability, () => ["-F", this.format()]);
  }
}
