/**
 * OutsideTheModel: what the fake does with anything that it does not know to answer as tmux does.
 *
 * It is a bug in a test or a gap in the fake, never an answer: the run that asked dies with it.
 */

/** The defect of a run that asked for something the fake does not model. */
export class OutsideTheModel extends Error {
  override readonly name = "OutsideTheModel";
}

/** Defects that say already where they were. */
const placed = new WeakSet<object>();

/** Takes a step of a program; a defect of it tells which program it was, and where. */
export const placing = <A>(place: () => string, step: () => A): A => {
  try {
    return step();
  } catch (defect) {
    if (typeof defect === "object" && defect !== null && placed.has(defect)) throw defect;
    const told =
      defect instanceof OutsideTheModel
        ? new OutsideTheModel(`${defect.message}, in ${place()}`)
        : new Error(`The program in ${place()} failed: ${String(defect)}`, { cause: defect });
    placed.add(told);
    throw told;
  }
};

/** Throws; the transport turns it into a defect of the run. */
export const outsideTheModel = (what: string): never => {
  throw new OutsideTheModel(`FakeTmux does not model ${what}`);
};
