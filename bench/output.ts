/**
 * How fast what a program prints is recorded and read, whether every byte is there, and what memory
 * that takes, also where a reader has stopped.
 *
 * A program floods its pane with lines of 99 characters. Recorded: until the last byte is in the
 * files of the recorder; against a pane of the same server that nobody pipes, until its program has
 * printed. Read: until a subscriber has the last byte; against `pipe-pane 'cat >file'`, until it is
 * in the file. Each run compares every byte; one that is missing or wrong ends the bench.
 */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Sessions } from "@troupe/core";
import { findTmux, Troupe } from "@troupe/node";
import { Context, Deferred, Effect, Fiber, Layer, Stream } from "effect";
import { compare, heading, type Measured, report } from "./Rounds.js";

const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const megabytes = Number(process.env.BENCH_MEGABYTES ?? 32);
const tmux = findTmux(undefined);
const directory = fs.mkdtempSync(join(tmpdir(), "tr-"));
const [home, socket] = [join(directory, "home"), join(directory, "s")];
const [printed, piped] = [join(directory, "printed"), join(directory, "piped")];
const flags = { go: join(directory, "go"), done: join(directory, "done") };

/** The recorder of what was deleted may still be at its last byte. */
const forGood = { recursive: true, force: true, maxRetries: 10, retryDelay: 50 };

const line = (at: number): string => `${String(at).padStart(98, ".")}x`;
const lines = Array.from({ length: megabytes * 10_000 }, (_, at) => line(at));
/** What the terminal makes of it. */
const whole = Buffer.from(lines.map((text) => `${text}\r\n`).join(""));
const size = whole.length / 1e6;

const asked = (...words: ReadonlyArray<string>): string => {
  const done = spawnSync(tmux, ["-S", socket, ...words], { encoding: "utf8" });
  if (done.status !== 0) throw new Error(`${words.join(" ")}: ${done.stderr}`);
  return done.stdout.trim();
};

/** Waits to be let go, prints, says that it has, and stays. */
const command = [
  "bash",
  "--norc",
  "-c",
  `read -r _ <${flags.go}; cat ${printed}; : >${flags.done}; exec sleep 600`,
];

const until = (holds: () => boolean): Effect.Effect<void> =>
  Effect.repeat(Effect.delay(Effect.sync(holds), 2), { until: (is) => is }).pipe(Effect.asVoid);

/** MB/s from when the program is let go until the work is done. */
const rate = <E>(work: Effect.Effect<unknown, E>): Effect.Effect<number, E> =>
  Effect.gen(function* () {
    fs.rmSync(flags.done, { force: true });
    const working = yield* Effect.fork(work);
    // Opens when the program reads it.
    yield* Effect.promise(() => fs.promises.writeFile(flags.go, "\n"));
    const startedAt = performance.now();
    yield* Fiber.join(working);
    return size / ((performance.now() - startedAt) / 1000);
  });

const requireWhole = (what: string, bytes: Buffer): void => {
  if (bytes.equals(whole)) return;
  throw new Error(`${what}: ${bytes.length} bytes of ${whole.length}, or others`);
};

/** A pane of tmux alone; `pipe` is what its output is piped into. */
const byHand = (pipe: string | null, work: Effect.Effect<unknown>) =>
  Effect.gen(function* () {
    asked("new-session", "-d", "-s", "hand", "-x", "200", "-y", "50", ...command);
    if (pipe !== null) asked("pipe-pane", "-O", "-t", "=hand:", pipe);
    const taken = yield* rate(work);
    asked("kill-session", "-t", "=hand");
    return taken;
  });

const hasPrinted = until(() => fs.existsSync(flags.done));

const pipedByHand = Effect.gen(function* () {
  fs.rmSync(piped, { force: true });
  const isThere = () => (fs.statSync(piped, { throwIfNoEntry: false })?.size ?? 0) >= whole.length;
  const taken = yield* byHand(`cat >${piped}`, until(isThere));
  requireWhole("pipe-pane", fs.readFileSync(piped));
  return taken;
});

/** The segments of what is recorded, in order; the recorder makes their directory first. */
const segmentsIn = (place: string): ReadonlyArray<string> =>
  (fs.existsSync(place) ? fs.readdirSync(place) : [])
    .filter((name) => /^[0-9]+$/.test(name))
    .sort((a, b) => Number(a) - Number(b))
    .map((name) => join(place, name));

const create = (sessions: Sessions["Type"]) =>
  Effect.map(
    sessions.create({ session: "a", command, cwd: "/", startWindowMs: 0, columns: 200, rows: 50 }),
    ({ incarnation }) => join(home, "output", incarnation, "main"),
  );

const remove = (sessions: Sessions["Type"]) =>
  Effect.zipRight(
    sessions.delete("a", { graceMs: 0, snapshot: false }),
    Effect.sync(() => fs.rmSync(join(home, "output"), forGood)),
  );

