/**
 * TmuxServer: which versions are worked with, and what an older one comes to.
 */
import { describe, expect, it } from "@effect/vitest";
import { isSupported, type TmuxTransport } from "@troupe/tmux";
import { Effect } from "effect";
import { fakeHome, pass, sleep } from "./FakeHome.js";

/** A tmux that says that it is this version. */
const calling =
  (version: string) =>
  (transport: TmuxTransport["Type"]): TmuxTransport["Type"] => ({
    ...transport,
    run: (request) =>
      Effect.map(transport.run(request), (reply) => ({
        ...reply,
        stdout: reply.stdout.replace(/^(T1 \d+ \d+ ).*/m, `$1${version}`),
      })),
  });

describe("a version of tmux", () => {
  it.each([
    ["2.9a", false],
    ["3.1c", false],
    ["3.2", true],
    ["3.2a", true],
    ["3.10", true],
    ["10.0", true],
    ["next-3.6", true],
    ["master", true],
  ])("%s is worked with: %s", (version, expected) => {
    expect(isSupported(version)).toBe(expected);
  });

  it.scoped("that is too old is UnsupportedTmux to a create, which makes nothing", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome({ transport: calling("3.1c") });
      const failure = yield* Effect.flip(pass(home.sessions.create({ session: "a", ...sleep })));
      expect(failure).toMatchObject({ _tag: "UnsupportedTmux", version: "3.1c" });
      expect(yield* home.inTmux).toEqual([]);
      expect(yield* home.rows).toEqual([]);
    }),
  );
});
