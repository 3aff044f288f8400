/**
 * Machine: what core needs of this machine beside tmux and a registry, as one context.
 *
 * A layer for each would be built by a fiber of its own, and there are seven. Nothing is made or
 * asked here, apart from the environment and the real path of the home, which are read once.
 */
import { Context } from "effect";
import { FileSnapshots } from "./FileSnapshots.js";
import { LinuxProcessTable } from "./LinuxProcessTable.js";
import { NodeHost } from "./NodeHost.js";
import { NodeIds } from "./NodeIds.js";
import { NodeOutputFiles } from "./NodeOutputFiles.js";
import { NodePatterns } from "./NodePatterns.js";
import { NodeServerSocket } from "./NodeServerSocket.js";

/** The live adapters of a home whose socket is at this path. */
export const machine = (options: { readonly home: string; readonly socket: string }) =>
  Context.mergeAll(
    LinuxProcessTable.context,
    NodeServerSocket.context(options),
    FileSnapshots.context(options),
    NodeHost.context(),
    NodeIds.context,
    NodeOutputFiles.context(options),
    NodePatterns.context,
  );
