/**
 * The socket that a tmux command line names: what tmux itself would take it for.
 */
import { describe, expect, it } from "vitest";
import { socketNamed } from "../../packages/node/src/SocketNamed.js";

describe("the socket of a tmux command line", () => {
  it.each<readonly [string, string | null]>([
    ["tmux", null],
    ["tmux -S /s", "/s"],
    ["tmux -S/s", "/s"],
    ["tmux -uS /s", "/s"],
    ["tmux -2uvS/s new-session", "/s"],
    ["tmux -f /conf -S /s", "/s"],
    ["tmux -f/conf -L name -S /s", "/s"],
    ["tmux -S /other -S /s", "/s"],
    ["tmux -u -S", null],
    // Values of other flags.
    ["tmux -f -S /s", null],
    ["tmux -fS /s", null],
    ["tmux -cS /s", null],
    // Behind the flags there is a command, with flags of its own.
    ["tmux new-session -S /s", null],
    ["tmux -u capture-pane -p -S /s", null],
    ["tmux -u -- -S /s", null],
    ["tmux -S /s capture-pane -S /t", "/s"],
  ])("of %j is %j", (line, expected) => {
    expect(socketNamed([...line.split(" "), ""])).toBe(expected);
  });
});
