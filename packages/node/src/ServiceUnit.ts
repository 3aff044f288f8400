/**
 * ServiceUnit: the unit of systemd that a process is in, as the kernel tells it.
 *
 * What is born in a service is ended with it, also what has detached itself: a tmux server with
 * every session. The unit is the innermost one of a path: a scope inside a user's manager is safe,
 * although that manager is itself a service. What the unit's `KillMode` is, no file tells.
 */
import { readFileSync } from "node:fs";

/** The innermost units that a /proc/PID/cgroup tells, one for each hierarchy that has one. */
export const unitsOf = (cgroup: string): ReadonlyArray<string> => {
  const paths = cgroup.split("\n").flatMap((line) => {
    const [, controllers, path] = /^[0-9]+:([^:]*):(.*)$/.exec(line) ?? [];
    return controllers === "" || controllers === "name=systemd" ? [path ?? ""] : [];
  });
  return paths.flatMap(
    (path) => path.split("/").findLast((word) => /\.(service|scope)$/.test(word)) ?? [],
  );
};

/** The service that a process of that cgroup is in; `null` when it is in none. */
export const serviceOf = (cgroup: string): string | null =>
  unitsOf(cgroup).find((unit) => unit.endsWith(".service")) ?? null;

/** The service that this program is in; `null` when it is in none, or the kernel does not say. */
export const ownService = (): string | null => {
  try {
    return serviceOf(readFileSync("/proc/self/cgroup", "utf8"));
  } catch {
    // No cgroups, or no /proc: nothing here is ended by its unit.
    return null;
  }
};
