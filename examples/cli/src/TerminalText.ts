/**
 * TerminalText: the terminals of a session as text.
 *
 * One a line, in the order in which they were made; those that are gone are among them. The text is
 * for reading; scripts take the result.
 */
import type { TerminalRecord, TerminalState } from "@troupe/core";
import { commandLine, ending } from "./ProgramText.js";
import { type Cell, type Colour, type Paper, table } from "./Table.js";

const colours: Readonly<Record<TerminalState, Colour | undefined>> = {
  creating: "yellow",
  running: "green",
  exited: undefined,
  deleting: "yellow",
  gone: "dim",
};

const heads = ["TERMINAL", "STATE", "PID", "EXIT", "COMMAND"];

/** The pid of the program while it may live: afterwards the number may be another's. */
const pid = ({ exit, panePid, state }: TerminalRecord): string =>
  panePid === null || exit !== null || state === "gone" ? "-" : String(panePid);

/** Terminals, one a line, with a line of heads. */
export const terminalTable = (terminals: ReadonlyArray<TerminalRecord>, paper: Paper): string => {
  const line = (record: TerminalRecord): ReadonlyArray<Cell> => [
    { text: record.terminal },
    { text: record.state, colour: colours[record.state] },
    { text: pid(record) },
    { text: record.exit === null ? "-" : ending(record.exit) },
    { text: record.command === null ? "-" : commandLine(record.command) },
  ];
  return table([heads.map((text) => ({ text })), ...terminals.map(line)], paper);
};
