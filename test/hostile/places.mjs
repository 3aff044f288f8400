/**
 * places: where the suites that meet tmux are run again, and what each place looks at afterwards.
 *
 * A place says what stands before the command, with which environment and where it runs, or why
 * this machine cannot have it. What it makes is below the directory that it is given, or is undone
 * by a finalizer; the files of the machine are changed in a namespace of mounts only.
 */
import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { surroundingTmux } from "./surrounding.mjs";

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const isRoot = process.getuid() === 0;
const NOBODY = 65_534;

const made = (path) => {
  mkdirSync(path, { recursive: true });
  return path;
};

const temporaryIn = ({ directory }) => made(join(directory, "t"));

/** Runs what follows with a line of shell before it. */
const after = (line) => ["sh", "-c", `${line}; exec "$@"`, "sh"];

/** The environment with a directory for temporary files, and with something more. */
const surroundings = (temporary, more = {}) => ({ ...process.env, TMPDIR: temporary, ...more });

/** The variables that `env -i LC_ALL=C` leaves, with as much of a PATH as node and tmux want. */
const bareEnvironment = () => {
  const found = execFileSync("sh", ["-c", "command -v tmux"], { encoding: "utf8" }).trim();
  const path = [dirname(process.execPath), dirname(found), "/usr/bin", "/bin", "/sbin"];
  return { LC_ALL: "C", PATH: [...new Set(path)].join(":") };
};

/** Why no file of the machine can be other than it is, or null. */
const noMounts = () => {
  const { error, status } = spawnSync("unshare", ["-m", "true"]);
  return error === undefined && status === 0 ? null : "no namespace of mounts can be made here";
};

/** A copy of /etc with these files, which stands in place of it for what follows. */
const withEtc = (directory, files) => {
  const copy = join(directory, "etc");
  execFileSync("cp", ["-a", "/etc", copy]);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(copy, name), text);
  return ["unshare", "-m", ...after(`mount --bind ${copy} /etc || exit 9`)];
};

/** A tmux.conf that breaks what can be broken, and a witness of whoever read it. */
const configured = (context) => {
  const impossible = noMounts();
  if (impossible !== null) return { impossible };
  const { directory } = context;
  const witness = join(directory, "witness");
  const text = readFileSync(here("hostile.conf"), "utf8").replaceAll("WITNESS", witness);
  const skeleton = made(join(directory, "skeleton"));
  made(join(skeleton, ".config/tmux"));
  for (const name of [".tmux.conf", ".config/tmux/tmux.conf"]) {
    writeFileSync(join(skeleton, name), text);
  }
  const temporary = temporaryIn(context);
  const check = () =>
    existsSync(witness) ? [`a configuration was read: ${readFileSync(witness, "utf8")}`] : [];
  const env = surroundings(temporary, { TROUPE_SKELETON: skeleton, HOME: skeleton });
  return { before: withEtc(directory, { "tmux.conf": text }), temporary, env, check };
};

/** The tree with what was built in it; the packages from elsewhere are linked, and not owned. */
const treeOf = (top, directory, user) => {
  const root = join(directory, "tree");
  const isCopied = (path) => !/\/(node_modules|\.git|\.tmp)$/.test(path);
  cpSync(top, root, { recursive: true, verbatimSymlinks: true, filter: isCopied });
  execFileSync("cp", ["-a", "-l", join(top, "node_modules"), join(root, "node_modules")]);
  for (const name of [".vite", ".vite-temp"]) {
    rmSync(join(root, "node_modules", name), { recursive: true, force: true });
  }
  execFileSync("find", [
    ...[root, "-path", join(root, "node_modules/*"), "-prune"],
    ...["-o", "-exec", "chown", "-h", `${user}:${user}`, "{}", "+"],
  ]);
  return root;
};

const plainUser = (context) => {
  if (!isRoot) return { impossible: "whoever runs this is no root already" };
  const { directory, top } = context;
  const temporary = temporaryIn(context);
  for (const path of [directory, temporary]) chownSync(path, NOBODY, NOBODY);
  const root = treeOf(top, directory, NOBODY);
  const home = made(join(directory, "home"));
  chownSync(home, NOBODY, NOBODY);
  const user = ["--reuid", NOBODY, "--regid", NOBODY, "--clear-groups"].map(String);
  const env = surroundings(temporary, { HOME: home, USER: "nobody", LOGNAME: "nobody" });
  return { root, temporary, env, before: ["setpriv", ...user, "--"] };
};

/** A place for temporary files, and so for homes, whose name is this one, or as long as this. */
const placed = (nameIn) => (context) => {
  const temporary = made(join(temporaryIn(context), nameIn(temporaryIn(context))));
  return { temporary };
};

/** A name that fills the path up to that many bytes. */
const filled = (bytes) => (directory) => {
  const left = bytes - Buffer.byteLength(directory) - 1;
  return "long/".repeat(Math.floor(left / 5)).padEnd(left, "x");
};

/** The most that the kernel takes for the path of a socket; a test's own stands in a folder. */
const SOCKET_BOUND = 107;
const FOLDER_AND_SOCKET = "/tr-xxxxxx/s".length;

const slowSync = (context) => {
  const impossible = noMounts();
  if (impossible !== null) return { impossible };
  const library = join(context.directory, "slowSync.so");
  const compiler = spawnSync("cc", ["-shared", "-fPIC", "-o", library, here("slowSync.c"), "-ldl"]);
  if (compiler.error !== undefined) return { impossible: "there is no C compiler here" };
  if (compiler.status !== 0) throw new Error(String(compiler.stderr));
  chmodSync(library, 0o755);
  const count = join(context.directory, "syncs");
  writeFileSync(count, "");
  // Also in what is started with an environment of its own.
  const before = withEtc(context.directory, { "ld.so.preload": `${library}\n` });
  const temporary = temporaryIn(context);
  const check = () => (readFileSync(count).length > 0 ? [] : ["no fsync was slow"]);
  return { before, temporary, check, env: surroundings(temporary, { SLOW_SYNC_COUNT: count }) };
};

/** The suites take the limit themselves, once they are loaded. */
const fewFiles = (context) => {
  if (spawnSync("prlimit", ["--version"]).error !== undefined) {
    return { impossible: "there is no prlimit here" };
  }
  const temporary = temporaryIn(context);
  return { temporary, env: surroundings(temporary, { TROUPE_FILES: "128" }) };
};

const shelled = (line) => (context) => ({ before: after(line), temporary: temporaryIn(context) });

/** Every place by its name. */
export const places = {
  bare: () => ({ env: bareEnvironment() }),
  inside: (context) => surroundingTmux(context, temporaryIn(context)),
  configured,
  user: plainUser,
  odd: placed(() => `it's a "home" #{pid} #S %d %% $x \`id\` äö日本`),
  limit: placed(filled(SOCKET_BOUND - FOLDER_AND_SOCKET)),
  beyond: placed(filled(180)),
  files: fewFiles,
  slow: slowSync,
  open: shelled("umask 000"),
  closed: shelled("umask 077"),
};
