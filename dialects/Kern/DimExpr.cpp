//===- DimExpr.cpp - expressions of core dimensions -----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Kern/Kern.h"

#include "mlir/IR/DialectImplementation.h"

using namespace mlir;

namespace kern::ir {

//===----------------------------------------------------------------------===//
// The tree
//===----------------------------------------------------------------------===//

DimExprAttr DimExprAttr::named(MLIRContext *context, StringRef name) {
  return get(context, DimKind::Name, StringAttr::get(context, name), 0, {}, {});
}

DimExprAttr DimExprAttr::constant(MLIRContext *context, int64_t value) {
  return get(context, DimKind::Constant, {}, value, {}, {});
}

DimExprAttr DimExprAttr::binary(DimKind kind, DimExprAttr left,
                                DimExprAttr right) {
  return get(left.getContext(), kind, {}, 0, left, right);
}

LogicalResult
DimExprAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                    DimKind kind, StringAttr name, int64_t value,
                    DimExprAttr left, DimExprAttr right) {
  const bool isName = kind == DimKind::Name;
  const bool isLeaf = isName || kind == DimKind::Constant;
  if (bool(name) != isName || bool(left) == isLeaf || bool(right) == isLeaf)
    return emitError() << "a dimension is a name, a constant, or an operator "
                          "of two dimensions";
  if (isName && name.empty())
    return emitError() << "a dimension needs a name";
  if (value < 0)
    return emitError() << "a dimension has no negative constants, as " << value;
  return success();
}

void DimExprAttr::forEachNode(
    llvm::function_ref<void(DimExprAttr)> visit) const {
  if (getLeft()) {
    getLeft().forEachNode(visit);
    getRight().forEachNode(visit);
  }
  visit(*this);
}

std::string dimToken(StringRef name) {
  const std::optional<DimKind> kind = symbolizeDimKind(name);
  const bool isOperator =
      kind && *kind != DimKind::Name && *kind != DimKind::Constant;
  return (isOperator ? "$" : "") + name.str();
}

