//===- ParseHeaders.cpp - parameters, results, where ----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function that returns a bool returns false if the line was given up.
//
//===----------------------------------------------------------------------===//
#include "compiler/syntax/ParserImpl.h"
#include "runtime/error/Counted.h"

namespace kern::compiler::syntax {

/// From the `(` to the token before the `:`.
void Parser::parseHeader(Function &function) {
  if (!at(TokenKind::LParen))
    return expected("`(` and the parameters",
                    at(TokenKind::LBracket)
                        ? "a type variable is bound at the end of the header: "
                          "`(x: T) -> T where T in (f32, f64):`"
                        : "");
  {
    Bracket bracket(*this);
    if (!at(TokenKind::RParen)) {
      do {
        if (!parseParameter(function))
          return;
      } while (continueList(TokenKind::RParen, ")"));
    }
    if (!expect(TokenKind::RParen, "`)`"))
      return;
  }
  if (at(TokenKind::Equal) && peek(1).kind == TokenKind::Greater &&
      peek(1).begin == peek().end) {
    complain(Diag::c_operator, {file, peek().begin, peek(1).end}, {"=>"},
             {"write `->`", "->"});
    advance();
    if (!parseResults(function))
      return;
  }
  if (at(TokenKind::Arrow) && !parseResults(function))
    return;
  if (atWord("where") && !parseWhere(function))
    return;
  if (at(TokenKind::Arrow)) {
    complain(Diag::expected_token, span(peek()), {"`:`", "`->`"},
             "the results come before `where`: `-> T where T in (f32, f64):`");
    parseResults(function);
  }
}

/// Whether this looks like a type name: `f32`, `float32`, `bool`, `T`.
static bool isLikeType(std::string_view word) {
  if (word == "bool" || word == "int" || word == "float" || word == "complex")
    return true;
  if (word.size() == 1)
    return word[0] >= 'A' && word[0] <= 'Z';
  const size_t digits = word.find_first_of("0123456789");
  if (digits == word.npos ||
      word.find_first_not_of("0123456789", digits) != word.npos)
    return false;
  constexpr std::string_view stems[] = {
      "i", "u", "f", "bf", "c", "int", "uint", "float", "bfloat", "complex"};
  return std::ranges::find(stems, word.substr(0, digits)) != std::end(stems);
}

/// A parameter without a colon: `x f32`, or `f32 x`.
void Parser::parseParameterWithoutColon(Parameter &parameter) {
  const Token second = peek();
  const std::string first = parameter.name.name, word = name(second);
  if (isLikeType(word) && !isLikeType(first)) {
    complain(Diag::expected_token, span(second), {"`:`", describe(second)},
             "put a colon before the type: `" + first + ": " + word + "`");
    parameter.type = parseType();
    return;
  }
  advance();
  complain(Diag::missing_separator, span(second), {")", "`" + word + "`"},
           "the name comes first: `" + word + ": " + first + "`");
  TypeSyntax type;
  type.span = parameter.name.span;
  type.element = std::move(parameter.name);
  parameter.type = std::move(type);
  parameter.name = Identifier{word, span(second)};
}

/// `= value` after a parameter, if there is one.
void Parser::parseDefault(const Function &function, Parameter &parameter) {
  if (!at(TokenKind::Equal)) {
    if (!function.parameters.empty() &&
        function.parameters.back().defaultValue && !panicking)
      complain(Diag::default_order, parameter.span, {parameter.name.name},
               "parameters with defaults come last");
    return;
  }
  uint32_t begin = advance().begin;
  ExprPtr value = parseExpression();
  if (!parameter.isInout && (!parameter.type || !parameter.type->isArray))
    parameter.defaultValue = std::move(value);
  else if (!panicking)
    complain(Diag::default_value, spanFrom(begin),
             {parameter.name.name, "it is an array"},
             "leave it out: callers give every array");
}

/// `name`, `name: type` or `inout name: type`, with `= value` or without.
bool Parser::parseParameter(Function &function) {
  uint32_t begin = peek().begin;
  if (at(TokenKind::Star) || at(TokenKind::StarStar) || at(TokenKind::Slash)) {
    Token star = advance();
    complain(Diag::star_argument, span(star), {std::string(text(star))},
             peek().kind == TokenKind::Comma
                 ? "leave it out: any argument may be given by name"
                 : "name each parameter");
    if (!at(TokenKind::Name))
      return !panicking;
  }
  Parameter parameter;
  if (atWord("inout") && peek(1).kind == TokenKind::Name) {
    advance();
    parameter.isInout = true;
  }
  std::optional<Identifier> name = expectName("a parameter's name");
  if (!name)
    return false;
  parameter.name = std::move(*name);
  if (at(TokenKind::Name)) {
    parseParameterWithoutColon(parameter);
    if (panicking)
      return false;
  } else if (accept(TokenKind::Colon)) {
    parameter.type = parseType();
    if (!parameter.type)
      return false;
    // `x: f64 y: f64`, `x: f32 | f64`
    if (at(TokenKind::Name) || at(TokenKind::Pipe)) {
      const bool isUnion = at(TokenKind::Pipe);
      unexpected(Diag::missing_separator, {")", describe(peek())},
                 isUnion ? "a type variable stands for several types: `x: T` "
                           "here, and `where T in (f32, f64)` at the end of "
                           "the header"
                         : "a comma parts parameters: `x: f64, y: f64`");
      return false;
    }
  }
  parameter.span = spanFrom(begin);
  parseDefault(function, parameter);
  function.parameters.push_back(std::move(parameter));
  return !panicking;
}

/// `-> T`, `-> (T, T)` or `-> (q: T, r: T)`.
bool Parser::parseResults(Function &function) {
  advance();
  if (at(TokenKind::None)) {
    complain(Diag::none_value, span(advance()), {},
             "leave out the `->`: a function without one returns what its "
             "`return` says");
    return true;
  }
  function.hasArrow = true;
  if (!at(TokenKind::LParen)) {
    std::optional<TypeSyntax> type = parseType();
    if (!type)
      return false;
    function.results.push_back({std::nullopt, std::move(*type)});
    if (at(TokenKind::Comma))
      complain(Diag::expected_token, span(peek()), {"`where` or `:`", "`,`"},
               "put several results in parentheses: `-> (T, T)`");
    while (accept(TokenKind::Comma)) {
      type = parseType();
      if (!type)
        return false;
      function.results.push_back({std::nullopt, std::move(*type)});
    }
    return true;
  }
  Bracket bracket(*this);
  do {
    Result result;
    if (at(TokenKind::Name) && peek(1).kind == TokenKind::Colon) {
      Token token = advance();
      advance();
      result.name = Identifier{name(token), span(token)};
    }
    std::optional<TypeSyntax> type = parseType();
    if (!type)
      return false;
    result.type = std::move(*type);
    function.results.push_back(std::move(result));
  } while (continueList(TokenKind::RParen, ")"));
  return expect(TokenKind::RParen, "`)`");
}

//===----------------------------------------------------------------------===//
// where
//===----------------------------------------------------------------------===//

bool Parser::parseWhere(Function &function) {
  advance();
  do {
    WhereClause clause;
    uint32_t begin = peek().begin;
    if (!parseWhereClause(clause))
      return false;
    clause.span = spanFrom(begin);
    function.where.push_back(std::move(clause));
  } while (accept(TokenKind::Comma) && !at(TokenKind::Colon));
  return true;
}

/// `T in floats`, `T in (f32, f64)` or `(T, I) in ((f32, i32), (f64, i64))`.
bool Parser::parseWhereClause(WhereClause &clause) {
  bool several = at(TokenKind::LParen);
  if (several) {
    if (!parseTypeNames(clause.variables))
      return false;
  } else {
    std::optional<Identifier> name = expectName("a type variable");
    if (!name)
      return false;
    clause.variables.push_back(std::move(*name));
  }
  if (!accept(TokenKind::In)) {
    const bool likely = at(TokenKind::Is) || at(TokenKind::Colon) ||
                        at(TokenKind::Equal) || at(TokenKind::EqualEqual);
    const TokenKind next = peek(1).kind;
    if (!likely || (next != TokenKind::Name && next != TokenKind::LParen &&
                    next != TokenKind::LBracket)) {
      expected("`in`", "as in `where T in (f32, f64)`");
      return false;
    }
    complain(Diag::expected_token, span(peek()), {"`in`", describe(peek())},
             "as in `where T in (f32, f64)`");
    advance();
  }
  if (!several) {
    std::vector<Identifier> names;
    if (at(TokenKind::Name)) {
      std::optional<Identifier> name = parseTypeName();
      if (!name)
        return false;
      names.push_back(std::move(*name));
      // `T in f32, f64`
      if (at(TokenKind::Comma) && peek(1).kind == TokenKind::Name &&
          peek(2).kind != TokenKind::In) {
        complain(Diag::expected_token, names[0].span,
                 {"`(` and types", "`" + names[0].name + "`"},
                 "types are listed in parentheses: `(f32, f64)`");
        while (at(TokenKind::Comma) && peek(1).kind == TokenKind::Name &&
               peek(2).kind != TokenKind::In) {
          advance();
          name = parseTypeName();
          if (!name)
            return false;
          names.push_back(std::move(*name));
        }
      }
    } else if (!parseTypeNames(names)) {
      return false;
    }
    for (Identifier &name : names)
      clause.rows.push_back({std::move(name)});
    return true;
  }
  if (!at(TokenKind::LParen)) {
    expected("`(` and the combinations",
             "as in `where (T, I) in ((f32, i32), (f64, i64))`");
    return false;
  }
  Bracket bracket(*this);
  do {
    std::vector<Identifier> row;
    uint32_t begin = peek().begin;
    if (!parseTypeNames(row))
      return false;
    if (row.size() == clause.variables.size()) {
      clause.rows.push_back(std::move(row));
      continue;
    }
    complain(Diag::where_row, spanFrom(begin),
             {runtime::counted(row.size(), "type"),
              runtime::counted(clause.variables.size(), "type variable")});
  } while (continueList(TokenKind::RParen, ")"));
  return expect(TokenKind::RParen, "`)`");
}

/// `(f32, f64)`.
bool Parser::parseTypeNames(std::vector<Identifier> &names) {
  static const std::string help =
      "types are listed in parentheses: `(f32, f64)`";
  const bool isList = at(TokenKind::LBracket);
  if (isList)
    complain(Diag::expected_token, span(peek()), {"`(` and types", "`[`"},
             help);
  if (!isList && !at(TokenKind::LParen)) {
    expected("`(` and types", help);
    return false;
  }
  const TokenKind closing = isList ? TokenKind::RBracket : TokenKind::RParen;
  Bracket bracket(*this);
  do {
    std::optional<Identifier> name = parseTypeName();
    if (!name)
      return false;
    names.push_back(std::move(*name));
  } while (continueList(closing, isList ? "]" : ")"));
  return expect(closing, isList ? "`]`" : "`)`");
}

} // namespace kern::compiler::syntax
