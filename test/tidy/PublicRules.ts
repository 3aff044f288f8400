/**
 * PublicRules: what a host program can import is documented, name by name.
 *
 * A name is public when the index of a package exports it, by itself or with all of its module. It
 * has a comment of its own right above it; a type stands under that of its value. Of its members
 * those have one that do something: methods, and properties that are a function, an effect, a
 * stream or a layer; of a namespace all. What a field holds, its name and its type may say.
 */
import {
  isCallExpression,
  isClassDeclaration,
  isConstructorDeclaration,
  isExportDeclaration,
  isFunctionDeclaration,
  isFunctionTypeNode,
  isInterfaceDeclaration,
  isIntersectionTypeNode,
  isMethodDeclaration,
  isMethodSignatureDeclaration,
  isNamedExports,
  isObjectLiteralExpression,
  isParenthesizedTypeNode,
  isPropertyDeclaration,
  isPropertySignatureDeclaration,
  isStringLiteral,
  isTypeAliasDeclaration,
  isTypeLiteralNode,
  isTypeReferenceNode,
  isUnionTypeNode,
  isVariableStatement,
  type Node,
  type SourceFile,
  SyntaxKind,
} from "typescript/unstable/ast";
import type { Finding, Rule } from "./Rule.js";
import { lineAt, nodesOf, type Source } from "./Source.js";

/** A declaration that a package gives away, and the text that it stands in. */
interface PublicName {
  readonly name: string;
  readonly node: Node;
  readonly path: string;
  readonly tree: SourceFile;
}

const isExported = (node: Node): boolean =>
  "modifiers" in node &&
  ((node.modifiers as ReadonlyArray<Node> | undefined)?.some(
    ({ kind }) => kind === SyntaxKind.ExportKeyword,
  ) ??
    false);

/** The names that a statement declares. */
const declaredBy = (node: Node): ReadonlyArray<string> => {
  if (isVariableStatement(node)) {
    return node.declarationList.declarations.map(({ name }) => name.getText());
  }
  const declares =
    isFunctionDeclaration(node) ||
    isClassDeclaration(node) ||
    isInterfaceDeclaration(node) ||
    isTypeAliasDeclaration(node);
  return declares && node.name !== undefined ? [node.name.text] : [];
};

/** What a module exports: what it declares, and what it passes on; `null` wants everything. */
const exportedBy = (
  path: string,
  wanted: ReadonlySet<string> | null,
  sources: ReadonlyMap<string, Source>,
): ReadonlyArray<PublicName> => {
  const tree = sources.get(path)?.tree ?? null;
  if (tree === null) return [];
  return tree.statements.flatMap((node) => {
    if (isExportDeclaration(node)) {
      const { exportClause, moduleSpecifier: from } = node;
      const module = from !== undefined && isStringLiteral(from) ? from.text : "./nowhere.js";
      const next = new URL(module, `file:///${path}`).pathname.slice(1).replace(/\.js$/, ".ts");
      if (exportClause === undefined || !isNamedExports(exportClause)) {
        return exportedBy(next, wanted, sources);
      }
      const named = exportClause.elements
        .map(({ name, propertyName }) => (propertyName ?? name).getText())
        .filter((name) => wanted === null || wanted.has(name));
      const found = exportedBy(next, new Set(named), sources);
      // What is not found stands for itself: it has no comment, and is a finding.
      const lost = named.filter((one) => !found.some(({ name }) => name === one));
      return [...found, ...lost.map((name) => ({ name, node, path, tree }))];
    }
    if (!isExported(node)) return [];
    return declaredBy(node)
      .filter((name) => wanted === null || wanted.has(name))
      .map((name) => ({ name, node, path, tree }));
  });
};

/** Whether a comment for readers stands right above, and is not the one that opens the module. */
const hasOwnComment = (node: Node, tree: SourceFile): boolean => {
  const before = tree.text.slice(0, node.getStart(tree)).trimEnd();
  const start = before.lastIndexOf("/**");
  return before.endsWith("*/") && start > 0 && before.indexOf("*/", start) === before.length - 2;
};

const isOperation = (node: Node | undefined): boolean => {
  if (node === undefined) return false;
  if (isFunctionTypeNode(node)) return true;
  if (isParenthesizedTypeNode(node)) return isOperation(node.type);
  if (isUnionTypeNode(node)) return node.types.some(isOperation);
  return (
    isTypeReferenceNode(node) &&
    /^(Effect\.Effect|Stream\.Stream|Layer\.Layer)$/.test(node.typeName.getText())
  );
};

