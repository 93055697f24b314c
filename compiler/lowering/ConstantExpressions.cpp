//===- ConstantExpressions.cpp - the values of constants ------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/ConstantConversion.h"
#include "compiler/lowering/ModuleScope.h"
#include "compiler/lowering/Names.h"
#include "dialects/Kern/ElementTypes.h"

using namespace kern::syntax;

namespace kern {

namespace {
class Evaluator {
public:
  explicit Evaluator(ModuleScope &scope) : scope(scope) {}

  std::optional<Constant> evaluate(const Expr &expr);
  /// The types of the typed constants that were used.
  DTypeSet types;

private:
  std::nullopt_t refuse(const Expr &expr);
  std::nullopt_t unknown(Diag id, Span span, const std::string &name,
                         bool isFunction);
  std::optional<Constant> apply(const Expr &expr, llvm::StringRef function,
                                llvm::ArrayRef<const Expr *> operands);
  std::optional<Constant> convert(const Expr &expr, DType type,
                                  const Expr &operand);
  std::optional<Constant> fold(const Expr &expr, llvm::StringRef function,
                               llvm::ArrayRef<Constant> operands);
  std::optional<Constant> use(ModuleScope &from, const std::string &name);
  std::optional<Constant> evaluateName(const Expr &expr, const Name &name);
  std::optional<Constant> evaluateAttribute(const Expr &expr,
                                            const Attribute &attribute);
  std::optional<Constant> evaluateCompare(const Expr &expr,
                                          const Compare &compare);
  std::optional<Constant> evaluateLogical(const Logical &logical);
  std::optional<Constant> evaluateCall(const Expr &expr, const Call &call);

