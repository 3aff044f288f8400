/**
 * ExploredFiles: what a home keeps of its terminals, their output and their snapshots, with a
 * scheduling point before every call, named for the method and whose files they are.
 */
import type { OutputFiles, Snapshots } from "@troupe/core";
import { exploredPort, subjectOf } from "./ExploredPort.js";

/** Whose output it is: the first argument, or what that carries. */
const whose = ([subject]: ReadonlyArray<unknown>): string =>
  typeof subject === "object" && subject !== null && "incarnation" in subject
    ? ` ${subject.incarnation}`
    : subjectOf([subject]);

/** The same files, with points. */
export const exploredOutputFiles = (files: OutputFiles["Type"]): OutputFiles["Type"] =>
  exploredPort(files, (method, args) => `output.${method}${whose(args)}`);

/** The same snapshots, with points. */
export const exploredSnapshots = (snapshots: Snapshots["Type"]): Snapshots["Type"] =>
  exploredPort(snapshots, (method, args) => `snapshots.${method}${subjectOf(args)}`);
