import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

// Tests run the sources, not the build; only test/cli and test/multi-process start built programs.
const source = (name: string) =>
  fileURLToPath(new URL(`./packages/${name}/src/index.ts`, import.meta.url));
const alias = Object.fromEntries(
  ["core", "tmux", "sqlite", "node", "testing"].map((name) => [`@troupe/${name}`, source(name)]),
);
const project = (name: string, include: Array<string>, options: object = {}) => ({
  resolve: { alias },
  test: { name, include, retry: 0, ...options },
});

export default defineConfig({
  resolve: { alias },
  test: {
    // Each test keeps its state to itself, so files share a process: half of the time was imports.
    isolate: false,
    // Most tests of programs wait for processes, so a second worker costs the first one nothing.
    minWorkers: 2,
    maxWorkers: 2,
    projects: [
      project(
        "fast",
        [
          "test/tidy.test.ts",
          "test/core/**/*.test.ts",
          "test/explore/**/*.test.ts",
          "test/contract/**/*.fake.test.ts",
          "examples/host-app/test/**/*.test.ts",
        ],
        { testTimeout: 20_000, setupFiles: ["test/support/Breathing.ts"] },
      ),
      project("real", ["test/real/**/*.test.ts", "test/contract/**/*.real.test.ts"], {
        testTimeout: 30_000,
      }),
      project("programs", ["test/cli/**/*.test.ts", "test/multi-process/**/*.test.ts"], {
        testTimeout: 60_000,
      }),
    ],
  },
});
