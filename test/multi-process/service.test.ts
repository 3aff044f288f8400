/**
 * host-app as a service: what its stop takes along, and what the unit that comes with it keeps.
 *
 * Groups of the kernel stand for the units, and a program for `systemd-run`, which moves itself
 * into the group of the scope. Without the line of the unit that asks for a scope, the same stop
 * takes every job along.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { onStage, type Stage } from "../support/Stage.js";
import { ControlGroup, ungrouped } from "./ControlGroup.js";
import { HostApp } from "./HostApp.js";

const file = fileURLToPath(new URL("../../examples/host-app/host-app@.service", import.meta.url));

/** What the unit says of the scope. */
const [, scope = "none"] =
  /^Environment=HOST_APP_SCOPE=(.*)$/m.exec(readFileSync(file, "utf8")) ?? [];

const withUnits = async (
  stage: Stage,
  play: (service: ControlGroup, scopes: ControlGroup, path: string) => Promise<void>,
): Promise<void> => {
  const service = new ControlGroup("host-app@main.service");
  const scopes = new ControlGroup("run-r1.scope");
  const follow = 'while [ "$1" != -- ]; do shift; done; shift; exec "$@"';
  stage.wrapper("systemd-run", `echo $$ > ${scopes.members} || exit 1\n${follow}`);
  try {
    await play(service, scopes, `${stage.directory}:${process.env.PATH}`);
  } finally {
    await service.close();
    await scopes.close();
  }
};

describe.runIf(ungrouped === null)("host-app as a service", () => {
  it(
    "keeps every job when it is stopped, where its unit gives the server a scope",
    onStage((stage) =>
      withUnits(stage, async (service, scopes, PATH) => {
        const env = { PATH, HOST_APP_SCOPE: scope };
        const first = await HostApp.start(stage, env, service.entering);
        const { id } = await first.start(["sleep", "600"], "one");
        const inScope = scopes.pids;
        expect(inScope.length).toBeGreaterThanOrEqual(2);
        expect(service.pids.length).toBe(1);
        await service.stop();
        const second = await HostApp.start(stage, env, service.entering);
        expect(await second.get(id)).toMatchObject({ state: "running" });
        expect(scopes.pids).toEqual(inScope);
        expect([...first.log, ...second.log].join("\n")).not.toContain("ends with it");
      }),
    ),
  );

  it(
    "loses every job when it is stopped without a scope, and has said so",
    onStage((stage) =>
      withUnits(stage, async (service, scopes, PATH) => {
        const first = await HostApp.start(stage, { PATH }, service.entering);
        const { id } = await first.start(["sleep", "600"], "one");
        expect(scopes.pids).toEqual([]);
        await service.stop();
        const second = await HostApp.start(stage, { PATH }, service.entering);
        expect(await second.get(id)).toMatchObject({ state: "lost" });
        const warnings = first.log.filter((line) => line.includes("ends with it"));
        expect(warnings.length).toBe(1);
        expect(warnings[0]).toContain("host-app@main.service");
      }),
    ),
  );

  it(
    "says nothing where the unit is said to spare the server",
    onStage((stage) =>
      withUnits(stage, async (service, _, PATH) => {
        const env = { PATH, HOST_APP_SCOPE: "inherited" };
        const app = await HostApp.start(stage, env, service.entering);
        expect(app.log.join("\n")).not.toContain("ends with it");
      }),
    ),
  );
});

const analyze = spawnSync("systemd-analyze", ["--version"]).error === undefined;

describe.runIf(analyze)("the unit of host-app", () => {
  it(
    "is understood whole by systemd",
    onStage(async (stage) => {
      const runtime = join(stage.directory, "run");
      mkdirSync(runtime);
      const { status, stderr } = spawnSync("systemd-analyze", ["verify", "--user", file], {
        encoding: "utf8",
        env: { PATH: process.env.PATH, HOME: stage.directory, XDG_RUNTIME_DIR: runtime },
      });
      expect([status, stderr]).toEqual([0, ""]);
    }),
  );
});
