/**
 * Commands: every command that there is, in the order of the help.
 *
 * What is not in this list does not exist, whatever the documentation plans.
 */
import type { CommandSpec } from "./CommandSpec.js";
import { adopt } from "./commands/adopt.js";
import { attach } from "./commands/attach.js";
import { capture } from "./commands/capture.js";
import { create } from "./commands/create.js";
import { remove } from "./commands/delete.js";
import { demo } from "./commands/demo.js";
import { doctor } from "./commands/doctor.js";
import { events } from "./commands/events.js";
import { gc } from "./commands/gc.js";
import { homeList } from "./commands/homeList.js";
import { inspect } from "./commands/inspect.js";
import { leaseRelease } from "./commands/leaseRelease.js";
import { leaseShow } from "./commands/leaseShow.js";
import { leaseTakeOver } from "./commands/leaseTakeOver.js";
import { list } from "./commands/list.js";
import { logs } from "./commands/logs.js";
import { reconcile } from "./commands/reconcile.js";
import { restore } from "./commands/restore.js";
import { schema } from "./commands/schema.js";
import { send } from "./commands/send.js";
import { serverStatus } from "./commands/serverStatus.js";
import { serverStop } from "./commands/serverStop.js";
import { terminalAdd } from "./commands/terminalAdd.js";
import { terminalDelete } from "./commands/terminalDelete.js";
import { terminalList } from "./commands/terminalList.js";
import { version } from "./commands/version.js";
import { wait } from "./commands/wait.js";

/** The commands of the program. */
export const commands: ReadonlyArray<CommandSpec> = [
  create,
  list,
  inspect,
  send,
  attach,
  wait,
  capture,
  logs,
  events,
  remove,
  reconcile,
  restore,
  adopt,
  gc,
  terminalAdd,
  terminalList,
  terminalDelete,
  leaseShow,
  leaseRelease,
  leaseTakeOver,
  serverStatus,
  serverStop,
  doctor,
  homeList,
  demo,
  schema,
  version,
];
