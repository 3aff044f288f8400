/**
 * ExploredPort: any port with a scheduling point before every call, so that fibers switch and
 * programs crash there.
 *
 * It adds no failures and changes no answer. Members that are neither effects nor functions that
 * give effects are as they were. Whether a call is one step is up to the port that is wrapped.
 */
import { Effect } from "effect";
import { point } from "./Points.js";

/** The same port, with points; `describe` is what a table says of a call. */
export const exploredPort = <P extends object>(
  port: P,
  describe: (method: string, args: ReadonlyArray<unknown>) => string,
): P => {
  const pointBefore = (value: unknown, label: () => string): unknown =>
    Effect.isEffect(value)
      ? Effect.zipRight(
          Effect.suspend(() => point(label())),
          value,
        )
      : value;
  const explored = (method: string, member: unknown): unknown => {
    if (typeof member !== "function") return pointBefore(member, () => describe(method, []));
    return (...args: ReadonlyArray<unknown>) =>
      pointBefore(Reflect.apply(member, port, args), () => describe(method, args));
  };
  const members = Object.entries(port).map(([method, member]) => [
    method,
    explored(method, member),
  ]);
  // Every member keeps its type: effects stay effects of the same kind.
  return Object.fromEntries(members) as P;
};

/** What a call is about: its first argument, or the session that it carries. */
export const subjectOf = ([subject]: ReadonlyArray<unknown>): string => {
  if (typeof subject === "string" || typeof subject === "number") return ` ${subject}`;
  if (typeof subject !== "object" || subject === null) return "";
  if ("session" in subject && typeof subject.session === "string") return ` ${subject.session}`;
  return "pid" in subject ? ` ${subject.pid}` : "";
};
