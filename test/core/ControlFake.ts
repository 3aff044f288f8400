/**
 * ControlFake: a connection to a fake tmux in control mode, for tests of the transport.
 *
 * The far side is behind a channel that a test can mute and cut, and what came over a process all
 * the same is counted.
 */
import { FakeTmux } from "@troupe/testing";
import {
  type ControlListener,
  ControlTransport,
  type OpenControl,
  type TmuxRequest,
  TmuxTransport,
} from "@troupe/tmux";
import { Effect, type Scope } from "effect";

/** A list on stdin, unless it is another one. */
export const request = (of: Partial<TmuxRequest>): TmuxRequest => ({
  argv: ["source-file", "-"],
  stdin: null,
  framed: true,
  startsServer: false,
  path: null,
  deadlineMs: 1_000,
  session: null,
  attempted: "test",
  ...of,
});

/** A look that is told this. */
export const look = (text: string) => request({ argv: ["display-message", "-p", text] });
/** A change that another one does not undo. */
export const change = (option: string) => request({ stdin: `set-option -s @${option} on\n` });

/** What a test does to the channel. */
export interface Hand {
  /** What is said from now on does not come. */
  muted: boolean;
  channels: number;
  /** How many lines were sent. */
  lines: number;
  listener: ControlListener | null;
}

/** Until so many lines were sent. */
export const sent = (hand: Hand, lines: number) =>
  Effect.repeat(Effect.yieldNow(), { until: () => hand.lines >= lines });

/** The client ends, and says nothing more. */
export const cut = (hand: Hand) =>
  Effect.sync(() => {
    hand.listener?.left();
    hand.listener?.ended();
  });

const held =
  (open: OpenControl, hand: Hand): OpenControl =>
  (argv, listener) => {
    hand.channels += 1;
    hand.listener = listener;
    hand.muted = false;
    const channel = open(argv, {
      ...listener,
      told: (text) => {
        if (!hand.muted) listener.told(text);
      },
    });
    const write = (text: string) => {
      hand.lines += 1;
      channel.write(text);
    };
    return { ...channel, write };
  };

/** A transport whose connection stands, on a server that does not end by itself. */
export const connected = Effect.gen(function* () {
  const fake = yield* FakeTmux;
  const real = yield* TmuxTransport;
  const hand: Hand = { muted: false, channels: 0, lines: 0, listener: null };
  const counted = { processes: 0 };
  const run = (of: TmuxRequest) => {
    counted.processes += 1;
    return real.run(of);
  };
  const open = held(yield* fake.openControl, hand);
  const tmux = yield* ControlTransport.make({ processes: { ...real, run }, open });
  const say = (text: string) => Effect.map(tmux.run(look(text)), ({ stdout }) => stdout.trimEnd());
  const boot = ["start-server", ";", "set-option", "-s", "exit-empty", "off", ";"];
  yield* tmux.run(request({ argv: [...boot, "display-message", "-p", "x"], startsServer: true }));
  const sessions = Effect.map(fake.client(["list-sessions", "-F", "#{session_name}"]), (reply) =>
    reply.stdout.split("\n").filter((name) => name !== ""),
  );
  return { counted, fake, hand, real, say, sessions, tmux };
});

/** Plays on a fake of its own. */
export const onFake = <A, E>(play: Effect.Effect<A, E, FakeTmux | TmuxTransport | Scope.Scope>) =>
  Effect.provide(Effect.scoped(play), FakeTmux.layer());
