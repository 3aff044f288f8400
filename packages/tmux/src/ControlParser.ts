/**
 * ControlParser: what a client in control mode writes, taken apart. Pure but for its state.
 *
 * A command's output stands in a block, from `%begin` to the `%end` or `%error` with the same time,
 * number and flag; whatever else stands in between is output, however it looks. Between blocks
 * there are notices, one a line. Anything else is `Odd`: the framing is lost, and with it every
 * answer that is yet to come.
 */

/** A block, a notice, or the end. `sent`: the command came in a line, not from argv or a hook. */
export type ControlPart =
  | {
      readonly _tag: "Block";
      readonly sent: boolean;
      readonly failed: boolean;
      readonly text: string;
    }
  | { readonly _tag: "Notice"; readonly line: string }
  /** The client leaves; `reason` is empty where tmux gives none. */
  | { readonly _tag: "Exit"; readonly reason: string }
  | { readonly _tag: "Odd"; readonly line: string };

interface OpenBlock {
  /** Time, number and flag, as they stand behind `%begin `. */
  readonly id: string;
  readonly lines: Array<string>;
}

const BEGIN = /^%begin ([0-9]+ [0-9]+ [0-9]+)$/;

const outside = (line: string): ControlPart => {
  if (line === "%exit" || line.startsWith("%exit ")) {
    return { _tag: "Exit", reason: line.slice("%exit ".length) };
  }
  return /^%[a-z-]+( |$)/.test(line) ? { _tag: "Notice", line } : { _tag: "Odd", line };
};

/** Mutable; one for each client. */
export class ControlParser {
  private rest = "";
  private block: OpenBlock | null = null;

  /** What the text completes. */
  push(text: string): ReadonlyArray<ControlPart> {
    const lines = text.split("\n");
    lines[0] = this.rest + (lines[0] ?? "");
    this.rest = lines.pop() ?? "";
    const parts: Array<ControlPart> = [];
    for (const line of lines) {
      const part = this.line(line);
      if (part !== null) parts.push(part);
    }
    return parts;
  }

  private line(line: string): ControlPart | null {
    const { block } = this;
    if (block === null) {
      const id = BEGIN.exec(line)?.[1];
      if (id === undefined) return outside(line);
      this.block = { id, lines: [] };
      return null;
    }
    const failed = line === `%error ${block.id}`;
    if (!failed && line !== `%end ${block.id}`) {
      block.lines.push(line);
      return null;
    }
    this.block = null;
    const text = block.lines.map((each) => `${each}\n`).join("");
    return { _tag: "Block", sent: block.id.endsWith(" 1"), failed, text };
  }
}
