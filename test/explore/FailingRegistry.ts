/**
 * FailingRegistry: a registry whose every call may fail, as a choice of the explorer: before it
 * did anything, behind it, or of a bug.
 */
import { type Registry, RegistryUnavailable } from "@troupe/core";
import { failingPort } from "./FailingPort.js";

/** The same registry, with failures. */
export const failingRegistry = (registry: Registry["Type"]): Registry["Type"] =>
  failingPort(registry, {
    name: "registry",
    failure: (method) =>
      new RegistryUnavailable({ session: null, attempted: method, detail: "explored" }),
  });
