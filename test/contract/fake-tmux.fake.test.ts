/**
 * What the fake tmux answers, in the cases where peers' fakes were wrong. The long proof is the
 * comparison with the real tmux.
 */
import { describe, expect, it } from "@effect/vitest";
import { FakeTmux, type TmuxVersion } from "@troupe/testing";
import { Effect, Exit } from "effect";
import { boot, printed, request, source, start, tmux } from "./fake-tmux-asking.js";

const fresh = <A, E>(
  test: Effect.Effect<A, E, Effect.Effect.Context<ReturnType<typeof tmux>> | FakeTmux>,
) => Effect.provide(test, FakeTmux.layer());

const error = (text: string) => ({ exitCode: 1, stdout: "", stderr: `${text}\n` });

describe("targets", () => {
  it.effect("are names, prefixes and patterns where exactly one session fits", () =>
    Effect.gen(function* () {
      yield* boot;
      for (const name of ["alpha", "alpha2", "beta"]) yield* start(name, "sleep", "9");
      for (const target of ["alpha", "=alpha", "b", "be*", "$2", "@0", "%1", "", ":"]) {
        expect(yield* printed("has-session", "-t", target), target).toBe("");
      }
      for (const target of ["alph", "=alph", "=b", "$9", "a*"]) {
        const name = target.replace("=", "");
        expect(yield* tmux("has-session", "-t", target)).toEqual(
          error(`can't find session: ${name}`),
        );
      }
    }).pipe(fresh),
  );

  it.effect("are missing in different words, or silently, by command", () =>
    Effect.gen(function* () {
      yield* boot;
      expect(yield* tmux("has-session", "-t", "x")).toEqual(error("no current target"));
      yield* start("alpha", "sleep", "9");
      expect(yield* tmux("set-option", "-t", "=x", "@a", "1")).toEqual(
        error("no such session: =x"),
      );
      expect(yield* printed("display-message", "-p", "-t", "=x:", "[#{session_id}]")).toBe("[]\n");
      expect(yield* tmux("new-window", "-t", "=x:")).toEqual(error("can't find session: x"));
    }).pipe(fresh),
  );
});

describe("ids and names", () => {
  it.effect("are never used again in the life of a server, and begin at 0 in the next", () =>
    Effect.gen(function* () {
      yield* boot;
      expect(yield* start("a", "sleep", "9")).toMatch(/^\$0 %0 /);
      yield* tmux("kill-session", "-t", "$0");
      expect(yield* start("a", "sleep", "9")).toMatch(/^\$1 %1 /);
      yield* tmux("kill-server");
      expect(yield* start("a", "sleep", "9")).toMatch(/^\$0 %0 /);
    }).pipe(fresh),
  );

  it.effect("are rewritten where tmux rewrites them", () =>
    Effect.gen(function* () {
      yield* boot;
      expect(yield* printed("new-session", "-d", "-P", "-s", "a.b:c\t")).toBe("a_b_c\\t:\n");
      expect(yield* tmux("new-session", "-d", "-s", "a:b.c\t")).toEqual(
        error("duplicate session: a_b_c\\t"),
      );
      expect(yield* tmux("new-session", "-d", "-s", "#{nothing}")).toEqual(
        error("invalid session: "),
      );
    }).pipe(fresh),
  );
});

describe("a list", () => {
  it.effect("is refused as a whole when one command does not parse", () =>
    Effect.gen(function* () {
      yield* boot;
      expect(yield* tmux("new-session", "-d", "-s", "a", ";", "bogus")).toEqual(
        error("unknown command: bogus"),
      );
      expect(yield* printed("list-sessions")).toBe("");
    }).pipe(fresh),
  );

  it.effect("ends at its first error and keeps what it did and printed", () =>
    Effect.gen(function* () {
      yield* boot;
      const list = ["new-session", "-d", "-P", "-F", "made", "-s", "a", ";", "has", "-t", "=x"];
      expect(yield* tmux(...list, ";", "kill-server")).toEqual({
        exitCode: 1,
        stdout: "made\n",
        stderr: "can't find session: x\n",
      });
      expect(yield* printed("list-sessions", "-F", "#{session_name}")).toBe("a\n");
    }).pipe(fresh),
  );

  it.effect("goes on with the next line when it is sourced", () =>
    Effect.gen(function* () {
      yield* boot;
      const text = "has -t =x ; display -p never\nif -F '#{e|<=:#{@f},3}' { display -p yes }\n";
      expect(yield* source(text)).toEqual({
        exitCode: 1,
        stdout: "yes\n",
        stderr: "no current target\n",
      });
      expect(yield* source("display -p 1\nbogus\n")).toEqual({
        exitCode: 1,
        stdout: "-:2: unknown command: bogus\n",
        stderr: "",
      });
    }).pipe(fresh),
  );

  it.effect("has a limit of its length in bytes", () =>
    Effect.gen(function* () {
      yield* boot;
      const list = (bytes: number) => tmux("display-message", "-p", "x".repeat(bytes - 20));
      expect((yield* list(16_364)).exitCode).toBe(0);
      expect(yield* list(16_365)).toEqual(error("failed to send command"));
      expect(yield* list(16_381)).toEqual(error("command too long"));
    }).pipe(fresh),
  );

  it.effect("with something outside of the model is a defect that names it", () =>
    Effect.gen(function* () {
      yield* boot;
      const exit = yield* Effect.exit(tmux("run-shell", "true"));
      expect(Exit.isFailure(exit) && String(exit.cause)).toContain("run-shell");
    }).pipe(fresh),
  );
});

