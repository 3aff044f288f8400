/**
 * skipped: what does not run in a place, and why it cannot.
 *
 * A test that is skipped without a line here is a failure of the place: none is left out silently.
 */

const reasons = [
  {
    at: ["beyond", "limit"],
    what: new RegExp(
      [
        "test/real/socket.* > .*(plain file at|named through a link|by the file|as in a container)",
        "test/real/server.* > .*in a directory that is made again",
        "test/real/gone.* > .*a tmux server of the user's own",
        "test/cli/doctorSplit.* > ",
        "test/cli/lost.* > .*is not said to be empty, gets no second server",
        "test/cli/unanswered.* > .*its socket may not be reached",
      ].join("|"),
    ),
    why: "a socket in the directory of the test has a path that no kernel takes",
  },
  {
    at: ["beyond"],
    what: /^test\/cli\/(doctor.* > .*what a plain user may not|readOnly.* > .*is read as it was)/,
    why: "another user cannot reach the socket, which is in a directory of root's",
  },
  {
    at: ["files"],
    what: /^test\/cli\/(examples\.test\.ts > |bundle.* > .*runs without the bundle)/,
    why: "node itself opens more files than that at once while it loads what is not bundled",
  },
  {
    at: ["user"],
    what: /^test\/cli\/unanswered\.test\.ts > .*its socket (belongs to somebody else|may not be )/,
    why: "only root can give a file away, and be somebody else",
  },
  {
    at: null,
    what: /^test\/cli\/completions\.test\.ts > /,
    why: "the shell that completes is not on this machine",
  },
  {
    at: null,
    what: /^test\/real\/survivor\.test\.ts > .*SIGKILL does not end/,
    why: "no process can be traced here",
  },
  {
    at: null,
    what: /^test\/real\/gone\.test\.ts > .*first thread/,
    why: "the perl of this machine has no threads",
  },
  {
    at: null,
    what: /^test\/(real\/socket|cli\/lost)\.test\.ts > .*(as in a container|which boot)/,
    why: "no namespace of mounts can be made here",
  },
  {
    at: null,
    what: /^test\/multi-process\/service\.test\.ts > host-app as a service/,
    why: "no control group can be made here",
  },
  {
    at: null,
    what: /^test\/multi-process\/service\.test\.ts > the unit/,
    why: "there is no systemd-analyze here",
  },
];

/** Why the test cannot run there; `null` where nothing says so. */
export const reasonOf = (place, test) =>
  reasons.find(({ at, what }) => (at === null || at.includes(place)) && what.test(test))?.why ??
  null;
