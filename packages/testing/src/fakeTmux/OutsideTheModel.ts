/**
 * OutsideTheModel: what the fake does with anything that it does not know to answer as tmux does.
 *
 * It is a bug in a test or a gap in the fake, never an answer: the run that asked dies with it.
 */

/** The defect of a run that asked for something the fake does not model. */
export class OutsideTheModel extends Error {
  override readonly name = "OutsideTheModel";
}

/** Throws; the transport turns it into a defect of the run. */
export const outsideTheModel = (what: string): never => {
  throw new OutsideTheModel(`FakeTmux does not model ${what}`);
};