describe("another release", () => {
  const answers = (version: TmuxVersion, ...words: ReadonlyArray<string>) =>
    Effect.zipRight(boot, tmux(...words)).pipe(Effect.provide(FakeTmux.layer({ version })));

  it.effect("has its own words for wrong flags and unset options", () =>
    Effect.gen(function* () {
      expect(yield* answers("3.2a", "has-session", "-Z")).toEqual(
        error("tmux: unknown option -- Z\nusage: has-session [-t target-session]"),
      );
      expect(yield* answers("3.4", "has-session", "-t")).toEqual(
        error("command has-session: -t expects an argument"),
      );
      expect((yield* answers("3.2a", "show-options", "-gv", "@x")).exitCode).toBe(0);
      expect((yield* answers("3.3a", "show-options", "-gv", "@x")).exitCode).toBe(1);
    }),
  );

  it.effect("rewrites names in its own way", () =>
    Effect.gen(function* () {
      const named = (version: TmuxVersion, name: string) =>
        Effect.map(answers(version, "new-session", "-d", "-P", "-s", name), (r) => r.stdout);
      expect(yield* named("3.3a", "a.$x")).toBe("a_\\$x:\n");
      expect(yield* named("3.5a", "a.$x")).toBe("a_$x:\n");
      expect(yield* named("3.7c", "a.$x")).toBe("a.$x:\n");
    }),
  );

  it.effect("crashes where it crashes", () =>
    Effect.gen(function* () {
      yield* boot;
      yield* tmux("set-option", "-g", "window-size", "manual");
      expect(yield* tmux("new-session", "-d")).toEqual(error("server exited unexpectedly"));
      expect(yield* tmux("list-sessions")).toEqual(
        error("no server running on /run/fake-tmux/socket"),
      );
    }).pipe(fresh),
  );
});

describe("a client without UTF-8", () => {
  it.effect("gets an underscore for everything that is not printable ASCII", () =>
    Effect.gen(function* () {
      yield* boot;
      yield* tmux("set-option", "-g", "@x", "é日\t1");
      expect(yield* printed("display-message", "-p", "#{@x}")).toBe("____1\n");
    }).pipe(Effect.provide(FakeTmux.layer({ utf8: false }))),
  );
});

describe("clients", () => {
  it.effect("wait for each other, and are let go when the server ends", () =>
    Effect.gen(function* () {
      yield* boot;
      const waiting = yield* Effect.fork(tmux("wait-for", "c", ";", "display-message", "-p", "on"));
      yield* Effect.yieldNow();
      yield* tmux("wait-for", "-S", "c");
      expect((yield* waiting).stdout).toBe("on\n");
      const lost = yield* Effect.fork(tmux("wait-for", "d"));
      yield* Effect.yieldNow();
      yield* tmux("kill-server");
      expect(yield* lost).toEqual({ exitCode: 0, stdout: "", stderr: "" });
    }).pipe(fresh),
  );

  it.effect("that show a session are found by name, and leave with it", () =>
    Effect.gen(function* () {
      const fake = yield* FakeTmux;
      yield* boot;
      yield* start("a", "sleep", "9");
      yield* fake.attach("a", "client-7");
      expect(yield* printed("has-session", "-t", "=client-7")).toBe("");
      expect(yield* printed("list-clients", "-F", "#{client_name} #{session_name}")).toBe(
        "client-7 a\n",
      );
      yield* tmux("kill-session", "-t", "a");
      expect(yield* tmux("detach-client")).toEqual(error("no current client"));
      expect((yield* fake.requests).at(-1)).toEqual(request(["detach-client"]));
    }).pipe(fresh),
  );
});
