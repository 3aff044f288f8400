/**
 * FirstHour: what somebody does in a first hour with troupe, done for real, as a document.
 *
 * Calls are made on a stage and told with what they print; attaching happens on a real terminal.
 * What differs from run to run is replaced, so that the document stays the same until troupe says
 * something else.
 */
import type { Transcript } from "./Transcript.js";

const ready = `sh -c 'echo ready; while read line; do echo "you said: $line"; done'`;

const create = async (t: Transcript): Promise<void> => {
  t.heading("Create");
  t.prose(
    "A session is a program with a terminal, which goes on when you leave. What is behind `--` " +
      "is run as it stands, and no shell reads it.",
  );
  await t.runs(`troupe create web -- ${ready}`);
  await t.runs("troupe create build -- sh -c 'echo compiling; exec sleep 600'");
  t.prose(
    "A value of the environment is taken from yours by its name, so that it is in no command " +
      "line. Troupe keeps the name and never the value.",
  );
  await t.runs("TOKEN=hunter2 troupe create agent --env TOKEN -- sleep 600");
};

const look = async (t: Transcript): Promise<void> => {
  t.heading("Look");
  t.prose(
    "STATE is what the registry knows, SEEN what tmux says just now. They are told beside each " +
      "other and never made to agree by a look.",
  );
  await t.runs("troupe list");
  await t.runs("troupe inspect agent");
  await t.runs("troupe server status");
  t.prose("With `--json`, which every command takes, the same is one line for a program.");
  await t.runs("troupe version --json");
};

const talk = async (t: Transcript): Promise<void> => {
  t.heading("Send, wait, capture");
  t.prose(
    "Input is sent as one block and confirmed. To wait for an answer, wait for what the question " +
      "does not have in it.",
  );
  await t.runs("troupe send web 'good morning' --enter");
  await t.runs("troupe wait web --text 'you said: good morning' --timeout 10s");
  await t.runs("troupe capture web");
  t.prose("A wait that is in vain changes nothing, and has an exit code of its own.");
  await t.runs("troupe wait build --exit --timeout 0");
};

const mistakes = async (t: Transcript): Promise<void> => {
  t.heading("Mistakes, one of every kind");
  t.prose(
    "A failure says what happened, what was left as it was, and what to do next, on standard " +
      "error. Its exit code says which kind it is. A call that is wrong is 2; nothing was done:",
  );
  await t.runs("troupe lsit");
  await t.runs("troupe list --jsno");
  await t.runs("troupe create my.app");
  await t.runs("troupe create other --cwd /nowhere");
  await t.runs("troupe create other --env NOT_SET");
  await t.runs("troupe send web --key Entr");
  t.prose("What was looked up and is not there is 3; a name that is taken is 4:");
  await t.runs("troupe inspect wbe");
  await t.runs("troupe create web -- cat");
  t.prose("5 means that tmux could not be asked: nothing is known, and nothing was changed.");
  await t.runs("troupe delete web --tmux /nowhere/tmux");
  t.prose("7: somebody else holds it. 9: it did not start, and everything was undone.");
  await t.runs("troupe server stop");
  await t.runs("troupe create other -- no-such-program");
  await t.runs("troupe create other --start-window 1s -- sh -c 'echo the port is taken; exit 4'");
  t.prose("12: doctor found an error. It names the command that mends it.");
  await t.runs("troupe doctor --tmux /nowhere/tmux");
  t.prose("After all of that, the sessions are as they were.");
  await t.runs("troupe list");
};

const attach = async (t: Transcript): Promise<void> => {
  t.heading("Attach");
  t.prose(
    "From outside tmux the terminal is the session's until you detach with C-b d; then it is as " +
      "it was.",
  );
  await t.attaches("troupe attach web", "web");
  t.prose(
    "Inside troupe's own server, as in a shell that runs in a session, the terminal is switched " +
      "to the other session, and a session is never attached to itself.",
  );
  await t.attachesInside("web");
  t.prose("Inside another tmux server it is refused unless you ask for it.");
  await t.runs("troupe attach web", { TMUX: "/tmp/tmux-1000/default,7,0", TMUX_PANE: "%0" });
};

const killed = async (t: Transcript): Promise<void> => {
  t.heading("The server is killed");
  t.prose("The worst case: the tmux server dies, and every program in it with it.");
  await t.killsServer();
  await t.runs("troupe list");
  t.prose(
    "That they run is what the registry knew last. Reconcile writes down what became of them, " +
      "and nothing is lost: name, directory and command are kept.",
  );
  await t.runs("troupe reconcile");
  t.prose(
    "Restore makes them anew, but for a value that is kept nowhere and has to be given again.",
  );
  await t.runs("troupe restore --all");
  await t.runs("TOKEN=hunter2 troupe restore agent --env TOKEN");
  await t.runs("troupe list");
  await t.runs("troupe wait web --text ready --timeout 10s");
};

const cleanUp = async (t: Transcript): Promise<void> => {
  t.heading("Clean up");
  t.prose(
    "A delete that succeeds means gone, from tmux and from the machine. What the terminals " +
      "showed is kept, and so is what happened.",
  );
  await t.runs("troupe delete agent");
  await t.runs("troupe events agent");
  await t.runs("troupe delete --all");
  await t.runs("troupe list");
  t.prose("Gc forgets what ended long ago, a week unless told, and ends a server that is empty.");
  await t.runs("troupe gc");
  await t.runs("troupe gc --older-than 0");
  await t.runs("troupe server status");
};

/** Does it, and tells it. */
export const firstHour = async (t: Transcript): Promise<string> => {
  t.title("A first hour");
  t.prose(
    "Every line here was run: `test/cli/first-hour.test.ts` does it again and compares. Pids, " +
      "ages and ids are replaced; the rest is what troupe says. `[3]` behind a command is its " +
      "exit code, where that is not 0.",
  );
  for (const part of [create, look, talk, mistakes, attach, killed, cleanUp]) await part(t);
  return t.text;
};
