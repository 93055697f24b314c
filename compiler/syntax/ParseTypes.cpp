//===- ParseTypes.cpp - types and dimensions ------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/syntax/ParserImpl.h"

namespace kern::compiler::syntax {

/// A name; `np.float32` means `float32`.
std::optional<Identifier> Parser::parseTypeName() {
  if (at(TokenKind::String) || at(TokenKind::FormatString)) {
    fail(Diag::string_value, span(peek()), {}, "write the type without quotes");
    return std::nullopt;
  }
  if (at(TokenKind::None)) {
    fail(Diag::none_value, span(peek()), {}, "name a type, such as `f64`");
    return std::nullopt;
  }
  bool prefixed =
      (atWord("np") || atWord("numpy")) && peek(1).kind == TokenKind::Dot;
  uint32_t begin = peek().begin;
  if (prefixed) {
    advance();
    advance();
  }
  std::optional<Identifier> name = expectName("a type");
  if (name)
    name->span = spanFrom(begin);
  return name;
}

/// `T`, `T[m, k]` or `[n]`.
std::optional<TypeSyntax> Parser::parseType() {
  TypeSyntax type;
  uint32_t begin = peek().begin;
  if (!at(TokenKind::LBracket)) {
    type.element = parseTypeName();
    if (!type.element)
      return std::nullopt;
  }
  if (at(TokenKind::LParen)) {
    expected("`[` and the dimensions",
             "put the dimensions of an array in brackets: `" +
                 (type.element ? type.element->name : std::string()) + "[n]`");
    return std::nullopt;
  }
  if (at(TokenKind::LBracket) && !parseDimensions(type))
    return std::nullopt;
  type.span = spanFrom(begin);
  return type;
}

/// Stands in for a dimension without a name, so that checks of the array in the
/// body still apply.
void Parser::addUnnamed(TypeSyntax &type, Span place) {
  DimSyntax dim;
  dim.span = place;
  dim.expr = make(place, Name{"n"}, 0);
  type.dims.push_back(std::move(dim));
}

/// The first name in a malformed dimension.
static const Name *firstName(const Expr &expr) {
  if (const Name *name = expr.as<Name>())
    return name;
  const Binary *binary = expr.as<Binary>();
  if (!binary)
    return nullptr;
  const Name *left = firstName(*binary->left);
  return left ? left : firstName(*binary->right);
}

bool Parser::parseDimensions(TypeSyntax &type) {
  type.isArray = true;
  Bracket bracket(*this);
  std::string element = type.element ? type.element->name : "";
  std::string example = "as in `" + element + "[n]`";
  if (at(TokenKind::RBracket)) {
    complain(Diag::unnamed_dimension, span(peek()), {},
             example + "; a scalar has no brackets");
    addUnnamed(type, span(peek()));
  }
  bool unnamed = false;
  while (!at(TokenKind::RBracket)) {
    DimSyntax dim;
    uint32_t begin = peek().begin;
    if (at(TokenKind::Colon) || at(TokenKind::Ellipsis)) {
      Token token = advance();
      if (!std::exchange(unnamed, true))
        complain(Diag::unnamed_dimension, span(token), {},
                 token.kind == TokenKind::Colon
                     ? "name it, " + example
                     : "leave it out: a gufunc maps over all dimensions that "
                       "it does not name");
      addUnnamed(type, span(token));
    } else {
      dim.expr = parseBinary(0); // no further: `m?` is not a conditional
      if (panicking)
        return false;
      const unsigned errorsBefore = diagnostics.errors();
      checkDimension(*dim.expr);
      if (diagnostics.errors() != errorsBefore) {
        const Name *name = firstName(*dim.expr);
        dim.expr = make(dim.expr->span, Name{name ? name->name : "n"}, 0);
      }
      if (at(TokenKind::Question)) {
        Token mark = advance();
        dim.optional = true;
        if (!dim.expr->as<Name>())
          complain(Diag::invalid_dimension, span(mark),
                   {"`?` after " + kern::compiler::syntax::describe(*dim.expr)},
                   "only a name can be optional: `m?`");
      }
      dim.span = spanFrom(begin);
      type.dims.push_back(std::move(dim));
    }
    if (!continueList(TokenKind::RBracket, "]"))
      break;
  }
  return expect(TokenKind::RBracket, "`]`");
}

/// Accepts names, integers, `+ - * // %`, `min` and `max`. Lowering checks
/// which may stand where.
void Parser::checkDimension(const Expr &expr) {
  static const std::string allowed =
      "it is written with names, integers, `+ - * // %`, `min` and `max`";
  if (expr.as<Name>() || expr.as<IntegerLiteral>() || expr.as<ErrorExpr>())
    return;
  if (const Binary *binary = expr.as<Binary>()) {
    switch (binary->op) {
    case BinaryOp::Add:
    case BinaryOp::Sub:
    case BinaryOp::Mul:
    case BinaryOp::FloorDiv:
    case BinaryOp::Mod:
      checkDimension(*binary->left);
      checkDimension(*binary->right);
      return;
    case BinaryOp::TrueDiv:
      return complain(Diag::invalid_dimension, binary->opSpan, {"`/`"},
                      "write `//`, which gives an integer");
    default:
      return complain(Diag::invalid_dimension, binary->opSpan,
                      {"this operator"}, allowed);
    }
  }
  if (const Call *call = expr.as<Call>()) {
    const Name *name = call->function->as<Name>();
    if (name && (name->name == "min" || name->name == "max") &&
        call->keywords.empty() && !call->arguments.empty()) {
      for (const ExprPtr &argument : call->arguments)
        checkDimension(*argument);
      return;
    }
  }
  complain(Diag::invalid_dimension, expr.span,
           {kern::compiler::syntax::describe(expr)}, allowed);
}

} // namespace kern::compiler::syntax
