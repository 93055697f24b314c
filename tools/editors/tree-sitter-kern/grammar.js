// The grammar of Kern for editors: docs/reference/language.md, as the compiler's
// parser (compiler/syntax) reads it. `tree-sitter generate` writes src/parser.c.

const PREC = {
  conditional: 1,
  or: 2,
  and: 3,
  not: 4,
  compare: 5,
  bitOr: 6,
  bitXor: 7,
  bitAnd: 8,
  shift: 9,
  sum: 10,
  product: 11,
  unary: 12,
  power: 13,
  postfix: 14,
};

/// One or more, separated, and perhaps a separator at the end.
function list(rule, separator) {
  return seq(rule, repeat(seq(separator, rule)), optional(separator));
}

module.exports = grammar({
  name: "kern",

  // The scanner makes these of indentation (src/scanner.c).
  externals: ($) => [$._newline, $._indent, $._dedent, $._recovering],
  extras: ($) => [/[ \t\f\r\n]/, /\\\r?\n/, $.comment],
  word: ($) => $.identifier,
  supertypes: ($) => [$._expression],

  rules: {
    file: ($) => seq(optional($._docstring_line), repeat($._item)),

    comment: () => token(seq("#", /[^\r\n]*/)),
    _docstring_line: ($) =>
      seq(field("docstring", $.docstring), choice($._newline, ";")),
    docstring: ($) => repeat1($.string),

    _item: ($) =>
      choice($.function, $.constant, $.import, $.import_from),

    //===--- Functions ------------------------------------------------------
    function: ($) =>
      seq(
        repeat($.decorator),
        field("kind", choice("ufunc", "gufunc", "def")),
        field("name", $.identifier),
        field("parameters", $.parameters),
        optional(seq("->", field("results", choice($.type, $.results)))),
        optional($.where),
        ":",
        field("body", choice($.block, $._line_body)),
      ),
    decorator: ($) =>
      seq(
        "@",
        field("name", $._dotted),
        optional(field("arguments", $.arguments)),
        $._newline,
      ),
    parameters: ($) => seq("(", optional(list($.parameter, ",")), ")"),
    parameter: ($) =>
      seq(
        optional("inout"),
        field("name", choice($.identifier, alias("inout", $.identifier))),
        optional(seq(":", field("type", $.type))),
        optional(seq("=", field("default", $._expression))),
      ),
    results: ($) => seq("(", list($.result, ","), ")"),
    result: ($) =>
      seq(
        optional(seq(field("name", $.identifier), ":")),
        field("type", $.type),
      ),
    type: ($) =>
      choice(
        seq(field("element", $.type_name), optional($.dimensions)),
        $.dimensions,
      ),
    type_name: ($) => $._dotted,
    dimensions: ($) => seq("[", list($.dimension, ","), "]"),
    dimension: ($) => seq($._expression, optional("?")),
    where: ($) => seq("where", list($.where_clause, ",")),
    where_clause: ($) =>
      choice(
        seq(
          field("variable", $.identifier),
          "in",
          field("types", choice($.type_name, $.types)),
        ),
        seq(
          "(",
          list(field("variable", $.identifier), ","),
          ")",
          "in",
          "(",
          list(field("types", $.types), ","),
          ")",
        ),
      ),
    types: ($) => seq("(", list($.type_name, ","), ")"),

    /// What stands on the line of the header.
    _line_body: ($) =>
      choice(
        $._statements,
        $._docstring_line,
        seq(field("docstring", $.docstring), ";", $._statements),
      ),
    block: ($) =>
      seq(
        $._newline,
        $._indent,
        choice(
          seq($._docstring_line, repeat($._statement)),
          repeat1($._statement),
        ),
        $._dedent,
      ),

    //===--- Constants and imports ------------------------------------------
    constant: ($) =>
      seq(
        "const",
        field("name", $.identifier),
        optional(seq(":", field("type", $.type))),
        "=",
        field("value", $._expressions),
        $._newline,
      ),
    import: ($) => seq("import", list($.module, ","), $._newline),
    module: ($) =>
      seq(
        field("name", $._dotted),
        optional(seq("as", field("alias", $.identifier))),
      ),
    import_from: ($) =>
      seq(
        "from",
        field("module", $._dotted),
        "import",
        choice(
          list($.imported, ","),
          seq("(", list($.imported, ","), ")"),
        ),
        $._newline,
      ),
    imported: ($) =>
      seq(
        field("name", $.identifier),
        optional(seq("as", field("alias", $.identifier))),
      ),
    _dotted: ($) => seq($.identifier, repeat(seq(".", $.identifier))),

    //===--- Statements -----------------------------------------------------
    _statement: ($) => choice($._statements, $.if, $.while, $.for),
    /// Those of one line.
    _statements: ($) => seq(list($._simple_statement, ";"), $._newline),
    _simple_statement: ($) =>
      choice(
        $.assignment,
        $.augmented_assignment,
        $.annotated_assignment,
        $.return,
        $.assert,
        $.break,
        $.continue,
        $.pass,
        $.ellipsis,
        $.expression_statement,
      ),
    expression_statement: ($) => $._expressions,
    assignment: ($) =>
      seq(
        repeat1(seq(field("target", $._expressions), "=")),
        field("value", $._expressions),
      ),
    augmented_assignment: ($) =>
      seq(
        field("target", $._expression),
        field(
          "operator",
          choice(
            "+=", "-=", "*=", "/=", "//=", "%=", "**=", "&=", "|=", "^=",
            "<<=", ">>=",
          ),
        ),
        field("value", $._expressions),
      ),
    annotated_assignment: ($) =>
      seq(
        field("target", $.identifier),
        ":",
        field("type", $.type),
        "=",
        field("value", $._expressions),
      ),
    return: ($) => seq("return", optional($._expressions)),
    assert: ($) => seq("assert", $._expression, optional(seq(",", $.string))),
    break: () => "break",
    continue: () => "continue",
    pass: () => "pass",
    ellipsis: () => "...",

    if: ($) =>
      seq(
        "if",
        field("condition", $._expression),
        ":",
        field("then", $._suite),
        repeat($.elif),
        optional($.else),
      ),
    elif: ($) =>
      seq(
        "elif",
        field("condition", $._expression),
        ":",
        field("then", $._suite),
      ),
    else: ($) => seq("else", ":", field("body", $._suite)),
    while: ($) =>
      seq(
        "while",
        field("condition", $._expression),
        ":",
        field("body", $._suite),
        optional($.else),
      ),
    for: ($) =>
      seq(
        "for",
        field("target", $._targets),
        "in",
        field("iterable", $._expressions),
        ":",
        field("body", $._suite),
        optional($.else),
      ),
    _suite: ($) => choice($.block, $._statements),
    _targets: ($) => choice($._target, alias($.target_list, $.tuple)),
    target_list: ($) =>
      seq($._target, choice(",", seq(repeat1(seq(",", $._target)), optional(",")))),
    _target: ($) => prec(PREC.postfix, choice($.identifier, $.tuple)),

    //===--- Expressions ----------------------------------------------------
    /// `a` or `a, b`.
    _expressions: ($) =>
      choice($._expression, alias($.expression_list, $.tuple)),
    expression_list: ($) =>
      seq(
        $._expression,
        choice(",", seq(repeat1(seq(",", $._expression)), optional(","))),
      ),
    _expression: ($) => choice($.conditional, $._operand),
    /// An expression that ends before an `if`.
    _operand: ($) =>
      choice(
        $.logical,
        $.not,
        $.comparison,
        $.binary,
        $.unary,
        $.call,
        $.subscript,
        $.attribute,
        $.parenthesized,
        $.tuple,
        $.list,
        $.identifier,
        $.integer,
        $.float,
        $.imaginary,
        $.true,
        $.false,
      ),
    conditional: ($) =>
      prec.right(
        PREC.conditional,
        seq(
          field("value", $._operand),
          "if",
          field("condition", $._operand),
          "else",
          field("otherwise", $._expression),
        ),
      ),
    logical: ($) =>
      choice(
        ...[["or", PREC.or], ["and", PREC.and]].map(([operator, level]) =>
          prec.left(
            level,
            seq(
              field("left", $._operand),
              field("operator", operator),
              field("right", $._operand),
            ),
          ),
        ),
      ),
    not: ($) => prec(PREC.not, seq("not", field("operand", $._operand))),
    /// A chain `a < b < c` is one in another.
    comparison: ($) =>
      prec.left(
        PREC.compare,
        seq(
          field("left", $._operand),
          // `in` compares a type variable with a set of types.
          field(
            "operator",
            choice("<", "<=", ">", ">=", "==", "!=", "in", seq("not", "in")),
          ),
          field("right", $._operand),
        ),
      ),
    binary: ($) =>
      choice(
        ...[
          ["|", PREC.bitOr],
          ["^", PREC.bitXor],
          ["&", PREC.bitAnd],
          ["<<", PREC.shift],
          [">>", PREC.shift],
          ["+", PREC.sum],
          ["-", PREC.sum],
          ["*", PREC.product],
          ["/", PREC.product],
          ["//", PREC.product],
          ["%", PREC.product],
          ["@", PREC.product],
        ].map(([operator, level]) =>
          prec.left(
            level,
            seq(
              field("left", $._operand),
              field("operator", operator),
              field("right", $._operand),
            ),
          ),
        ),
        prec.right(
          PREC.power,
          seq(
            field("left", $._operand),
            field("operator", "**"),
            field("right", $._operand),
          ),
        ),
      ),
    unary: ($) =>
      prec(
        PREC.unary,
        seq(
          field("operator", choice("+", "-", "~")),
          field("operand", $._operand),
        ),
      ),
    call: ($) =>
      prec(
        PREC.postfix,
        seq(field("function", $._operand), field("arguments", $.arguments)),
      ),
    arguments: ($) => seq("(", optional(list($._argument, ",")), ")"),
    _argument: ($) => choice($._expression, $.keyword_argument, $.generator),
    keyword_argument: ($) =>
      seq(field("name", $.identifier), "=", field("value", $._expression)),
    generator: ($) => seq(field("element", $._expression), repeat1($.clause)),
    clause: ($) =>
      seq(
        "for",
        field("target", $._targets),
        "in",
        field("iterable", $._operand),
        repeat(seq("if", field("condition", $._operand))),
      ),
    subscript: ($) =>
      prec(
        PREC.postfix,
        seq(field("value", $._operand), "[", list($._index, ","), "]"),
      ),
    _index: ($) => choice($._expression, $.slice, $.ellipsis),
    slice: ($) =>
      seq(
        optional(field("lower", $._expression)),
        ":",
        optional(field("upper", $._expression)),
        optional(seq(":", optional(field("step", $._expression)))),
      ),
    attribute: ($) =>
      prec(
        PREC.postfix,
        seq(field("value", $._operand), ".", field("name", $.identifier)),
      ),
    parenthesized: ($) => seq("(", choice($._expression, $.generator), ")"),
    tuple: ($) =>
      seq(
        "(",
        optional(
          seq(
            $._expression,
            choice(",", seq(repeat1(seq(",", $._expression)), optional(","))),
          ),
        ),
        ")",
      ),

    list: ($) => seq("[", list($._expression, ","), "]"),

    //===--- Words and numbers ----------------------------------------------
    // Letters of any script: nothing else of Kern lies past ASCII.
    identifier: () =>
      /[^\u0000-@\[-\^`{-\u007f][^\u0000-\/:-@\[-\^`{-\u007f]*/,
    true: () => "True",
    false: () => "False",
    integer: () =>
      token(
        choice(
          /0[xX](_?[0-9a-fA-F])+/,
          /0[oO](_?[0-7])+/,
          /0[bB](_?[01])+/,
          /[0-9](_?[0-9])*/,
        ),
      ),
    float: () =>
      token(
        choice(
          /[0-9](_?[0-9])*\.([0-9](_?[0-9])*)?([eE][+-]?[0-9](_?[0-9])*)?/,
          /\.[0-9](_?[0-9])*([eE][+-]?[0-9](_?[0-9])*)?/,
          /[0-9](_?[0-9])*[eE][+-]?[0-9](_?[0-9])*/,
        ),
      ),
    imaginary: () =>
      token(
        choice(
          /[0-9](_?[0-9])*(\.([0-9](_?[0-9])*)?)?([eE][+-]?[0-9](_?[0-9])*)?[jJ]/,
          /\.[0-9](_?[0-9])*([eE][+-]?[0-9](_?[0-9])*)?[jJ]/,
        ),
      ),
    string: () =>
      token(
        seq(
          /([rRbBuU]|[bB][rR]|[rR][bB])?/,
          choice(
            /"""([^"\\]|\\(.|\r|\n)|"{1,2}([^"\\]|\\(.|\r|\n)))*"""/,
            /'''([^'\\]|\\(.|\r|\n)|'{1,2}([^'\\]|\\(.|\r|\n)))*'''/,
            /"([^"\\\r\n]|\\(.|\r|\n))*"/,
            /'([^'\\\r\n]|\\(.|\r|\n))*'/,
          ),
        ),
      ),
  },
});
