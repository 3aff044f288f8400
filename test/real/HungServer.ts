/**
 * HungServer: a real tmux server that hangs at the very list that a test arms it for.
 *
 * Once it is armed, the next list with the named command stops the server (SIGSTOP) before it is
 * handed in: the intent behind it is written, and nothing that it asks for has been done. `held`
 * also keeps that list back, whatever happens to its client, until the test lets it go: the worst
 * case of a client that is dead to its caller and not to tmux. The server goes on, and what was
 * held ends, when the scope closes.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Effect, type Scope } from "effect";
import { lives, stateOf } from "../support/Processes.js";
import { waitFor } from "../support/Waiting.js";
import { beforeList, writeWrapper } from "../support/Wrapper.js";
import type { RealHome } from "./RealHome.js";

/** The command by which the list is known. */
export type Command = "kill-session" | "new-session";

/** What becomes of the list that met the stopped server. */
export type Fate = "waits" | "held";

/** A server that hangs on demand. */
export interface HungServer {
  /** What to give as tmux to the program that shall meet the hung server. */
  readonly tmux: string;
  /** From here on the next list with the command stops the server that runs now. */
  readonly arm: Effect.Effect<void>;
  /** Until the server is stopped. */
  readonly stopped: Effect.Effect<void>;
  /** The server goes on. */
  readonly resume: Effect.Effect<void>;
  /** Hands the held list in; what tmux answered, when it did. */
  readonly letGo: Effect.Effect<string>;
  /** The file with the list that was held, as it was sent. */
  readonly heldList: string;
}

/** The list in a process of its own: the deadline ends the client that its caller knows. */
const HELD = `cp "$LIST" "$STAGE/held"
( while [ ! -e "$STAGE/go" ]; do [ -d "$STAGE" ] || exit; sleep 0.01; done
  $REAL "$@" < "$STAGE/held" > "$STAGE/late" 2>&1; cp "$STAGE/late" "$STAGE/copy"
  mv "$STAGE/late" "$STAGE/answer"; cat "$STAGE/copy" ) &
wait; exit`;

const script = (at: Command, fate: Fate): string =>
  beforeList(
    at,
    `mv "$STAGE/armed" "$STAGE/met" 2>/dev/null || exec $REAL "$@"
kill -STOP $(cat "$STAGE/met")
${fate === "held" ? HELD : ""}`,
  );

const make = (home: RealHome, at: Command, fate: Fate): HungServer => {
  const place = (name: string) => join(home.directory, name);
  const pid = () => Number(readFileSync(place("met"), "utf8"));
  return {
    tmux: writeWrapper(home.directory, `tmux-${fate}`, script(at, fate)),
    arm: Effect.sync(() => {
      writeFileSync(place("armed"), home.tmux("display-message", "-p", "#{pid}"));
    }),
    stopped: Effect.promise(async () => {
      await waitFor(
        "the stop of the server",
        () => existsSync(place("met")) && stateOf(pid()) === "T",
      );
    }),
    resume: Effect.sync(() => process.kill(pid(), "SIGCONT")),
    letGo: Effect.promise(async () => {
      writeFileSync(place("go"), "");
      await waitFor("the answer to the held list", () => existsSync(place("answer")));
      return readFileSync(place("answer"), "utf8").trim();
    }),
    heldList: place("held"),
  };
};

/** A server of this home that hangs on demand, and goes on when the scope closes. */
export const hungServer = (
  home: RealHome,
  at: Command,
  fate: Fate,
): Effect.Effect<HungServer, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => make(home, at, fate)),
    ({ resume }) =>
      Effect.when(resume, () => {
        const met = join(home.directory, "met");
        return existsSync(met) && lives(Number(readFileSync(met, "utf8")));
      }),
  );
