/**
 * ClientGuard: what is run beside a viewer's own tmux client, so that the client ends when the
 * program that started it has died, however that was.
 *
 * A shell that reads from a pipe of the program and does nothing else. A line is the word that the
 * client has ended; the end of the pipe is the death of the program, by SIGKILL too, and then the
 * client is ended within `CLIENT_BOUND_MS`: asked, and killed if it is still the same process.
 * Nothing is polled. The client begins behind a gate, when its guard is there, so it never runs
 * without one. Not for clients that somebody else started.
 */

/** How long a client outlives its program at most. */
export const CLIENT_BOUND_MS = 2_000;

/** Signals of the terminal are for the client; the guard ends with the pipe alone. */
const script = [
  "trap '' HUP INT QUIT TERM TSTP",
  // Behind the name, which may have blanks, the twentieth is when the process began.
  "began() { sed 's/.*) //' \"/proc/$1/stat\" 2>/dev/null | cut -d' ' -f20; }",
  'started=$(began "$1")',
  // Where that cannot be read the process is nobody that is known, and is left alone.
  'same() { [ -n "$started" ] && [ "$(began "$1")" = "$started" ]; }',
  "read -r word && exit 0",
  'same "$1" && kill -TERM "$1" 2>/dev/null && kill -CONT "$1" 2>/dev/null || exit 0',
  "sleep 1",
  'same "$1" && kill -KILL "$1"',
  "exit 0",
].join("\n");

/** A program that died before it opened has its client end, too. */
const gate = ["read -r word <&3 || exit 0", "exec 3<&-", 'exec "$@"'].join("\n");

/**
 * The argv of a client that begins, under the pid that it has already, when a line comes on its
 * descriptor 3. Where that ends without one, it ends and has done nothing.
 */
export const gatedClient = (argv: ReadonlyArray<string>): ReadonlyArray<string> => [
  "/bin/sh",
  "-c",
  gate,
  "troupe-client-gate",
  ...argv,
];

/**
 * The argv of the guard of the client with this pid. Its standard input is a pipe whose other end
 * the program keeps open, and writes a line to when the client has ended.
 */
export const clientGuard = (pid: number): ReadonlyArray<string> => [
  "/bin/sh",
  "-c",
  script,
  "troupe-client-guard",
  String(pid),
];