SmallVector<std::string> DimExprAttr::reversePolish() const {
  SmallVector<std::string> tokens;
  forEachNode([&](DimExprAttr node) {
    if (node.isName())
      tokens.push_back(dimToken(node.getName()));
    else if (node.isConstant())
      tokens.push_back(std::to_string(node.getValue()));
    else
      tokens.push_back(stringifyDimKind(node.getKind()).str());
  });
  return tokens;
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

namespace {
struct Operator {
  DimKind kind;
  ScalarFunction function;
  StringLiteral spelling; ///< in assembly
  int binding;            ///< 0: written as a call
};
} // namespace

static constexpr Operator operators[] = {
    {DimKind::Add, ScalarFunction::add, "+", 1},
    {DimKind::Subtract, ScalarFunction::subtract, "-", 1},
    {DimKind::Multiply, ScalarFunction::multiply, "*", 2},
    {DimKind::FloorDivide, ScalarFunction::floor_divide, "floordiv", 2},
    {DimKind::Remainder, ScalarFunction::remainder, "mod", 2},
    {DimKind::Minimum, ScalarFunction::minimum, "min", 0},
    {DimKind::Maximum, ScalarFunction::maximum, "max", 0},
};

static const Operator &operatorOf(DimKind kind) {
  return *llvm::find_if(
      operators, [&](const Operator &each) { return each.kind == kind; });
}

ScalarFunction scalarFunctionOf(DimKind kind) {
  return operatorOf(kind).function;
}

std::optional<DimKind> dimOperator(ScalarFunction function) {
  for (const Operator &each : operators)
    if (each.function == function)
      return each.kind;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Assembly
//===----------------------------------------------------------------------===//

/// Writes an expression, in parentheses if it binds less than `binding`.
static void printExpr(AsmPrinter &p, DimExprAttr expr, int binding) {
  if (expr.isName())
    return p.printKeywordOrString(expr.getName());
  if (expr.isConstant()) {
    p << expr.getValue();
    return;
  }
  const Operator &op = operatorOf(expr.getKind());
  if (op.binding == 0) {
    p << op.spelling << '(';
    printExpr(p, expr.getLeft(), 0);
    p << ", ";
    printExpr(p, expr.getRight(), 0);
    p << ')';
    return;
  }
  const bool parenthesised = op.binding < binding;
  p << (parenthesised ? "(" : "");
  printExpr(p, expr.getLeft(), op.binding);
  p << ' ' << op.spelling << ' ';
  printExpr(p, expr.getRight(), op.binding + 1);
  p << (parenthesised ? ")" : "");
}

/// Parses a name, a number, a call of `min` or `max`, or parentheses.
static DimExprAttr parseLeaf(AsmParser &parser) {
  MLIRContext *context = parser.getContext();
  const SMLoc place = parser.getCurrentLocation();
  int64_t value = 0;
  if (OptionalParseResult number = parser.parseOptionalInteger(value);
      number.has_value()) {
    if (failed(*number))
      return {};
    return DimExprAttr::getChecked([&] { return parser.emitError(place); },
                                   context, DimKind::Constant, StringAttr(),
                                   value, DimExprAttr(), DimExprAttr());
  }
  if (succeeded(parser.parseOptionalLParen())) {
    DimExprAttr inner = parseDimExpr(parser);
    return inner && succeeded(parser.parseRParen()) ? inner : DimExprAttr();
  }
  StringRef word;
  if (succeeded(parser.parseOptionalKeyword(&word))) {
    const auto *call = llvm::find_if(operators, [&](const Operator &each) {
      return each.binding == 0 && each.spelling == word;
    });
    if (call == std::end(operators) || failed(parser.parseOptionalLParen()))
      return DimExprAttr::named(context, word);
    DimExprAttr left = parseDimExpr(parser);
    if (!left || parser.parseComma())
      return {};
    DimExprAttr right = parseDimExpr(parser);
    if (!right || parser.parseRParen())
      return {};
    return DimExprAttr::binary(call->kind, left, right);
  }
  std::string name;
  if (succeeded(parser.parseOptionalString(&name)) && !name.empty())
    return DimExprAttr::named(context, name);
  parser.emitError(place, "expected a dimension: a name, a size, or an "
                          "expression of them");
  return {};
}

/// Parses an operator with this binding, if one comes next.
static std::optional<DimKind> parseOperator(AsmParser &parser, int binding) {
  if (binding == 1) {
    if (succeeded(parser.parseOptionalPlus()))
      return DimKind::Add;
    if (succeeded(parser.parseOptionalMinus()))
      return DimKind::Subtract;
    return std::nullopt;
  }
  if (succeeded(parser.parseOptionalStar()))
    return DimKind::Multiply;
  for (DimKind kind : {DimKind::FloorDivide, DimKind::Remainder})
    if (succeeded(parser.parseOptionalKeyword(operatorOf(kind).spelling)))
      return kind;
  return std::nullopt;
}

static DimExprAttr parseBinary(AsmParser &parser, int binding) {
  auto parseOperand = [&] {
    return binding == 2 ? parseLeaf(parser) : parseBinary(parser, binding + 1);
  };
  DimExprAttr expr = parseOperand();
  while (expr) {
    std::optional<DimKind> kind = parseOperator(parser, binding);
    if (!kind)
      return expr;
    DimExprAttr right = parseOperand();
    expr = right ? DimExprAttr::binary(*kind, expr, right) : DimExprAttr();
  }
  return expr;
}

void printDimExpr(AsmPrinter &printer, DimExprAttr expr) {
  printExpr(printer, expr, 0);
}

DimExprAttr parseDimExpr(AsmParser &parser) { return parseBinary(parser, 1); }

void DimExprAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printDimExpr(printer, *this);
  printer << '>';
}

Attribute DimExprAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess())
    return {};
  DimExprAttr expr = parseDimExpr(parser);
  return expr && succeeded(parser.parseGreater()) ? expr : DimExprAttr();
}

} // namespace kern::ir