const recorded = (sessions: Sessions["Type"]) =>
  Effect.gen(function* () {
    const place = yield* create(sessions);
    const isThere = () => {
      const last = segmentsIn(place).at(-1);
      if (last === undefined) return false;
      const from = Number(last.slice(place.length + 1));
      return from + fs.statSync(last).size >= whole.length;
    };
    const taken = yield* rate(until(isThere));
    requireWhole("recorded", Buffer.concat(segmentsIn(place).map((path) => fs.readFileSync(path))));
    yield* remove(sessions);
    return taken;
  });

const subscribed = (sessions: Sessions["Type"]) =>
  Effect.gen(function* () {
    yield* create(sessions);
    const given = Buffer.alloc(whole.length);
    let next = 0;
    const read = Stream.runForEachWhile(sessions.output("a"), (element) => {
      if (element.type !== "data") return Effect.dieMessage(`${element.type} at ${next}`);
      given.set(element.data, element.sequence);
      next = element.sequence + element.data.length;
      return Effect.succeed(next < whole.length);
    });
    const taken = yield* rate(read);
    requireWhole("subscriber", given);
    yield* remove(sessions);
    return taken;
  });

const residentOf = (pid: string): number => {
  const status = fs.readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
};

/** Resident MB of this program and of the server, when a third is printed and when all is. */
const memory = (sessions: Sessions["Type"], stalled: boolean) =>
  Effect.gen(function* () {
    const server = asked("display-message", "-p", "#{pid}");
    const place = yield* create(sessions);
    const began = yield* Deferred.make<void>();
    const stops = Stream.runForEach(sessions.output("a"), () =>
      Effect.zipRight(Deferred.succeed(began, undefined), Effect.never),
    );
    const reader = yield* Effect.fork(stalled ? stops : Effect.never);
    const reaches = (part: number) =>
      until(
        () =>
          Number(
            segmentsIn(place)
              .at(-1)
              ?.slice(place.length + 1),
          ) >=
          part * whole.length,
      );
    const look = () => [residentOf("self"), residentOf(server)] as const;
    const looks: Array<readonly [number, number]> = [];
    const watch = Effect.gen(function* () {
      for (const part of [0.33, 0.95]) {
        yield* reaches(part);
        looks.push(look());
      }
    });
    yield* rate(watch);
    if (stalled) yield* Deferred.await(began);
    yield* hasPrinted;
    yield* Fiber.interrupt(reader);
    yield* remove(sessions);
    return looks;
  });

const ofMemory = (sessions: Sessions["Type"], what: string, stalled: boolean) =>
  Effect.gen(function* () {
    const all = yield* Effect.replicateEffect(memory(sessions, stalled), rounds);
    const at = (look: number, of: 0 | 1) => all.map((looks) => looks[look]?.[of] ?? Number.NaN);
    const level = { of: "ratio", atMost: 1.1 } as const;
    for (const [name, of] of [
      ["program", 0],
      ["server", 1],
    ] as const) {
      const rows: ReadonlyArray<Measured> = [
        { name: "a third printed", numbers: at(0, of) },
        { name: "all printed", numbers: at(1, of), goal: level },
      ];
      report(`resident, ${name}, ${what}`, rows);
    }
  });

const program = (outputSegments: number) =>
  Effect.map(
    Layer.build(Troupe.layer({ home, socket, settings: { outputSegments } })),
    Context.get(Sessions),
  );

const bench = Effect.gen(function* () {
  yield* Effect.gen(function* () {
    // As many as hold all of it, so that all of it can be compared.
    const sessions = yield* program(Math.ceil(whole.length / (512 * 1024)) + 2);
    yield* sessions.create({ session: "stays", command: ["sleep", "600"], cwd: "/" });
    heading("MB/s");
    yield* compare("a program's output", rounds, [
      { name: "tmux alone", once: byHand(null, hasPrinted) },
      { name: "recorded", once: recorded(sessions), goal: { of: "ratio", atLeast: 0.85 } },
    ]);
    yield* compare("a subscriber", rounds, [
      { name: "pipe-pane to a file", once: pipedByHand },
      { name: "sessions.output", once: subscribed(sessions), goal: { of: "ratio", atLeast: 0.5 } },
    ]);
  }).pipe(Effect.scoped);
  const sessions = yield* program(8);
  console.log();
  heading("MB");
  yield* ofMemory(sessions, "nobody reads", false);
  yield* ofMemory(sessions, "a reader stopped", true);
}).pipe(Effect.scoped);

try {
  fs.writeFileSync(printed, lines.map((text) => `${text}\n`).join(""));
  spawnSync("mkfifo", [flags.go]);
  await Effect.runPromise(bench);
} finally {
  spawnSync(tmux, ["-S", socket, "kill-server"]);
  fs.rmSync(directory, forGood);
}
