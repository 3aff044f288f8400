/**
 * ExploredProcessTable: a process table with a scheduling point before every call, named for the
 * method, what it is about, and the signal that is sent.
 */
import type { ProcessTable } from "@troupe/core";
import { exploredPort, subjectOf } from "./ExploredPort.js";

/** The same table, with points. */
export const exploredProcessTable = (table: ProcessTable["Type"]): ProcessTable["Type"] =>
  exploredPort(table, (method, args) => {
    const signal = typeof args[1] === "string" ? ` ${args[1]}` : "";
    return `processes.${method}${subjectOf(args)}${signal}`;
  });
