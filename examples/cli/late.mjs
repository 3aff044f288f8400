/**
 * late: effect's schemas, made to find out what they are when somebody first asks.
 *
 * A schema is a class around a tree, and the tree of most is never looked at in one call. Here the
 * tree may be given as a function, which is called once; and the five schemas that each class of
 * records or errors has beside its own are made when it is first used. Nothing else changes: a
 * schema that cannot be made fails when it is used, and not when it is written down.
 */

/** One edit after the other; each must find its text. */
const edited = (source, edits) =>
  edits.reduce((text, [from, to]) => {
    const next = text.replace(from, to);
    if (next === text) throw new Error(`there is nothing to edit any more: ${from}`);
    return next;
  }, source);

/** What all schemas have: one class, in place of one for each of them. */
const MadeSchema = `class MadeSchema {
  [TypeId] = variance;
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
`;

const make = `export function make(ast) {
  return class SchemaClass extends MadeSchema {
    static get ast() {
      return typeof ast === "function" ? ast = ast() : ast;
    }
  };
}
const variance`;

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

/** The source of effect's Schema, so edited. */
export const lateSchema = (source) => edited(source, edits);

/** The source of effect's ParseResult: what reads a schema is made when it first reads. */
export const lateParseResult = (source) => edited(source, parserEdits);
