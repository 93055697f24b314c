//===- Expressions.cpp - expressions --------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/Expressions.h"

#include "compiler/lowering/Arrays.h"
#include "compiler/lowering/Calls.h"
#include "compiler/lowering/ComputedArrays.h"
#include "compiler/lowering/Ranks.h"
#include "compiler/modules/Names.h"
#include "dialects/Kern/ElementTypes.h"
#include "dialects/Kern/ScalarFunctions.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;

namespace kern::compiler {

/// The source text, if it is short enough for a message; else empty.
static std::string shortText(DiagnosticEngine &diagnostics, Span place) {
  constexpr size_t longest = 30;
  StringRef text = diagnostics.sourceManager().text(place);
  return text.size() > longest || text.contains('\n') ? "" : text.str();
}

static void reportArray(FunctionLowering &fn, const ArrayView &view,
                        Span place) {
  std::string text = shortText(fn.diagnostics, place);
  std::string name = !view.name.empty() ? view.name
                     : text.empty()     ? "the local array"
                                        : text;
  // Inside arithmetic, reduce the whole expression element by element.
  std::string reduced = text.empty() ? name : text;
  Diagnostic &diagnostic = fn.error(Diag::array_as_value, place, {name});
  if (view.name.empty())
    diagnostic.help = "assign it to a name, and return what its elements give";
  else if (fn.messages.inReduction)
    diagnostic.help = "an expression is reduced by a generator: `sum(" + name +
                      "[i] ** 2 for i in range(len(" + name + ")))`";
  else
    diagnostic.help = "index it, or reduce it: `sum(" + reduced + ")`";
}

Diagnostic &reportConflict(FunctionLowering &fn, const std::string &what,
                           const Poisoned &conflict, Span span) {
  Diagnostic &diagnostic =
      fn.error(Diag::join_mismatch, span, {what, conflict.one, conflict.other});
  if (conflict.isOfArrays)
    diagnostic.help =
        "a condition chooses between arrays of one shape, whose extents each "
        "call decides; else choose between elements: `a[i] if c else b[i]`";
  const bool isFirst = conflict.one == "an array";
  if ((isFirst ? conflict.other : conflict.one) == "a number" &&
      (isFirst || conflict.other == "an array"))
    diagnostic.help = "make it an array on both: `full_like(x, 3)` has the "
                      "number in all elements";
  return diagnostic;
}

std::optional<Number> FunctionLowering::scalarOf(const Binding &binding,
                                                 Span place) {
  if (const auto *scalar = binding.as<Number>())
    return *scalar;
  if (const auto *view = binding.as<ArrayView>())
    reportArray(*this, *view, place);
  else if (binding.as<Tuple>())
    error(Diag::tuple_as_value, place).help =
        "take its parts: `a, b = …`; arithmetic is on numbers and arrays, as "
        "`[1.0, 2.0]` is one";
  else if (const auto *function = binding.as<FunctionName>())
    error(Diag::function_as_value, place, {function->name.str()}).help =
        "call it: `" + function->name.str() + "(…)`";
  else if (binding.as<NoValue>())
    error(Diag::nothing_as_value, place);
  return std::nullopt;
}

std::optional<Number> FunctionLowering::lowerScalar(const syntax::Expr &expr) {
  std::optional<Binding> binding = lowerExpr(expr);
  if (!binding)
    return std::nullopt;
  return scalarOf(*binding, expr.span);
}

Value FunctionLowering::lowerValue(const syntax::Expr &expr) {
  std::optional<Number> scalar = lowerScalar(expr);
  return scalar ? materialize(*scalar, expr.span) : Value();
}

/// The parser bounds the depth of one body; inlining adds depths up.
static constexpr size_t maxDepth = 2500;
/// A tuple that holds another one twice doubles with each line.
static constexpr size_t maxParts = 1000;

/// `dot(a, b)`, `sum(a, axis=0)`: a number, or a local array with the elements.
static std::optional<Binding> lowerComputed(FunctionLowering &fn,
                                            const syntax::Expr &expr) {
  if (Ranks(fn).of(expr) > 0) {
    std::optional<ArrayView> kept = keepExpression(fn, expr, "");
    return kept ? std::optional<Binding>(*kept) : std::nullopt;
  }
  auto computed = ComputedArray::of(fn, expr);
  std::optional<Number> number = computed ? computed->at(fn, {}) : std::nullopt;
  return number ? std::optional<Binding>(*number) : std::nullopt;
}

static std::optional<Binding> lowerNode(FunctionLowering &fn,
                                        const syntax::Expr &expr) {
  using namespace syntax;
  llvm::SaveAndRestore deeper(fn.budget.depth, fn.budget.depth + 1);
  if (fn.budget.depth > maxDepth || fn.budget.stack.isScarce()) {
    fn.error(Diag::too_deep, expr.span, {std::to_string(fn.budget.depth - 1)})
        .help = "let fewer `def`s call one another";
    return std::nullopt;
  }
  if (!fn.countWork(1, expr.span))
    return std::nullopt;
  if (const auto *node = expr.as<IntegerLiteral>())
    return Binding(Constant{Integer::ofWords(node->words)});
  if (const auto *node = expr.as<FloatLiteral>())
    return Binding(Constant{node->value});
  if (const auto *node = expr.as<ImaginaryLiteral>())
    return Binding(Constant{std::complex<double>(0, node->value)});
  if (const auto *node = expr.as<BoolLiteral>())
    return Binding(Constant{node->value});
  if (const auto *node = expr.as<Name>())
    return lowerName(fn, *node, expr.span);
  if (const auto *node = expr.as<Unary>()) {
    std::optional<Number> operand = fn.lowerScalar(*node->operand);
    if (!operand)
      return std::nullopt;
    return Binding(fn.apply(functionOf(node->op), {*operand}, expr.span));
  }
  if (Ranks(fn).computing(expr))
    return lowerComputed(fn, expr);
  if (const auto *node = expr.as<Binary>()) {
    std::optional<Number> left = fn.lowerScalar(*node->left);
    std::optional<Number> right = fn.lowerScalar(*node->right);
    if (!left || !right)
      return std::nullopt;
    return Binding(fn.apply(functionOf(node->op), {*left, *right}, expr.span));
  }
  if (const auto *node = expr.as<syntax::Compare>())
    return lowerCompare(fn, *node, expr.span);
  if (const auto *node = expr.as<Logical>())
    return lowerLogical(fn, node->operands, node->op == BoolOp::And, expr.span);
  if (const auto *node = expr.as<Conditional>()) {
    if (!ArrayExpression::isOne(fn, expr))
      return lowerConditional(fn, *node, expr.span);
    std::optional<ArrayView> kept = keepExpression(fn, expr, "");
    return kept ? std::optional<Binding>(*kept) : std::nullopt;
  }
  if (const auto *node = expr.as<Call>())
    return lowerCall(fn, *node, expr.span);
  if (const auto *node = expr.as<Attribute>())
    return lowerAttribute(fn, *node, expr.span);
  if (const auto *node = expr.as<Subscript>())
    return lowerSubscript(fn, *node, expr.span);
  if (const auto *node = expr.as<syntax::Tuple>()) {
    std::vector<Binding> elements;
    size_t parts = 1;
    for (const ExprPtr &element : node->elements) {
      std::optional<Binding> value = lowerWhole(fn, *element);
      if (!value)
        return std::nullopt;
      parts += partsIn(*value);
      elements.push_back(*value);
    }
    if (parts > maxParts) {
      fn.error(Diag::tuple_too_large, expr.span, {std::to_string(maxParts)});
      return std::nullopt;
    }
    return Binding(compiler::Tuple(std::move(elements)));
  }
  if (const auto *node = expr.as<syntax::List>())
    return lowerList(fn, *node, expr.span);
  if (expr.as<Generator>())
    fn.error(Diag::misplaced_generator, expr.span);
  fn.failed = true; // an ErrorExpr's error is reported already
  return std::nullopt;
}

std::optional<Binding> FunctionLowering::lowerExpr(const syntax::Expr &expr) {
  std::optional<Binding> binding = lowerNode(*this, expr);
  if (auto *scalar = binding ? binding->as<Number>() : nullptr)
    if (scalar->constant && (!scalar->written || !expr.as<syntax::Name>()))
      scalar->written = loc(expr.span);
  return binding;
}

} // namespace kern::compiler
