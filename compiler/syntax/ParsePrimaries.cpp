//===- ParsePrimaries.cpp - literals, calls, indexing, generators ---------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/diagnostics/ForeignNames.h"
#include "compiler/syntax/Literals.h"
#include "compiler/syntax/ParserImpl.h"

namespace kern::compiler::syntax {

ExprPtr Parser::parsePrimary() {
  const Token token = peek();
  switch (token.kind) {
  case TokenKind::Name:
    advance();
    return make(span(token), Name{name(token)}, 0);
  case TokenKind::Integer:
    advance();
    if (auto value = integerValue(text(token)))
      return make(span(token), IntegerLiteral{std::move(*value)}, 0);
    complain(Diag::integer_literal_too_wide, span(token),
             {std::to_string(integerBits)},
             "a float has 17 digits and an exponent, as in `1e40`");
    return makeError(span(token));
  case TokenKind::Float:
    advance();
    return make(span(token), FloatLiteral{floatValue(text(token))}, 0);
  case TokenKind::Imaginary:
    advance();
    return make(span(token), ImaginaryLiteral{floatValue(text(token))}, 0);
  case TokenKind::True:
  case TokenKind::False:
    advance();
    return make(span(token), BoolLiteral{token.kind == TokenKind::True}, 0);
  case TokenKind::LParen:
    return parseParenthesized();
  case TokenKind::LBracket:
    return parseListLiteral();
  case TokenKind::LBrace:
    return parseBraceLiteral();
  case TokenKind::String:
  case TokenKind::FormatString:
    return parseStringValue();
  default:
    return parseUnsupportedWord();
  }
}

ExprPtr Parser::parsePostfix() {
  uint32_t begin = peek().begin;
  ExprPtr value = parsePrimary();
  while (!panicking) {
    unsigned below = height;
    if (at(TokenKind::LParen)) {
      value = parseCall(std::move(value), begin);
    } else if (at(TokenKind::LBracket)) {
      value = parseSubscript(std::move(value), begin);
    } else if (accept(TokenKind::Dot)) {
      std::optional<Identifier> name = expectName("a name after `.`");
      if (!name)
        return value;
      value = make(spanFrom(begin),
                   Attribute{std::move(value), std::move(*name)}, below);
    } else {
      break;
    }
  }
  return value;
}

/// `(a)`, `(a, b)`, or a parenthesised generator, which only a call may
/// contain. Plain parentheses are not part of the span.
ExprPtr Parser::parseParenthesized() {
  uint32_t begin = peek().begin;
  bool isArgument = begin == argumentBegin;
  bool madeHere = false; // a tuple or generator whose parentheses these are
  ExprPtr first;
  unsigned below = 0;
  {
    Bracket bracket(*this);
    if (isArgument)
      argumentBegin = peek().begin;
    first = parseExpression();
    below = height;
    if (at(TokenKind::For) && !panicking) {
      first = parseGenerator(std::move(first), begin);
      below = height;
      madeHere = true;
    } else if (at(TokenKind::Comma)) {
      Tuple tuple;
      tuple.elements.push_back(std::move(first));
      while (continueList(TokenKind::RParen, ")")) {
        tuple.elements.push_back(parseExpression());
        below = std::max(below, height);
      }
      first = make(spanFrom(begin), std::move(tuple), below);
      below = height;
      madeHere = true;
    }
    if (!accept(TokenKind::RParen)) {
      unexpected(Diag::missing_separator, {")", describe(peek())});
      return first;
    }
  }
  height = below;
  if (madeHere)
    first->span = spanFrom(begin);
  if (first->as<Generator>() &&
      !(isArgument && (at(TokenKind::Comma) || at(TokenKind::RParen))))
    complain(Diag::misplaced_generator, first->span, {},
             "reduce it: `sum(x ** 2 for x in v)`");
  return first;
}

ExprPtr Parser::parseCall(ExprPtr function, uint32_t begin) {
  unsigned below = height;
  // Python's way to write an infinity, or NaN: `float("inf")`.
  if (const auto *name = function->as<Name>();
      name && name->name == "float" && peek(1).kind == TokenKind::String &&
      peek(2).kind == TokenKind::RParen) {
    std::string word = stringValue(text(peek(1)));
    const bool isNegative = word.starts_with("-");
    word.erase(0, isNegative || word.starts_with("+"));
    if (word == "inf" || word == "infinity" || word == "nan") {
      for (int i = 0; i < 3; ++i)
        advance();
      ExprPtr value =
          make(spanFrom(begin), Name{word == "nan" ? "nan" : "inf"}, below);
      if (isNegative)
        value = make(spanFrom(begin), Unary{UnaryOp::Minus, std::move(value)},
                     below + 1);
      return value;
    }
  }
  Call call;
  call.function = std::move(function);
  bool hasStar = false;
  {
    Bracket bracket(*this);
    if (!at(TokenKind::RParen)) {
      do {
        hasStar |= at(TokenKind::Star) || at(TokenKind::StarStar);
        if (!parseArgument(call, below))
          break;
      } while (continueList(TokenKind::RParen, ")"));
    }
    expect(TokenKind::RParen, "`)`");
  }
  if (hasStar || panicking) // the number of arguments is unknown
    return makeError(spanFrom(begin));
  return make(spanFrom(begin), std::move(call), below);
}

/// False if the line was given up.
bool Parser::parseArgument(Call &call, unsigned &below) {
  if (at(TokenKind::Star) || at(TokenKind::StarStar)) {
    Token star = advance();
    complain(Diag::star_argument, span(star), {std::string(text(star))},
             "write the arguments one by one");
    parseExpression();
    below = std::max(below, height);
    return !panicking;
  }
  auto parseValue = [&] {
    // NumPy's functions take `None`: `clip(x, 0, None)`, `sum(x, axis=None)`.
    const TokenKind after = peek(1).kind;
    if (!at(TokenKind::None) ||
        (after != TokenKind::Comma && after != TokenKind::RParen))
      return parseExpression();
    const Token none = advance();
    return make(span(none), Name{std::string(text(none))}, 0);
  };
  if (at(TokenKind::Name) && peek(1).kind == TokenKind::Equal) {
    Token keyword = advance();
    advance();
    ExprPtr value = parseValue();
    below = std::max(below, height);
    call.keywords.emplace_back(Identifier{name(keyword), span(keyword)},
                               std::move(value));
    return !panicking;
  }
  uint32_t begin = argumentBegin = peek().begin;
  ExprPtr argument = parseValue();
  argumentBegin = UINT32_MAX;
  if (!call.keywords.empty() && !panicking)
    complain(Diag::positional_after_keyword, argument->span, {},
             "arguments with names come last");
  if (at(TokenKind::For) && !panicking) {
    argument = parseGenerator(std::move(argument), begin);
    if (at(TokenKind::Comma) && peek(1).kind != TokenKind::RParen)
      complain(Diag::misplaced_generator, argument->span, {},
               "put parentheses around it, or make it the last argument");
  }
  below = std::max(below, height);
  call.arguments.push_back(std::move(argument));
  return !panicking;
}

ExprPtr Parser::parseSubscript(ExprPtr value, uint32_t begin) {
  unsigned below = height;
  Subscript subscript;
  subscript.value = std::move(value);
  {
    Bracket bracket(*this);
    bool hasEllipsis = false;
    do {
      Index &index = subscript.indices.emplace_back(parseIndex(below));
      if (index.isEllipsis && hasEllipsis) {
        complain(Diag::ellipsis_value, index.span, {},
                 "an index has one `...`, for all axes that the others leave");
        index.isSlice = index.isEllipsis = false;
        index.value = makeError(index.span);
      }
      hasEllipsis |= index.isEllipsis;
    } while (!panicking && continueList(TokenKind::RBracket, "]"));
    expect(TokenKind::RBracket, "`]`");
  }
  return make(spanFrom(begin), std::move(subscript), below);
}

/// `e`, `...`, `lo:hi`, `lo:hi:step`; each part of a slice may be absent.
Index Parser::parseIndex(unsigned &below) {
  Index index;
  uint32_t begin = peek().begin;
  auto part = [&]() -> ExprPtr {
    if (at(TokenKind::Colon) || at(TokenKind::Comma) || at(TokenKind::RBracket))
      return nullptr;
    ExprPtr expr = parseExpression();
    below = std::max(below, height);
    return expr;
  };
  if (at(TokenKind::Ellipsis)) {
    index.isSlice = index.isEllipsis = true;
    index.span = span(advance());
    return index;
  }
  if (at(TokenKind::None)) {
    const Span place = span(advance());
    complain(Diag::none_value, place, {}, std::string(insteadOf("newaxis")));
    index.value = makeError(place);
  } else if (!at(TokenKind::Colon)) {
    index.value = parseExpression();
    below = std::max(below, height);
  }
  if (accept(TokenKind::Colon)) {
    index.isSlice = true;
    index.lower = std::move(index.value);
    index.upper = part();
    if (accept(TokenKind::Colon))
      index.step = part();
  }
  index.span = spanFrom(begin);
  return index;
}

/// At the first `for`, behind the element.
ExprPtr Parser::parseGenerator(ExprPtr element, uint32_t begin) {
  unsigned below = height;
  Generator generator;
  generator.element = std::move(element);
  while (at(TokenKind::For) && !panicking) {
    GeneratorClause clause;
    uint32_t clauseBegin = advance().begin;
    clause.target = parseTargetList();
    below = std::max(below, height);
    checkTarget(*clause.target, /*namesOnly=*/true);
    if (expect(TokenKind::In, "`in`")) {
      clause.iterable = parseOr();
      below = std::max(below, height);
    } else {
      clause.iterable = makeError(spanFrom(clauseBegin));
    }
    while (at(TokenKind::If) && !panicking) {
      advance();
      clause.conditions.push_back(parseOr());
      below = std::max(below, height);
    }
    clause.span = spanFrom(clauseBegin);
    generator.clauses.push_back(std::move(clause));
  }
  return make(spanFrom(begin), std::move(generator), below);
}

/// The targets of a `for`: without operators, so that `in` is left for the
/// loop.
ExprPtr Parser::parseTargetList() {
  uint32_t begin = peek().begin;
  ExprPtr first = parseTarget();
  if (!at(TokenKind::Comma) || panicking)
    return first;
  unsigned below = height;
  Tuple tuple;
  tuple.elements.push_back(std::move(first));
  while (accept(TokenKind::Comma) && !at(TokenKind::In) &&
         !at(TokenKind::RParen)) {
    tuple.elements.push_back(parseTarget());
    below = std::max(below, height);
  }
  return make(spanFrom(begin), std::move(tuple), below);
}

ExprPtr Parser::parseTarget() {
  if (!at(TokenKind::LParen))
    return parsePostfix();
  Nesting level(*this);
  uint32_t begin = peek().begin;
  if (!level)
    return makeError(spanFrom(begin));
  Bracket bracket(*this);
  ExprPtr inner = parseTargetList();
  unsigned below = height;
  if (at(TokenKind::Equal))
    expected("`)`", "a loop is written `for i in range(n):`");
  else if (expect(TokenKind::RParen, "`)`") && inner->as<Tuple>())
    inner->span = spanFrom(begin);
  height = below;
  return inner;
}

} // namespace kern::compiler::syntax
