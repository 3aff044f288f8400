/**
 * commits: loaded into a program in front of it, counts its commits to SQLite, and kills it at one.
 *
 * `DIE_AT` is `before 3` or `after 3`, and nothing is killed without it; `stop 3` stops the program
 * in front of the third transaction, when it holds no lock. A statement that changes claims outside
 * of one is one by itself. At an end by itself the count stands in the file `COMMITS`, when that is
 * given. The program itself knows nothing of it.
 */
const { writeFileSync } = require("node:fs");
const Module = require("node:module");

const [when, at] = (process.env.DIE_AT ?? "never 0").split(" ");
const counts = { BEGIN: 0, COMMIT: 0 };

const signalAt = (moment, count, signal) => {
  if (moment === when && count === Number(at)) process.kill(process.pid, signal);
};

/** Does it as a transaction that begins and is committed at once. */
const alone = (change) => {
  counts.BEGIN += 1;
  signalAt("stop", counts.BEGIN, "SIGSTOP");
  counts.COMMIT += 1;
  signalAt("before", counts.COMMIT, "SIGKILL");
  const result = change();
  signalAt("after", counts.COMMIT, "SIGKILL");
  return result;
};

/** The driver may be in the program's own file; its native part is loaded as a file in any case. */
const count = (Database) => {
  const { prepare } = Database.prototype;
  Database.prototype.prepare = function (sql, ...rest) {
    const statement = prepare.call(this, sql, ...rest);
    const run = statement.run.bind(statement);
    if (/^UPDATE claims\b/.test(sql)) {
      for (const name of ["run", "get", "all"]) {
        const change = statement[name].bind(statement);
        statement[name] = (...words) =>
          this.inTransaction ? change(...words) : alone(() => change(...words));
      }
      return statement;
    }
    if (sql === "BEGIN IMMEDIATE") {
      statement.run = (...words) => {
        counts.BEGIN += 1;
        signalAt("stop", counts.BEGIN, "SIGSTOP");
        return run(...words);
      };
    }
    if (sql === "COMMIT") {
      statement.run = (...words) => {
        counts.COMMIT += 1;
        signalAt("before", counts.COMMIT, "SIGKILL");
        const result = run(...words);
        signalAt("after", counts.COMMIT, "SIGKILL");
        return result;
      };
    }
    return statement;
  };
};

const load = Module._extensions[".node"];
Module._extensions[".node"] = (module, file) => {
  load(module, file);
  if (module.exports.Database !== undefined) count(module.exports.Database);
};

process.on("exit", () => {
  if (process.env.COMMITS !== undefined) writeFileSync(process.env.COMMITS, `${counts.COMMIT}`);
});
