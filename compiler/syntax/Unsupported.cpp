//===- Unsupported.cpp - constructs of Python and C that Kern lacks -------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each construct has its own error that says what to write instead. It is
// parsed to its end, so that the rest of the file is still checked.
//
//===----------------------------------------------------------------------===//
#include "compiler/diagnostics/ForeignNames.h"
#include "compiler/syntax/Literals.h"
#include "compiler/syntax/ParserImpl.h"

namespace kern::compiler::syntax {

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

/// `[a, b]` or `[f(x) for x in v]`.
ExprPtr Parser::parseListLiteral() {
  uint32_t begin = peek().begin;
  bool comprehension = false;
  unsigned below = 0;
  List list;
  {
    Bracket bracket(*this);
    if (!at(TokenKind::RBracket)) {
      uint32_t elementBegin = peek().begin;
      ExprPtr first = parseExpression();
      below = height;
      if (at(TokenKind::For) && !panicking) {
        comprehension = true;
        parseGenerator(std::move(first), elementBegin);
      } else {
        list.elements.push_back(std::move(first));
        while (!panicking && continueList(TokenKind::RBracket, "]")) {
          list.elements.push_back(parseExpression());
          below = std::max(below, height);
        }
      }
    }
    if (!accept(TokenKind::RBracket)) {
      unexpected(Diag::missing_separator, {"]", describe(peek())});
      return makeError(spanFrom(begin));
    }
  }
  if (comprehension)
    complain(Diag::list_comprehension, spanFrom(begin), {},
             "a reduction takes it without the brackets: "
             "`sum(x ** 2 for x in v)`; to fill an array, write a `for` loop");
  else if (list.elements.empty())
    complain(Diag::list_literal, spanFrom(begin), {},
             "an array has a fixed size: make one with `zeros(n, T)`");
  else
    return make(spanFrom(begin), std::move(list), below);
  return makeError(spanFrom(begin));
}

/// `{…}`: a dictionary, a set or a comprehension of either, told apart by their
/// tokens.
ExprPtr Parser::parseBraceLiteral() {
  uint32_t begin = peek().begin;
  std::string what = "sets";
  {
    Bracket bracket(*this);
    if (at(TokenKind::RBrace))
      what = "dictionaries";
    bool closed = false;
    for (unsigned depth = 1; depth > 0 && !atLineEnd();) {
      switch (peek().kind) {
      case TokenKind::LParen:
      case TokenKind::LBracket:
      case TokenKind::LBrace:
        ++depth;
        break;
      case TokenKind::RParen:
      case TokenKind::RBracket:
      case TokenKind::RBrace:
        --depth;
        break;
      case TokenKind::Colon:
        if (depth == 1)
          what = "dictionaries";
        break;
      default:
        break;
      }
      closed = depth == 0 && at(TokenKind::RBrace);
      if (depth > 0 || closed)
        advance();
    }
    if (!closed) {
      expected("`}`");
      return makeError(spanFrom(begin));
    }
  }
  complain(Diag::brace_literal, spanFrom(begin), {what},
           "write blocks with `:` and indentation; put values that belong "
           "together in a tuple");
  return makeError(spanFrom(begin));
}

ExprPtr Parser::parseLambda() {
  Token word = advance();
  unsigned depth = 0;
  while (!atLineEnd() && !(depth == 0 && at(TokenKind::Colon))) {
    bool opens = at(TokenKind::LParen) || at(TokenKind::LBracket) ||
                 at(TokenKind::LBrace);
    bool closes = at(TokenKind::RParen) || at(TokenKind::RBracket) ||
                  at(TokenKind::RBrace);
    if (closes && depth == 0)
      break;
    depth += opens;
    depth -= closes;
    advance();
  }
  if (expect(TokenKind::Colon, "`:`"))
    parseExpression();
  complain(Diag::lambda_expression, span(word), {},
           "write a function of its own: `def f(a, b): return a + b`");
  return makeError(spanFrom(word.begin));
}

/// The name of the type that a string means to NumPy, as `"float32"` and `"f4"`
/// do; empty if it means none.
static std::string typeOfString(std::string_view word) {
  const size_t digits = word.find_first_of("0123456789");
  const std::string_view stem = word.substr(0, digits);
  if (digits == word.npos)
    return word == "bool" || word == "int" || word == "float" ||
                   word == "complex"
               ? std::string(word)
               : "";
  // One letter counts bytes.
  for (const auto [bytes, bits] : {std::pair("1", "8"),
                                   {"2", "16"},
                                   {"4", "32"},
                                   {"8", "64"},
                                   {"16", "128"}})
    if (word.substr(digits) == bytes &&
        (stem == "i" || stem == "u" || stem == "f" || stem == "c"))
      return std::string(stem) + bits;
  for (std::string_view kind :
       {"int", "uint", "float", "bfloat", "complex", "i", "u", "f", "bf", "c"})
    if (stem == kind &&
        word.find_first_not_of("0123456789", digits) == word.npos)
      return std::string(word);
  return "";
}

ExprPtr Parser::parseStringValue() {
  uint32_t begin = peek().begin;
  bool format = false;
  const std::string word = stringValue(text(peek()));
  const std::string type = typeOfString(word);
  while (at(TokenKind::String) || at(TokenKind::FormatString))
    format |= advance().kind == TokenKind::FormatString;
  if (format)
    complain(Diag::format_string, spanFrom(begin), {},
             "Kern computes with numbers; make strings in the program that "
             "calls it");
  else
    complain(Diag::string_value, spanFrom(begin), {},
             !type.empty()
                 ? "a type has a name: `" + type + "`"
                 : "strings are only for docstrings and the message of an "
                   "`assert`; comments begin with `#`");
  return makeError(spanFrom(begin));
}

/// A token that begins no Kern expression.
ExprPtr Parser::parseUnsupportedWord() {
  const Token token = peek();
  Span place = span(token);
  switch (token.kind) {
  case TokenKind::None:
    advance();
    complain(Diag::none_value, place, {}, std::string(insteadOf("None")));
    return makeError(place);
  case TokenKind::Ellipsis:
    advance();
    complain(Diag::ellipsis_value, place, {},
             "an empty block says `pass`; dimensions that are mapped over "
             "need no index");
    return makeError(place);
  case TokenKind::Star:
  case TokenKind::StarStar:
    // After an operator, as in `x +* 2`, it does not unpack arguments.
    if (const size_t before =
            source.substr(0, token.begin).find_last_not_of(" \t");
        before != source.npos &&
        std::string_view("+-*/%&|^<>~").find(source[before]) !=
            std::string_view::npos) {
      const bool isComment = source[before] == '/' && before + 1 == token.begin;
      unexpected(Diag::expected_expression, {describe(token)},
                 isComment ? "comments begin with `#`"
                           : "put a value between two operators");
      return makeError(place);
    }
    advance();
    complain(Diag::star_argument, place, {std::string(text(token))},
             "write the values one by one");
    parseUnary();
    return makeError(spanFrom(token.begin));
  case TokenKind::Foreign:
    if (text(token) == "yield" || text(token) == "await") {
      fail(Diag::coroutine, place, {std::string(text(token))},
           "an array result holds many values: write them by index");
      return makeError(place);
    }
    break;
  default:
    break;
  }
  std::string help;
  if (token.kind == TokenKind::SlashSlash ||
      (token.kind == TokenKind::Slash && (peek(1).kind == TokenKind::Star ||
                                          peek(1).kind == TokenKind::StarStar)))
    help = "comments begin with `#`";
  else if (token.kind == TokenKind::Foreign || token.kind == TokenKind::As)
    help = "`" + std::string(text(token)) +
           "` is a word of Python that Kern "
           "does not use";
  unexpected(Diag::expected_expression, {describe(token)}, std::move(help));
  return makeError(place);
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

/// The rest of a reported statement, and the block under it if any. In a
/// function, the block's statements are still parsed, into `block`.
void Parser::parseDiscardedSuite(Block *block) {
  skipLine();
  startNewLine();
  Nesting level(*this);
  if (!level || !block) {
    startNewLine();
    return skipSuite();
  }
  if (accept(TokenKind::Indent)) {
    parseStatements(*block);
    accept(TokenKind::Dedent);
  }
}

/// The `case`s of a `match`, which is reported.
void Parser::parseCases(Block *block) {
  skipLine();
  startNewLine();
  Nesting level(*this);
  if (!level || !block) {
    startNewLine();
    return skipSuite();
  }
  if (!accept(TokenKind::Indent))
    return;
  while (at(TokenKind::Name) &&
         (text(peek()) == "case" || text(peek()) == "default"))
    parseDiscardedSuite(block);
  parseStatements(*block);
  accept(TokenKind::Dedent);
}

/// The remaining clauses of a `try`.
void Parser::parseExceptionClauses(Block *block) {
  while (at(TokenKind::Else) ||
         (at(TokenKind::Foreign) &&
          (text(peek()) == "except" || text(peek()) == "finally")))
    parseDiscardedSuite(block);
}

/// True if an unsupported Python statement was consumed. `block` is null
/// outside functions.
bool Parser::parseUnsupportedStatement(Block *block) {
  const Token token = peek();
  std::string word(text(token));
  if (token.kind == TokenKind::Name) {
    TokenKind next = peek(1).kind;
    bool operand = next == TokenKind::Name || next == TokenKind::Integer;
    if ((word == "match" || word == "switch" || word == "case") && operand) {
      complain(Diag::match_statement, span(token), {word},
               "write `if`, `elif` and `else`");
      word == "case" ? parseDiscardedSuite(block) : parseCases(block);
      return true;
    }
    return false;
  }
  if (token.kind != TokenKind::Foreign)
    return false;
  Span place = span(token);
  if (word == "try" || word == "except" || word == "finally") {
    complain(Diag::exception_handling, place, {word},
             "test for what could go wrong, as in `if x > 0:`; where a result "
             "has no value, give `nan`");
    parseDiscardedSuite(block);
    parseExceptionClauses(block);
  } else if (word == "raise") {
    fail(Diag::exception_handling, place, {word},
         "give `nan` where there is no result, or state what must hold with "
         "`assert`");
    startNewLine();
  } else if (word == "with") {
    complain(Diag::with_statement, place, {},
             "write the statements of its block without it");
    parseDiscardedSuite(block);
  } else if (word == "class") {
    fail(Diag::class_definition, place, {},
         "write its methods as functions of their own");
    startNewLine();
    skipSuite();
  } else if (word == "async") {
    complain(Diag::coroutine, place, {word}, "remove the word");
    advance();
  } else if (word == "del") {
    fail(Diag::del_statement, place, {}, "variables need no clearing up");
    startNewLine();
  } else if (word == "global" || word == "nonlocal") {
    fail(Diag::scope_statement, place, {word},
         "a value for all functions is a `const` at the top of the file; "
         "others are passed as parameters");
    startNewLine();
  } else {
    return false;
  }
  return true;
}

/// A top-level line that is not an item, with the block under it.
void Parser::rejectTopLevelStatement() {
  const Token token = peek();
  std::string word(text(token));
  bool isName = token.kind == TokenKind::Name;
  TokenKind next = isName ? peek(1).kind : TokenKind::EndOfFile;
  auto isOneOf = [&](std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), word) != words.end();
  };
  if (isName && next == TokenKind::Name &&
      isOneOf({"kernel", "grad", "jvp", "vjp"})) {
    fail(Diag::reserved_item, span(token), {word},
         word == "kernel" ? "write a `ufunc` or a `gufunc`: Kern chooses grid "
                            "and blocks by itself"
                          : "derivatives are not there yet; write the "
                            "derivative as a `ufunc`");
  } else if (isName && next == TokenKind::Name &&
             isOneOf({"fn", "func", "fun", "function", "proc", "sub"})) {
    expected("`ufunc`, `gufunc` or `def`",
             "a function of scalars begins with `ufunc`, one of arrays with "
             "`gufunc`, and one that only others call with `def`");
  } else if (isName && (next == TokenKind::Equal || next == TokenKind::Colon)) {
    fail(Diag::statement_outside_function, span(token), {"an assignment"},
         "a value known at compile time is a constant: `const " + word +
             " = …`");
  } else if (token.kind == TokenKind::String) {
    fail(Diag::statement_outside_function, span(token), {"a string"},
         "only the first statement of a file may be a docstring; comments "
         "begin with `#`");
  } else {
    std::string what =
        keywordKind(word) != TokenKind::Name ? "`" + word + "`" : "a statement";
    unexpected(Diag::statement_outside_function, {what},
               "the file holds `ufunc`, `gufunc`, `def`, `const` and "
               "`import`; put everything else in a function");
  }
  startNewLine();
  skipSuite();
  while (at(TokenKind::Else) || at(TokenKind::Elif))
    parseDiscardedSuite(nullptr);
}

} // namespace kern::compiler::syntax
