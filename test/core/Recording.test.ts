/**
 * Recording: each terminal has a place of its own; a session that is not to be recorded has none.
 */
import { describe, expect, it } from "@effect/vitest";
import { Effect } from "effect";
import { fakeHome, pass, sleep } from "./FakeHome.js";

/** What the pipe of each pane does, by its directory; `none` for one that records nothing. */
const placesOf = (commands: ReadonlyArray<string>) =>
  commands.map((command) => /d='[^']*\/([^/]+\/[^/]+)'/.exec(command)?.[1] ?? "none");

describe("recording", () => {
  it.scoped("goes to a place of its own for each terminal of each incarnation", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* pass(home.sessions.create({ session: "a", ...sleep }));
      yield* pass(home.sessions.addTerminal({ session: "a", ...sleep }));
      const { incarnation } = yield* home.record("a");
      yield* pass(home.sessions.create({ session: "a", ...sleep, replace: true }));
      const again = yield* home.record("a");
      const places = placesOf((yield* home.tmux.pipes).map(({ command }) => command));
      const expected = [`${incarnation}/main`, `${incarnation}/t2`, `${again.incarnation}/main`];
      expect(places).toEqual(expected);
      expect(new Set(places).size).toBe(3);
    }),
  );

  it.scoped("is off for every terminal of a session that was made so", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* pass(home.sessions.create({ session: "a", ...sleep, log: false }));
      yield* pass(home.sessions.addTerminal({ session: "a", ...sleep }));
      const commands = (yield* home.tmux.pipes).map(({ command }) => command);
      expect(commands).toEqual(["exec cat >/dev/null", "exec cat >/dev/null"]);
    }),
  );
});
