/**
 * ServerUnit: the service that a tmux server belongs to, as the text of its cgroup tells it.
 */

import { serviceOf } from "@troupe/node";
import { describe, expect, it } from "vitest";

describe("a cgroup", () => {
  it.each([
    ["0::/system.slice/cron.service", "cron.service"],
    ["0::/system.slice/cron.service/init.scope/payload", null],
    ["0::/user.slice/user-1000.slice/user@1000.service/app.slice/run-7.scope", null],
    ["0::/user.slice/user-1000.slice/user@1000.service/app.slice/a.service", "a.service"],
    ["0::/user.slice/user-1000.slice/session-3.scope", null],
    ["4:memory:/docker/x\n1:name=systemd:/system.slice/a.service\n0::/", "a.service"],
    ["4:memory:/system.slice/a.service", null],
    ["", null],
  ])("of the text %j is of the service %j", (cgroup, unit) => {
    expect(serviceOf(cgroup)).toBe(unit);
  });
});