  ModuleScope &scope;
};
} // namespace

std::nullopt_t Evaluator::refuse(const Expr &expr) {
  std::string_view text = scope.diagnostics().sourceManager().text(expr.span);
  Diagnostic &diagnostic = scope.diagnostics().report(
      Diag::const_not_constant, expr.span, {std::string(text)});
  if (expr.as<Call>())
    diagnostic.help = "write it where it is used: bodies compute everything, "
                      "and what does not vary once";
  return std::nullopt;
}

std::nullopt_t Evaluator::unknown(Diag id, Span span, const std::string &name,
                                  bool isFunction) {
  std::vector<std::string_view> known = scope.names();
  for (std::string_view library : scope.namesOfLibrary())
    if (!isFunction || !scalarFunctionName(library).empty())
      known.push_back(library);
  Diagnostic &diagnostic = scope.diagnostics().report(id, span, {name});
  if (std::string_view near = nearest(name, known); !near.empty())
    diagnostic.help = "did you mean `" + std::string(near) + "`?";
  return std::nullopt;
}

std::optional<Constant>
Evaluator::apply(const Expr &expr, llvm::StringRef function,
                 llvm::ArrayRef<const Expr *> operands) {
  llvm::SmallVector<Constant> values;
  bool failed = false;
  for (const Expr *operand : operands) {
    std::optional<Constant> value = evaluate(*operand);
    failed |= !value;
    values.push_back(value.value_or(Constant{false}));
  }
  if (failed)
    return std::nullopt;
  return fold(expr, function, values);
}

std::optional<Constant> Evaluator::fold(const Expr &expr,
                                        llvm::StringRef function,
                                        llvm::ArrayRef<Constant> values) {
  Folded folded = kern::fold(function, values, FoldedIn::Consts);
  if (folded.value)
    return folded.value;
  if (reportFold(folded.outcome, expr.span, scope.diagnostics()))
    return std::nullopt;
  const bool divides = llvm::is_contained(
      {"true_divide", "floor_divide", "remainder", "fmod"}, function);
  if (divides && values.size() == 2 && !truth(values[1])) {
    scope.diagnostics().report(Diag::const_division_by_zero, expr.span);
    return std::nullopt;
  }
  if (function == "power" && values[0].isInt() && values[1].isInt() &&
      values[1].asInt()->isNegative()) {
    scope.diagnostics().report(Diag::negative_power, expr.span).help =
        "make the base a float: `2.0 ** -1`";
    return std::nullopt;
  }
  return refuse(expr);
}

std::optional<Constant> Evaluator::convert(const Expr &expr, DType type,
                                           const Expr &operand) {
  // Its type is this one, whatever the operand's is.
  const DTypeSet outer = std::exchange(types, {});
  std::optional<Constant> value = evaluate(operand);
  types = outer | DTypeSet::of(type);
  if (!value)
    return std::nullopt;
  std::optional<Constant> converted = convertConstant(*value, type);
  if (!converted)
    scope.diagnostics()
        .report(Diag::complex_to_real, expr.span,
                {"number", std::string(name(type))})
        .help = "take `real(z)`, `imag(z)` or `abs(z)`";
  return converted;
}

std::optional<Constant> Evaluator::use(ModuleScope &from,
                                       const std::string &name) {
  const NamedConstant *constant = from.constant(name);
  if (!constant)
    return std::nullopt;
  if (constant->type)
    types = types | DTypeSet::of(*constant->type);
  return constant->value;
}

std::optional<Constant> Evaluator::evaluateName(const Expr &expr,
                                                const Name &name) {
  if (std::optional<Constant> constant = use(scope, name.name))
    return constant;
  if (scope.isFailed(name.name))
    return std::nullopt;
  llvm::StringRef library = scope.libraryName(name.name);
  if (std::optional<Constant> constant = libraryConstant(library))
    return constant;
  if (scope.function(name.name) || scope.isLibraryFunction(library) ||
      typeName(library, true))
    return refuse(expr);
  return unknown(Diag::unknown_name, expr.span, name.name, false);
}

std::optional<Constant>
Evaluator::evaluateAttribute(const Expr &expr, const Attribute &attribute) {
  if (const auto *prefix = attribute.value->as<Name>()) {
    const std::string &name = attribute.name.name;
    if (ModuleScope *module = scope.module(prefix->name)) {
      if (std::optional<Constant> constant = use(*module, name))
        return constant;
      if (module->isFailed(name))
        return std::nullopt;
    } else if (scope.isLibrary(prefix->name)) {
      if (std::optional<Constant> constant = libraryConstant(name))
        return constant;
    }
  }
  return refuse(expr);
}

std::optional<Constant> Evaluator::evaluateCompare(const Expr &expr,
                                                   const Compare &compare) {
  const Expr *left = compare.first.get();
  std::optional<Constant> holds;
  for (const auto &[op, right] : compare.rest) {
    holds = apply(expr, functionOf(op), {left, right.get()});
    if (!holds || !truth(*holds))
      return holds;
    left = right.get();
  }
  return holds;
}

std::optional<Constant> Evaluator::evaluateLogical(const Logical &logical) {
  bool isAnd = logical.op == BoolOp::And;
  for (const ExprPtr &operand : logical.operands) {
    std::optional<Constant> value = evaluate(*operand);
    if (!value)
      return std::nullopt;
    if (truth(*value) != isAnd)
      return Constant{!isAnd};
  }
  return Constant{isAnd};
}

std::optional<Constant> Evaluator::evaluateCall(const Expr &expr,
                                                const Call &call) {
  const auto *name = call.function->as<Name>();
  std::string called = name ? name->name : "";
  bool isQualified = false;
  if (const auto *attribute = call.function->as<Attribute>())
    if (const auto *prefix = attribute->value->as<Name>();
        prefix && scope.isLibrary(prefix->name)) {
      called = attribute->name.name;
      isQualified = true;
    }
  if (called.empty() || !call.keywords.empty())
    return refuse(expr);
  if (!isQualified) {
    if (scope.isFailed(called))
      return std::nullopt;
    if (scope.function(called))
      return refuse(expr);
    called = scope.libraryName(called);
  }
  llvm::SmallVector<const Expr *> operands;
  for (const ExprPtr &argument : call.arguments)
    operands.push_back(argument.get());
  bool isExtremum = called == "max" || called == "min";
  if (isExtremum && operands.size() > 1) {
    std::optional<Constant> best = evaluate(*operands[0]);
    for (const Expr *operand : llvm::ArrayRef(operands).drop_front()) {
      std::optional<Constant> value = evaluate(*operand);
      if (!best || !value)
        return std::nullopt;
      best =
          fold(expr, called == "max" ? "maximum" : "minimum", {*best, *value});
    }
    return best;
  }
  const bool makesComplex = called == "complex" && operands.size() == 2;
  if (std::optional<DType> type = typeName(called, true);
      type && operands.size() == 1 && !makesComplex)
    return convert(expr, *type, *operands[0]);
  llvm::StringRef function = scalarFunctionName(called);
  if (!function.empty() && !operands.empty())
    return apply(expr, function, operands);
  if (scope.isLibraryFunction(called) || typeName(called, true))
    return refuse(expr);
  return unknown(Diag::unknown_function, call.function->span, called, true);
}

std::optional<Constant> Evaluator::evaluate(const Expr &expr) {
  if (const auto *literal = expr.as<IntegerLiteral>()) {
    if (literal->value >> 127)
      return refuse(expr);
    return Constant{Integer(__int128(literal->value))};
  }
  if (const auto *literal = expr.as<FloatLiteral>())
    return Constant{literal->value};
  if (const auto *literal = expr.as<ImaginaryLiteral>())
    return Constant{std::complex<double>(0, literal->value)};
  if (const auto *literal = expr.as<BoolLiteral>())
    return Constant{literal->value};
  if (expr.as<ErrorExpr>())
    return std::nullopt;
  if (const auto *name = expr.as<Name>())
    return evaluateName(expr, *name);
  if (const auto *attribute = expr.as<Attribute>())
    return evaluateAttribute(expr, *attribute);
  if (const auto *unary = expr.as<Unary>())
    return apply(expr, functionOf(unary->op), {unary->operand.get()});
  if (const auto *binary = expr.as<Binary>())
    return apply(expr, functionOf(binary->op),
                 {binary->left.get(), binary->right.get()});
  if (const auto *conditional = expr.as<Conditional>()) {
    std::optional<Constant> condition = evaluate(*conditional->condition);
    if (!condition)
      return std::nullopt;
    return evaluate(truth(*condition) ? *conditional->value
                                      : *conditional->otherwise);
  }
  if (const auto *compare = expr.as<Compare>())
    return evaluateCompare(expr, *compare);
  if (const auto *logical = expr.as<Logical>())
    return evaluateLogical(*logical);
  if (const auto *call = expr.as<Call>())
    return evaluateCall(expr, *call);
  return refuse(expr);
}

bool checkConstantType(const Constant &constant, DType type, Span span,
                       DiagnosticEngine &diagnostics) {
  if (const Integer *integer = constant.asInt();
      integer && type != DType::Bool) {
    bool holds = isInteger(type) ? holdsInteger(type, integer->bits())
                                 : integer->toDouble().has_value();
    if (!holds)
      diagnostics.report(Diag::integer_out_of_range, span,
                         {integer->text(), std::string(name(type))});
    return holds;
  }
  std::string what;
  if (constant.isComplex() && !isComplex(type))
    what = "a complex number";
  else if (constant.isFloat() && !isFloat(type) && !isComplex(type))
    what = "a float";
  else if (constant.isInt()) // and the type is bool
    what = "an int";
  if (!what.empty())
    diagnostics.report(Diag::annotation_cast, span,
                       {what, std::string(name(type))});
  return what.empty();
}

bool reportFold(Folded::Outcome outcome, Span span,
                DiagnosticEngine &diagnostics) {
  if (outcome == Folded::TooWide)
    diagnostics.report(Diag::const_too_wide, span,
                       {std::to_string(Integer::maxBits)});
  else if (outcome == Folded::NoFloat)
    diagnostics.report(Diag::integer_out_of_range, span,
                       {"so large a number", "f64"});
  return outcome == Folded::TooWide || outcome == Folded::NoFloat;
}

std::optional<NamedConstant> evaluateConstant(const Expr &expr,
                                              ModuleScope &scope) {
  Evaluator evaluator(scope);
  std::optional<Constant> value = evaluator.evaluate(expr);
  if (!value)
    return std::nullopt;
  NamedConstant constant{*value, std::nullopt};
  if (!evaluator.types.empty() && !value->isBool())
    constant.type = resultType(evaluator.types);
  return constant;
}

} // namespace kern
