/**
 * KeyBindings: a text may bind keys and do nothing else, however tmux's language hides it.
 */
import { keyBindingFault } from "@troupe/tmux";
import { describe, expect, it } from "vitest";

describe("key bindings", () => {
  it.each([
    [""],
    ["# nothing\n\n"],
    ["bind-key -n F1 detach-client"],
    ["bind x kill-session\nunbind-key C-b\nunbind -a"],
    ["bind x \\\n  kill-session"],
    ["bind x { kill-session ; set -g status off }"],
    ["bind x {\n  kill-session # }\n  set -g status off\n}\nbind y detach"],
    ["bind \\; last-pane ; bind '#' list-buffers"],
    ['bind x display "a ; set -g status off"'],
    ["bind x display 'a\nset -g status off'"],
    ["bind x run-shell 'a' \\; set -g status off"],
  ])("%j are taken", (text) => {
    expect(keyBindingFault(text)).toBeNull();
  });

  it.each([
    ["set -g status off", "line 1: set binds no key"],
    ["bind x kill-session\n\nset -g status off", "line 3: set binds no key"],
    ["bind x kill-session; kill-server", "line 1: kill-server binds no key"],
    ["bind x {\n kill-session\n} ; kill-server", "line 3: kill-server binds no key"],
    ["bind x 'a\nb'\nkill-server", "line 3: kill-server binds no key"],
    ["# comment \\\n goes on\nkill-server", "line 3: kill-server binds no key"],
    ["# comment \\\\\nkill-server", "line 2: kill-server binds no key"],
    ["source-file ~/.tmux.conf", "line 1: source-file binds no key"],
    ["A=b bind x kill-session", "line 1: A=b binds no key"],
    ["%if 1\nbind x kill-session\n%endif", "line 1: %if binds no key"],
    ["{ kill-server }", "line 1: { binds no key"],
    ["'kill-server'", "line 1: 'kill-server' binds no key"],
    ["bind x kill-session }\nkill-server\n{", "line 1: there is no { for this }"],
    ["bind x { kill-session", "a { is not closed"],
    ["bind x 'kill-session", "a quote is not closed"],
    ["bind x kill\0", "there is a NUL in it"],
    ["x".repeat(2_000_000), "there are more than 1048576 characters"],
  ])("%j are refused by their line", (text, fault) => {
    expect(keyBindingFault(text)).toBe(fault);
  });
});
