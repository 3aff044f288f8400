/**
 * Source: one tracked text, with its syntax tree where it is TypeScript.
 *
 * The trees come from the parser of the compiler that builds the project, over texts that are
 * handed in, so that a rule meets the real files and a bad sample in the same way. Nothing is
 * resolved or type-checked: a rule sees what is written and nothing else. Confines the compiler's
 * unstable interface to this file.
 */
import { execFileSync } from "node:child_process";
import { existsSync, lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Node, SourceFile } from "typescript/unstable/ast";
import { createVirtualFileSystem } from "typescript/unstable/fs";
import { API } from "typescript/unstable/sync";

/** A text; `path` is relative to the top of the repository, `tree` is `null` unless TypeScript. */
export interface Source {
  readonly path: string;
  readonly text: string;
  readonly lines: ReadonlyArray<string>;
  readonly tree: SourceFile | null;
}

const project = "/repository/";
const typescript = /\.(ts|mts)$/;
const binary = /\.(png|gif|svg|ico|db)$/;

/** Parses texts, given by path. */
export const sourcesOf = (texts: ReadonlyMap<string, string>): ReadonlyArray<Source> => {
  const parsed = [...texts.keys()].filter((path) => typescript.test(path));
  const compilerOptions = { module: "nodenext", noLib: true, noResolve: true, types: [] };
  const files = new Map([...texts].map(([path, text]) => [project + path, text]));
  files.set(`${project}tsconfig.json`, JSON.stringify({ compilerOptions, files: parsed }));
  const fs = createVirtualFileSystem(Object.fromEntries(files));
  const api = new API({ cwd: project, fs });
  const snapshot = api.updateSnapshot({ openProjects: [`${project}tsconfig.json`] });
  const program = snapshot.getProjects()[0]?.program;
  const sources = [...texts].map(([path, text]) => ({
    path,
    text,
    lines: text.replace(/\n$/, "").split("\n"),
    tree: (typescript.test(path) ? program?.getSourceFile(project + path) : null) ?? null,
  }));
  api.close();
  return sources;
};

/** Every text that git tracks or would track, as it is on disk now. */
export const trackedSources = (top: string): ReadonlyArray<Source> => {
  const list = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const paths = execFileSync("git", list, { cwd: top, encoding: "utf8" }).split("\0");
  const texts = paths
    .filter((path) => path !== "" && !binary.test(path) && existsSync(join(top, path)))
    .filter((path) => lstatSync(join(top, path)).isFile())
    .map((path) => [path, readFileSync(join(top, path), "utf8")] as const);
  return sourcesOf(new Map(texts));
};

/** Every node of a tree, parents before their children. */
export function* nodesOf(node: Node): Generator<Node> {
  yield node;
  const children: Array<Node> = [];
  node.forEachChild((child) => {
    children.push(child);
    return undefined;
  });
  for (const child of children) yield* nodesOf(child);
}

/** The line of a position, counted from 1. */
export const lineAt = (tree: SourceFile, position: number): number =>
  tree.getLineAndCharacterOfPosition(position).line + 1;
