/**
 * WriterRecord: what the program in a session received, line by line, and whether one wrote at a
 * time.
 *
 * A line is a tag, the epoch under which it was written, and a number that the writer counts. Two
 * epochs never come in turns, so each is of one holder; nothing comes twice or out of its order.
 */

/** A line as it was received. */
export interface Received {
  readonly tag: string;
  readonly epoch: number;
  readonly number: number;
}

/** The lines of a text, but for one that has not ended; what is none of ours is a bug. */
export const receivedIn = (text: string): ReadonlyArray<Received> =>
  text
    .split("\n")
    .slice(0, -1)
    .map((line) => {
      const [, tag, epoch, number] = /^(\S+) (\d+) (\d+)$/.exec(line) ?? [];
      if (tag === undefined) throw new Error(`the program received ${JSON.stringify(line)}`);
      return { tag, epoch: Number(epoch), number: Number(number) };
    });

/** Who holds what a tag writes under: a child writes for its parent. */
const holderOf = ({ tag }: Received): string => tag.replace(/'s$/, "");

/** What is wrong; `null` where there was one writer at every moment. */
export const wrongIn = (lines: ReadonlyArray<Received>): string | null => {
  const holders = new Map<number, string>();
  const last = new Map<string, number>();
  let newest = 0;
  for (const [at, line] of lines.entries()) {
    const { epoch, number, tag } = line;
    const told = `line ${at + 1}, ${tag} ${epoch} ${number},`;
    if (epoch < newest) return `${told} came behind epoch ${newest}`;
    newest = epoch;
    const holder = holders.get(epoch) ?? holderOf(line);
    if (holder !== holderOf(line)) return `${told} is under the epoch of ${holder}`;
    holders.set(epoch, holder);
    const before = last.get(`${tag} ${epoch}`) ?? 0;
    if (number <= before) return `${told} came behind number ${before}`;
    last.set(`${tag} ${epoch}`, number);
  }
  return null;
};
