/**
 * Reading: a home with a session whose program keeps every burst that it reads, and how input is
 * sent to it.
 *
 * The program has no echo and no line editing, so what it read is what was written to its pane.
 */
import { FakeTmux, type TmuxVersion } from "@troupe/testing";
import type { TmuxRequest } from "@troupe/tmux";
import { Effect } from "effect";
import { type FakeHome, fakeHome, pass } from "./FakeHome.js";

/** A session whose program reads without echo or line editing, and what it read, by pane. */
export const reading = Effect.fnUntraced(function* (version: TmuxVersion = "3.3a", first = "") {
  const got: Array<string> = [];
  const reader = FakeTmux.program((run) => {
    run.raw();
    run.write(first);
    run.onInput((text) => got.push(`${run.pane} ${text}`));
  });
  const home = yield* fakeHome({ tmux: { version, programs: { reader } } });
  yield* pass(home.sessions.create({ session: "a", command: ["reader"], cwd: "/" }));
  return { ...home, got };
});

/** Names of the paste buffers that tmux has. */
export const buffers = (home: FakeHome) =>
  Effect.map(
    Effect.orDie(home.tmux.client(["list-buffers", "-F", "#{buffer_name}"])),
    ({ stdout }) => stdout,
  );

/** Whether the list is one of a send that loads, writes or looks what was written. */
export const loads = ({ argv }: TmuxRequest): boolean => argv.join(" ").includes("load-buffer");
export const writes = ({ stdin }: TmuxRequest): boolean => String(stdin).includes("@troupe-sent");
export const looksUp = ({ argv }: TmuxRequest): boolean => argv.join(" ").includes("@troupe-sent");

/** Sends, and lets time pass. */
export const send = (home: FakeHome, ...words: Parameters<FakeHome["sessions"]["send"]>) =>
  pass(home.sessions.send(...words));
