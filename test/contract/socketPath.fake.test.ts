/**
 * SocketPath: where a socket may be, on a real file system: only where nobody else can put one.
 *
 * Directories and files of a test's own, with owners and modes that others might have given them.
 */
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { describe, expect, it } from "@effect/vitest";
import { socketProblem } from "@troupe/tmux";
import { Effect } from "effect";
import { temporaryDirectory } from "./registryHomes.js";

const NOBODY = 65_534;
const asRoot = process.getuid?.() === 0;

/** A directory of this mode, for the test alone. */
const directory = Effect.fnUntraced(function* (mode: number) {
  const made = path.join(yield* temporaryDirectory, "d");
  fs.mkdirSync(made);
  fs.chmodSync(made, mode);
  return made;
});

const inside = (made: string): string => path.join(made, "s");

const both = (socket: string) =>
  [true, false].map((make) => socketProblem(socket, { make }) ?? "none");

describe("a socket is refused in a directory", () => {
  for (const mode of [0o777, 0o775, 0o757]) {
    it.scoped(`that others can write to (${mode.toString(8)})`, () =>
      Effect.gen(function* () {
        const made = yield* directory(mode);
        for (const problem of both(inside(made))) expect(problem).toContain("written by others");
      }),
    );
  }

  it.scoped("that is none, and in one that is a link to such a one", () =>
    Effect.gen(function* () {
      const parent = yield* temporaryDirectory;
      const file = path.join(parent, "file");
      fs.writeFileSync(file, "");
      expect(both(inside(file))[0]).toContain("not a directory");
      const open = yield* directory(0o777);
      const link = path.join(parent, "link");
      fs.symlinkSync(open, link);
      expect(both(inside(link))[0]).toContain("written by others");
    }),
  );

  it.runIf(asRoot)("that belongs to another user, who must not be root", () => {
    const made = fs.mkdtempSync("/tmp/tr-");
    try {
      fs.chownSync(made, NOBODY, NOBODY);
      for (const problem of both(inside(made))) expect(problem).toContain("another user");
    } finally {
      fs.rmSync(made, { recursive: true });
    }
  });
});

describe("a socket is taken in a directory", () => {
  for (const mode of [0o700, 0o755, 0o1777]) {
    it.scoped(`in which others can replace nothing (${mode.toString(8)})`, () =>
      Effect.gen(function* () {
        expect(both(inside(yield* directory(mode)))).toEqual(["none", "none"]);
      }),
    );
  }

  for (const umask of [0o000, 0o002, 0o077]) {
    it.scoped(`that is made for it, private under a umask of ${umask.toString(8)}`, () =>
      Effect.gen(function* () {
        const made = path.join(yield* temporaryDirectory, "new");
        expect(socketProblem(inside(made), { make: false })).toBe(null);
        expect(fs.existsSync(made)).toBe(false);
        const before = process.umask(umask);
        const problem = socketProblem(inside(made), { make: true });
        process.umask(before);
        expect([problem, fs.statSync(made).mode & 0o777]).toEqual([null, 0o700]);
      }),
    );
  }
});

describe("what stands at the path of a socket", () => {
  it.scoped("and is a file is refused to a server that would remove it", () =>
    Effect.gen(function* () {
      const socket = inside(yield* directory(0o700));
      fs.writeFileSync(socket, "somebody's");
      expect(socketProblem(socket, { make: true })).toContain("is no socket");
      expect(fs.readFileSync(socket, "utf8")).toBe("somebody's");
    }),
  );

  it.runIf(asRoot)("and is a socket of another user is refused", async () => {
    const made = fs.mkdtempSync("/tmp/tr-");
    const server = net.createServer();
    try {
      await new Promise<void>((resolve) => server.listen(inside(made), resolve));
      expect(both(inside(made))).toEqual(["none", "none"]);
      fs.chownSync(inside(made), NOBODY, NOBODY);
      for (const problem of both(inside(made))) expect(problem).toContain("another user");
    } finally {
      server.close();
      fs.rmSync(made, { recursive: true });
    }
  });
});
