//===- ParseExpressions.cpp - operators -----------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Python's precedence, loosest first: conditional, or, and, not, comparisons,
// |, ^, &, shifts, + -, * / // %, unary + - ~, **. `**` binds tighter than a
// unary operator on its left and looser than one on its right.
//
//===----------------------------------------------------------------------===//
#include "compiler/diagnostics/ForeignNames.h"
#include "compiler/syntax/ParserImpl.h"

namespace kern::compiler::syntax {

std::string describe(const Expr &expr) {
  struct Describer {
    std::string operator()(const ErrorExpr &) { return "this"; }
    std::string operator()(const IntegerLiteral &) { return "a number"; }
    std::string operator()(const FloatLiteral &) { return "a number"; }
    std::string operator()(const ImaginaryLiteral &) { return "a number"; }
    std::string operator()(const BoolLiteral &literal) {
      return literal.value ? "`True`" : "`False`";
    }
    std::string operator()(const Name &name) { return "`" + name.name + "`"; }
    std::string operator()(const Unary &) { return "an operation"; }
    std::string operator()(const Binary &) { return "an operation"; }
    std::string operator()(const Compare &) { return "a comparison"; }
    std::string operator()(const Logical &) { return "a condition"; }
    std::string operator()(const Conditional &) {
      return "a conditional expression";
    }
    std::string operator()(const Call &) { return "a call"; }
    std::string operator()(const Attribute &) { return "an attribute"; }
    std::string operator()(const Subscript &) { return "an element"; }
    std::string operator()(const Tuple &) { return "a tuple"; }
    std::string operator()(const List &) { return "a list"; }
    std::string operator()(const Generator &) { return "a generator"; }
  };
  return std::visit(Describer{}, expr.node);
}

ExprPtr Parser::makeError(Span span) { return make(span, ErrorExpr{}, 0); }

/// `a, b, c` without brackets: a Tuple, or the sole expression.
ExprPtr Parser::parseExpressionList() {
  uint32_t begin = peek().begin;
  ExprPtr first = parseExpression();
  if (!at(TokenKind::Comma) || panicking)
    return first;
  unsigned below = height;
  Tuple tuple;
  tuple.elements.push_back(std::move(first));
  while (accept(TokenKind::Comma)) {
    if (atLineEnd() || at(TokenKind::Equal) || at(TokenKind::Colon) ||
        at(TokenKind::Semicolon))
      break;
    tuple.elements.push_back(parseExpression());
    below = std::max(below, height);
  }
  return make(spanFrom(begin), std::move(tuple), below);
}

ExprPtr Parser::parseExpression() {
  Nesting level(*this);
  uint32_t begin = peek().begin;
  if (!level)
    return makeError(spanFrom(begin));
  if (at(TokenKind::Lambda))
    return parseLambda();
  ExprPtr value = parseOr();
  if (at(TokenKind::If)) {
    unsigned below = height;
    advance();
    ExprPtr condition = parseOr();
    below = std::max(below, height);
    if (at(TokenKind::Equal)) {
      const Span assignment = span(peek());
      advance();
      parseOr();
      if (at(TokenKind::Else))
        complain(Diag::assignment_in_condition, assignment, {},
                 {"compare with `==`", "=="});
    }
    if (!accept(TokenKind::Else)) {
      unexpected(Diag::missing_else, {describe(peek())},
                 "a value for both cases: `a if condition else b`");
      return makeError(spanFrom(begin));
    }
    ExprPtr otherwise = parseExpression();
    below = std::max(below, height);
    return make(spanFrom(begin),
                Conditional{std::move(condition), std::move(value),
                            std::move(otherwise)},
                below);
  }
  if (at(TokenKind::Question)) {
    fail(Diag::c_operator, span(peek()), {"? :"},
         "write `a if condition else b`");
    return makeError(spanFrom(begin));
  }
  if (at(TokenKind::ColonEqual)) {
    complain(Diag::walrus_operator, span(peek()), {},
             "bind the name on a line of its own: `name = value`");
    advance();
    parseExpression();
    return makeError(spanFrom(begin));
  }
  return value;
}

/// `word` in place of the operator `sign`, with the blanks that it needs.
std::string Parser::asWord(std::string_view word, const Token &sign) const {
  auto isBlank = [&](size_t at) {
    return at < source.size() && (source[at] == ' ' || source[at] == '\t');
  };
  const bool isFirst = sign.begin == 0 || isBlank(sign.begin - 1) ||
                       source[sign.begin - 1] == '(';
  return (isFirst ? "" : " ") + std::string(word) +
         (isBlank(sign.end) ? "" : " ");
}

ExprPtr Parser::parseOr() {
  uint32_t begin = peek().begin;
  ExprPtr first = parseAnd();
  if (!at(TokenKind::Or) && !at(TokenKind::PipePipe))
    return first;
  unsigned below = height;
  Logical logical{BoolOp::Or, {}};
  logical.operands.push_back(std::move(first));
  while (at(TokenKind::Or) || at(TokenKind::PipePipe)) {
    if (at(TokenKind::PipePipe))
      complain(Diag::c_operator, span(peek()), {"||"},
               {"write `or`", asWord("or", peek())});
    advance();
    logical.operands.push_back(parseAnd());
    below = std::max(below, height);
  }
  return make(spanFrom(begin), std::move(logical), below);
}

ExprPtr Parser::parseAnd() {
  uint32_t begin = peek().begin;
  ExprPtr first = parseNot();
  if (!at(TokenKind::And) && !at(TokenKind::AmpAmp))
    return first;
  unsigned below = height;
  Logical logical{BoolOp::And, {}};
  logical.operands.push_back(std::move(first));
  while (at(TokenKind::And) || at(TokenKind::AmpAmp)) {
    if (at(TokenKind::AmpAmp))
      complain(Diag::c_operator, span(peek()), {"&&"},
               {"write `and`", asWord("and", peek())});
    advance();
    logical.operands.push_back(parseNot());
    below = std::max(below, height);
  }
  return make(spanFrom(begin), std::move(logical), below);
}

ExprPtr Parser::parseNot() {
  if (!at(TokenKind::Not))
    return parseComparison();
  Nesting level(*this);
  uint32_t begin = peek().begin;
  if (!level)
    return makeError(spanFrom(begin));
  advance();
  ExprPtr operand = parseNot();
  unsigned below = height;
  return make(spanFrom(begin), Unary{UnaryOp::Not, std::move(operand)}, below);
}

static std::optional<CompareOp> comparison(TokenKind kind) {
  switch (kind) {
  case TokenKind::Less:
    return CompareOp::Lt;
  case TokenKind::LessEqual:
    return CompareOp::Le;
  case TokenKind::Greater:
    return CompareOp::Gt;
  case TokenKind::GreaterEqual:
    return CompareOp::Ge;
  case TokenKind::EqualEqual:
    return CompareOp::Eq;
  case TokenKind::NotEqual:
    return CompareOp::Ne;
  default:
    return std::nullopt;
  }
}

ExprPtr Parser::parseComparison() {
  uint32_t begin = peek().begin;
  ExprPtr first = parseBinary(0);
  Compare compare;
  unsigned below = height;
  bool understood = true;
  for (;;) {
    if (std::optional<CompareOp> op = comparison(peek().kind)) {
      advance();
      compare.rest.emplace_back(*op, parseBinary(0));
    } else if (at(TokenKind::Is) || at(TokenKind::In) ||
               (at(TokenKind::Not) && peek(1).kind == TokenKind::In)) {
      bool identity = at(TokenKind::Is);
      uint32_t opBegin = advance().begin;
      if (identity ? at(TokenKind::Not) : at(TokenKind::In))
        advance();
      Span place = spanFrom(opBegin);
      std::string spelled(diagnostics.sourceManager().text(place));
      if (!identity) {
        ExprPtr right = parseBinary(0);
        const bool isList =
            right->as<Tuple>() || right->as<List>() || right->as<Name>();
        if (compare.rest.empty() && isList) {
          compare.rest.emplace_back(spelled == "in" ? CompareOp::In
                                                    : CompareOp::NotIn,
                                    std::move(right));
        } else {
          complain(Diag::membership_operator, place, {spelled},
                   std::string(insteadOfIn));
          understood = false;
        }
        below = std::max(below, height);
        continue;
      }
      complain(Diag::identity_operator, place, {spelled},
               "compare values with `==` and `!=`, and look for NaN with "
               "`isnan(x)`");
      understood = false;
      // `x is None`: one error is enough.
      if (!accept(TokenKind::None))
        parseBinary(0);
    } else {
      break;
    }
    below = std::max(below, height);
  }
  if (!understood)
    return makeError(spanFrom(begin));
  if (compare.rest.empty())
    return first;
  compare.first = std::move(first);
  return make(spanFrom(begin), std::move(compare), below);
}

namespace {
struct BinaryRow {
  BinaryOp op;
  unsigned precedence; ///< 0: not a binary operator
};
} // namespace

static BinaryRow binaryRow(TokenKind kind) {
  switch (kind) {
  case TokenKind::Pipe:
    return {BinaryOp::BitOr, 1};
  case TokenKind::Caret:
    return {BinaryOp::BitXor, 2};
  case TokenKind::Amp:
    return {BinaryOp::BitAnd, 3};
  case TokenKind::LessLess:
    return {BinaryOp::ShiftLeft, 4};
  case TokenKind::GreaterGreater:
    return {BinaryOp::ShiftRight, 4};
  case TokenKind::Plus:
    return {BinaryOp::Add, 5};
  case TokenKind::Minus:
    return {BinaryOp::Sub, 5};
  case TokenKind::Star:
    return {BinaryOp::Mul, 6};
  case TokenKind::Slash:
    return {BinaryOp::TrueDiv, 6};
  case TokenKind::SlashSlash:
    return {BinaryOp::FloorDiv, 6};
  case TokenKind::Percent:
    return {BinaryOp::Mod, 6};
  case TokenKind::At:
    return {BinaryOp::MatMul, 6};
  default:
    return {BinaryOp::Add, 0};
  }
}

/// `x++` and `x--`: two adjacent signs without an operand after them.
bool Parser::atIncrement() {
  if (!at(TokenKind::Plus) && !at(TokenKind::Minus))
    return false;
  if (peek(1).kind != peek().kind || peek(1).begin != peek().end)
    return false;
  TokenKind after = peek(2).kind;
  return after == TokenKind::Newline || after == TokenKind::Semicolon ||
         after == TokenKind::RParen || after == TokenKind::RBracket ||
         after == TokenKind::EndOfFile;
}

/// Operators with a precedence above `minimum`. All are left-associative.
ExprPtr Parser::parseBinary(unsigned minimum) {
  uint32_t begin = peek().begin;
  ExprPtr left = parseUnary();
  for (;;) {
    BinaryRow row = binaryRow(peek().kind);
    if (row.precedence <= minimum)
      return left;
    unsigned below = height;
    if (atIncrement()) {
      Token sign = advance();
      advance();
      std::string spelled(text(sign));
      complain(Diag::increment_operator, spanFrom(sign.begin),
               {spelled + spelled},
               {"write `x " + spelled + "= 1`", " " + spelled + "= 1"});
      height = below;
      return left;
    }
    Token op = advance();
    ExprPtr right = parseBinary(row.precedence);
    below = std::max(below, height);
    left = make(spanFrom(begin),
                Binary{row.op, std::move(left), std::move(right), span(op)},
                below);
    if (panicking)
      return left;
  }
}

ExprPtr Parser::parseUnary() {
  UnaryOp op;
  switch (peek().kind) {
  case TokenKind::Plus:
    op = UnaryOp::Plus;
    break;
  case TokenKind::Minus:
    op = UnaryOp::Minus;
    break;
  case TokenKind::Tilde:
    op = UnaryOp::Invert;
    break;
  case TokenKind::Exclaim:
    op = UnaryOp::Not;
    complain(Diag::c_operator, span(peek()), {"!"},
             {"write `not`", asWord("not", peek())});
    break;
  default:
    return parsePower();
  }
  Nesting level(*this);
  uint32_t begin = peek().begin;
  if (!level)
    return makeError(spanFrom(begin));
  advance();
  ExprPtr operand = parseUnary();
  unsigned below = height;
  return make(spanFrom(begin), Unary{op, std::move(operand)}, below);
}

ExprPtr Parser::parsePower() {
  uint32_t begin = peek().begin;
  ExprPtr base = parsePostfix();
  if (!at(TokenKind::StarStar))
    return base;
  Nesting level(*this);
  if (!level)
    return base;
  unsigned below = height;
  Token op = advance();
  ExprPtr exponent = parseUnary();
  below = std::max(below, height);
  return make(
      spanFrom(begin),
      Binary{BinaryOp::Pow, std::move(base), std::move(exponent), span(op)},
      below);
}

} // namespace kern::compiler::syntax
