/**
 * What it costs to send 1 MB to a program, over processes and over a connection, against what
 * somebody does by hand: `load-buffer` from a file, then `paste-buffer`.
 *
 * Each until the program has read the last byte of it. The program reads without echo or line
 * editing and keeps what it read; a byte that is wrong or missing ends the bench.
 */
import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Sessions } from "@troupe/core";
import { Troupe } from "@troupe/node";
import { Context, Effect, Layer } from "effect";
import { ask, directory, inDirectory, socketAt } from "./ByHand.js";
import { compare, heading, milliseconds } from "./Rounds.js";

const rounds = Number(process.env.BENCH_ROUNDS ?? 12);
const size = 1_000_000;
const text = Array.from({ length: size / 100 }, (_, at) => `${String(at).padStart(99, ".")}\n`);
const whole = text.join("");
const file = join(directory, "text");

const commandFor = (got: string): ReadonlyArray<string> => [
  "sh",
  "-c",
  `stty raw -echo; : >${got}.ready; while head -c ${size} >${got}.part; do mv ${got}.part ${got}; done`,
];

const until = (holds: () => boolean): Effect.Effect<void> =>
  Effect.repeat(Effect.delay(Effect.sync(holds), 2), { until: (is) => is }).pipe(Effect.asVoid);

const isThere = (path: string) => () => statSync(path, { throwIfNoEntry: false }) !== undefined;

/** Milliseconds until what was sent was read, and whether it was that. */
const sent = <E>(got: string, send: Effect.Effect<unknown, E>) =>
  Effect.gen(function* () {
    rmSync(got, { force: true });
    const taken = yield* milliseconds(Effect.zipRight(send, until(isThere(got))));
    if (readFileSync(got, "utf8") !== whole) throw new Error(`${got} has other bytes`);
    return taken;
  });

const byHand = Effect.gen(function* () {
  const socket = socketAt("hand.sock");
  const got = join(directory, "hand");
  ask(socket, ["-f", "/dev/null", "new-session", "-d", "-s", "a", ...commandFor(got)]);
  yield* until(isThere(`${got}.ready`));
  const send = Effect.sync(() => {
    ask(socket, ["load-buffer", "-b", "text", file]);
    ask(socket, ["paste-buffer", "-r", "-d", "-b", "text", "-t", "=a:"]);
  });
  return { got, send };
});

const program = (name: string, connection: boolean) =>
  Effect.gen(function* () {
    const got = join(directory, `${name}.got`);
    const options = { home: join(directory, name), socket: socketAt(`${name}.sock`), connection };
    const sessions = Context.get(yield* Layer.build(Troupe.layer(options)), Sessions);
    yield* sessions.create({ session: "a", command: commandFor(got), cwd: "/", log: false });
    yield* until(isThere(`${got}.ready`));
    return { got, send: sessions.send("a", { text: whole }) };
  });

const bench = Effect.gen(function* () {
  writeFileSync(file, whole);
  const hand = yield* byHand;
  const connected = yield* program("connection", true);
  const spawning = yield* program("processes", false);
  heading("ms");
  yield* compare("1 MB is sent and read", rounds, [
    { name: "load-buffer, paste-buffer", once: sent(hand.got, hand.send) },
    { name: "connection", once: sent(connected.got, connected.send) },
    { name: "processes", once: sent(spawning.got, spawning.send) },
  ]);
});

await inDirectory(() => Effect.runPromise(Effect.scoped(bench)));