const isHidden = (node: Node): boolean =>
  [...nodesOf(node)]
    .slice(1)
    .some(
      ({ kind, parent }) =>
        parent === node &&
        (kind === SyntaxKind.PrivateKeyword ||
          kind === SyntaxKind.OverrideKeyword ||
          kind === SyntaxKind.PrivateIdentifier),
    );

/** The members of a type that do something. */
const operationsOf = (node: Node | undefined): ReadonlyArray<Node> => {
  if (node === undefined) return [];
  if (isIntersectionTypeNode(node)) return node.types.flatMap(operationsOf);
  if (!isTypeLiteralNode(node) && !isInterfaceDeclaration(node)) return [];
  return node.members.filter(
    (member) =>
      isMethodSignatureDeclaration(member) ||
      (isPropertySignatureDeclaration(member) && isOperation(member.type)),
  );
};

/** The members of a declaration that are to have a comment. */
const membersOf = ({ name, node }: PublicName): ReadonlyArray<Node> => {
  if (isInterfaceDeclaration(node)) return operationsOf(node);
  if (isTypeAliasDeclaration(node)) return operationsOf(node.type);
  if (isVariableStatement(node)) {
    const declaration = node.declarationList.declarations.find((d) => d.name.getText() === name);
    const value = declaration?.initializer;
    const isNamespace = value !== undefined && isObjectLiteralExpression(value);
    return isNamespace && /^[A-Z][a-z]/.test(name) ? value.properties : [];
  }
  if (!isClassDeclaration(node)) return [];
  const services = [...(node.heritageClauses ?? [])].flatMap((clause) =>
    [...nodesOf(clause)].filter(isCallExpression),
  );
  return [
    ...services.flatMap(({ typeArguments }) => [...(typeArguments ?? [])].flatMap(operationsOf)),
    ...node.members.filter(
      (member) =>
        !isConstructorDeclaration(member) &&
        !isHidden(member) &&
        (isMethodDeclaration(member) ||
          (isPropertyDeclaration(member) &&
            (isOperation(member.type) || /^static\b/.test(member.getText())))),
    ),
  ];
};

/** Everything that the packages give away. */
export const publicNames = (sources: ReadonlyArray<Source>): ReadonlyArray<PublicName> => {
  const byPath = new Map(sources.map((source) => [source.path, source]));
  return [...byPath.keys()]
    .filter((path) => /^packages\/[^/]+\/src\/index\.ts$/.test(path))
    .flatMap((path) => exportedBy(path, null, byPath));
};

const at = ({ path, tree }: PublicName, node: Node, message: string): Finding => ({
  path,
  line: lineAt(tree, node.getStart(tree)),
  message,
});

const names: Rule = {
  sentence: "every public name has a comment of its own",
  check: (sources) => {
    const found = publicNames(sources);
    const documented = new Set(
      found
        .filter(({ node, tree }) => hasOwnComment(node, tree))
        .map(({ name, path }) => `${path} ${name}`),
    );
    return found
      .filter(({ name, path }) => !documented.has(`${path} ${name}`))
      .map((one) => at(one, one.node, one.name));
  },
  sample: {
    "packages/core/src/A.ts":
      "/** A: a header. */\nexport const a = 1;\n/** Two. */\nexport const b = 2;\nexport const c = 3;\n",
    "packages/tmux/src/index.ts": 'export { nothing } from "./B.js";\n',
  },
  beside: { "packages/core/src/index.ts": 'export { a, c } from "./A.js";\n' },
};

const members: Rule = {
  sentence: "every member of a public name that does something has a comment of its own",
  check: (sources) =>
    publicNames(sources).flatMap((one) =>
      membersOf(one)
        .filter((member) => !hasOwnComment(member, one.tree))
        .map((member) => at(one, member, `${one.name}: ${member.getText().split("\n")[0]}`)),
    ),
  sample: {
    "packages/core/src/A.ts":
      "/** A port. */\nexport interface A {\n  readonly f: () => void;\n}\n",
    "packages/core/src/B.ts":
      "/** B. */\nexport const Bee = {\n  make: 1,\n  /** 2. */\n  two: 2,\n};\n",
    "packages/core/src/C.ts":
      '/** C. */\nexport class C extends Context.Tag("C")<C, { readonly f: Effect.Effect<1> }>() {}\n',
  },
  beside: {
    "packages/core/src/index.ts":
      'export * from "./A.js";\nexport * from "./B.js";\nexport { C } from "./C.js";\n',
  },
};

/** Every rule about what a host program can import. */
export const publicRules: ReadonlyArray<Rule> = [names, members];
