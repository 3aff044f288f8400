/**
 * NamespaceMutants: guards of what is told of processes by where their pids are counted.
 *
 * Another boot has none of them any more; another namespace of this one cannot be seen, and then
 * nothing is known of them.
 */
import { type Mutant, world } from "./Mutant.js";

const core = "packages/core/src";

const other = "id.bootId !== bootId && sameBoot(id.bootId, bootId)";

const elsewhere = (call: string) => world(`${call} from another namespace of pids`);
const outOfReach = (call: string) =>
  world(`${call} from another namespace of pids, the socket goes`);
const rebooted = (call: string) =>
  world(`${call} of the other behind a reboot, and a gc before it`);

/** Of boots and namespaces. */
export const namespaceMutants: ReadonlyArray<Mutant> = [
  {
    name: "processes-elsewhere-have-ended",
    removes: "Processes that were recorded in another namespace have not ended.",
    file: `${core}/Victims.ts`,
    from: other,
    to: "id.bootId !== bootId && !sameBoot(id.bootId, id.bootId)",
    killedBy: [
      elsewhere("delete"),
      elsewhere("delete a terminal"),
      elsewhere("delete a terminal: the first"),
      elsewhere("create, replacing"),
      elsewhere("restore"),
    ],
  },
  {
    name: "processes-elsewhere-are-looked-for-last",
    removes: "Nothing is begun about processes that cannot be seen.",
    file: `${core}/Victims.ts`,
    from: "  if (elsewhere) return",
    to: "  if (elsewhere && panes.length === 0) return",
    killedBy: [elsewhere("delete"), elsewhere("delete a terminal"), elsewhere("restore")],
  },
  {
    name: "processes-of-an-earlier-boot-live",
    removes: "What was recorded in an earlier boot has ended with that.",
    file: `${core}/Victims.ts`,
    from: other,
    to: "id.bootId !== bootId",
    killedBy: [rebooted("restore"), rebooted("delete"), rebooted("delete a terminal")],
  },
  {
    name: "server-elsewhere-is-gone",
    removes: "A server of another namespace is not known to have ended.",
    file: `${core}/Sight.ts`,
    from: "  if (bootId !== record.process.bootId) return yield* outOfSight(session, attempted);\n",
    to: "",
    killedBy: [outOfReach("create"), outOfReach("restore"), outOfReach("reconcile")],
  },
  {
    name: "another-namespace-is-another-boot",
    removes: "Another namespace of the same boot is no reboot.",
    file: `${core}/Sight.ts`,
    from: "if (!sameBoot(bootId, record.process.bootId)) return",
    to: "if (bootId !== record.process.bootId) return",
    killedBy: [outOfReach("create"), outOfReach("restore"), outOfReach("reconcile")],
  },
];
