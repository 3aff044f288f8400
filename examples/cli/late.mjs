/**
 * late: effect's schemas, made to find out what they are when somebody first asks.
 *
 * A schema is a class around a tree, and the tree of most is never looked at in one call. Here the
 * tree may be given as a function, which is called once; the five schemas that each class of
 * records or errors has beside its own are made when it is first used; and a plain schema inherits
 * from its kind. Nothing else changes: a schema that cannot be made fails when it is used, and not
 * when it is written down.
 */

/** One edit after the other; each must find its text. */
const edited = (source, edits) =>
  edits.reduce((text, [from, to]) => {
    const next = text.replace(from, to);
    if (next === text) throw new Error(`there is nothing to edit any more: ${from}`);
    return next;
  }, source);

/**
 * What all schemas have. A schema is a function that inherits from its kind, in place of a class of
 * its own with methods of its own: a call makes a thousand of them.
 */
const MadeSchema = `class MadeSchema {
  static get ast() {
    const { tree } = this;
    return typeof tree.ast === "function" ? tree.ast = tree.ast() : tree.ast;
  }
  static annotations(annotations) {
    return make(() => mergeSchemaAnnotations(this.ast, annotations));
  }
  static pipe() {
    return pipeArguments(this, arguments);
  }
  static toString() {
    return String(this.ast);
  }
  static [TypeId] = variance;
}
const schemaOf = (kind, ast, own) => {
  const schema = Object.setPrototypeOf(function() {}, kind);
  schema.tree = { ast };
  return Object.assign(schema, own);
};
`;

const make = `export function make(ast) {
  return schemaOf(MadeSchema, ast);
}
const variance`;

/** One static member of a class: of the kind where it is a function, and else the schema's own. */
const memberOf = (text) => {
  const [, name, value] = /^(\w+) = ([\s\S]*);$/.exec(text) ?? [];
  if (name === undefined) return { kind: text.replaceAll("(fields,", "(this.fields,") };
  if (!/^\(.*\) => \{/.test(value)) return { own: `${name}: ${value}` };
  return { kind: `get ${name}() { return ${value.replaceAll("(fields,", "(this.fields,")}; }` };
};

/** The class that is made for each schema of this name, as a kind that is made once. */
const asKind = (name) => [
  new RegExp(`return class ${name}Class extends make\\(ast\\) \\{\\n([\\s\\S]*?)\\n {2}\\};\\n\\}`),
  (_, body) => {
    const [, ...texts] = body.split(/^ {4}static /m);
    const members = texts.map((text) => memberOf(text.trim()));
    const of = (place) => members.flatMap((member) => member[place] ?? []).join(", ");
    const kind = `${name}Kind ??= Object.setPrototypeOf({ ${of("kind")} }, MadeSchema)`;
    return `return schemaOf(${kind}, ast, { ${of("own")} });\n}\nvar ${name}Kind;`;
  },
];

const astOfSignature = `get ast() {
    return typeof this.made === "function" ? this.made = this.made() : this.made;
  }`;

const once = "util_.memoizeThunk(() =>";

/** The schemas beside that of a class. */
const beside =
  "(declarationSurrogate|typeSide|constructorSchema|encodedSide|transformationSurrogate)";

const makeClass = (text) =>
  text
    .replace("const typeSchema_ = typeSchema(schema);", "")
    .replaceAll("typeSchema_.", "typeSchema(schema).")
    .replace(
      new RegExp(`const ${beside} = ([\\s\\S]*?\\n  \\}\\));`, "g"),
      `const $1 = ${once} $2);`,
    )
    .replace(new RegExp(`(?<!const )\\b${beside}\\b`, "g"), "$1()");

const edits = [
  [/export function make\(ast\) \{[\s\S]*?\n\}\nconst variance/, make],
  ["const makeStandardResult =", `${MadeSchema}const makeStandardResult =`],
  [/const makeClass = \(\{[\s\S]*?\n\};\n/, makeClass],
  [/, ast = (getDefault\w+AST\()/g, ", ast = () => $1"],
  [/(make\w+Class\(this\..*, )(mergeSchemaAnnotations\(this\.ast, annotations\))/g, "$1() => $2"],
  ["=> make(AST.typeAST(schema.ast))", "=> make(() => AST.typeAST(schema.ast))"],
  ["=> make(extendAST(", "=> make(() => extendAST("],
  ["const ast = new AST.Refinement(", "const ast = () => new AST.Refinement("],
  [/(\(from, to, )(new AST\.Transformation\(|AST\.compose\()/g, "$1() => $2"],
  [
    "const annotation = option_.match(AST.getBrand",
    "const annotation = () => option_.match(AST.getBrand",
  ],
  ["[AST.BrandAnnotationId]: annotation,", "[AST.BrandAnnotationId]: annotation(),"],
  [
    /const ast = (AST\.annotations\(self\.ast, toASTAnnotations\(\{\s+\[AST\.Brand)/,
    "const ast = () => $1",
  ],
  [/(class PropertySignatureImpl \{\n) {2}ast;/, `$1  made;\n  ${astOfSignature}`],
  ["this.ast = ast;\n  }\n  pipe", "this.made = ast;\n  }\n  pipe"],
  [
    "const ast = self.ast === AST.undefinedKeyword",
    "const ast = () => self.ast === AST.undefinedKeyword",
  ],
  [
    "Impl(new PropertySignatureDeclaration(ast, true",
    "Impl(() => new PropertySignatureDeclaration(ast(), true",
  ],
  ["Impl(optionalPropertySignatureAST(", "Impl(() => optionalPropertySignatureAST("],
  [
    /(const (decodeUnknownEither|encodeUnknownEither) = )(ParseResult.*)(;\n.*\()\2\(u/g,
    `$1${once} $3)$4$2()(u`,
  ],
];

const parserEdits = [
  [
    /const parser = goMemo\((AST\.typeAST\(schema\.ast\)), true\);/g,
    `const parser = ${once} goMemo($1, true));`,
  ],
  [
    /const parser = goMemo\(ast, isDecoding\);/g,
    `const parser = ${once} goMemo(ast(), isDecoding));`,
  ],
  [/(get(?:Either|Option|Sync|Effect)\()((?:AST\.typeAST\()?schema\.ast)/g, "$1() => $2"],
  [/parser\(u, mergeInternal|parser\(u, \{|parser\(input, \{/g, (call) => call.replace("(", "()(")],
];

/** An array is a tuple that knows of what. */
const array = [
  /return class ArrayClass extends (make.*) \{\n +static (anno[\s\S]*?\n {4}\})\n.*\n {2}\};/,
  "return Object.assign($1, { $2, value });",
];

const kinds = ["Literal", "Union", "TupleType", "TypeLiteral", "Transformation"].map(asKind);

/** The source of effect's Schema, so edited. */
export const lateSchema = (source) => edited(edited(source, edits), [array, ...kinds]);

/** The source of effect's ParseResult: what reads a schema is made when it first reads. */
export const lateParseResult = (source) => edited(source, parserEdits);
