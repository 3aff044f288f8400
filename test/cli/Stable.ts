/**
 * Stable: an answer with what differs from run to run replaced, so that answers can be compared.
 *
 * What is replaced stays of its type, and what was the same stays the same: the third process that
 * is named is 1003 wherever it is named again. Everything else is kept to the letter.
 */
import type { Stage } from "../support/Stage.js";

const pids: ReadonlySet<string> = new Set(["pid", "panePid", "pids", "recordedPids"]);
const fixed: Readonly<Record<string, string | number>> = {
  waitedMs: 0,
  version: "0.0.0",
  node: "v0.0.0",
  path: "PATH",
  owner: "OWNER",
  host: "host",
  bootId: "boot",
  ageMs: 0,
};

const uuid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const instant = /[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}\.[0-9]{3}Z/g;

/** Replaces in the answers of one stage, in the order in which they came. */
export const stabilizer = (stage: Stage): ((answer: unknown) => unknown) => {
  const [ids, processes] = [new Map<string, string>(), new Map<number, number>()];
  const remember = <K, V>(map: Map<K, V>, key: K, make: (count: number) => V): V => {
    const value = map.get(key) ?? make(map.size + 1);
    map.set(key, value);
    return value;
  };
  const idOf = (id: string) =>
    remember(ids, id, (count) => `00000000-0000-4000-8000-${String(count).padStart(12, "0")}`);
  const textOf = (text: string) =>
    text
      .replaceAll(stage.socket, "/stage/s")
      .replaceAll(stage.directory, "/stage")
      .replaceAll(stage.realTmux, "/usr/bin/tmux")
      .replaceAll(process.env.PATH ?? "", "PATH")
      .replaceAll(process.execPath, "/usr/bin/node")
      .replaceAll(uuid, idOf)
      .replaceAll(instant, "2026-01-01T00:00:00.000Z")
      .replaceAll(/[0-9]+ (ms|s)\b/g, "0 ms")
      .replaceAll(/\bsince [0-9]+s\b/g, "since 0s")
      .replaceAll(/\bprocess [0-9]+\b/g, "process 4711")
      .replaceAll(/\b[0-9]+\/[0-9]{10}\b/g, "4711/1700000000");
  const of = (value: unknown, key: string): unknown => {
    if (typeof value === "string")
      return Object.hasOwn(fixed, key) ? (fixed[key] ?? "") : textOf(value);
    if (typeof value === "number") {
      if (pids.has(key)) return remember(processes, value, (count) => 1000 + count);
      return Object.hasOwn(fixed, key) ? (fixed[key] ?? 0) : value;
    }
    // tmux misses how a program ended now and then.
    if (key === "exit" && typeof value === "object" && value !== null)
      return { code: 0, signal: null };
    // Whether a process ended before it had to be ended is chance, and so is the machine's unit.
    if (key === "killed" && value !== null) return [];
    if (key === "unit") return null;
    if (Array.isArray(value)) return value.map((one) => of(one, key));
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, of(one, name)]));
  };
  return (answer) => of(answer, "");
};
