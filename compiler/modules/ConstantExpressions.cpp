//===- ConstantExpressions.cpp - the values of constants ------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/constants/TypedConstants.h"
#include "compiler/diagnostics/ForeignNames.h"
#include "compiler/modules/ModuleScope.h"
#include "compiler/modules/Names.h"
#include "compiler/modules/Visit.h"
#include "dialects/Kern/ElementTypes.h"
#include "runtime/error/NearestName.h"

using namespace kern::compiler::syntax;

namespace kern::compiler {

using namespace ir;
using runtime::DType;

namespace {
class Evaluator {
public:
  explicit Evaluator(ModuleScope &scope) : scope(scope) {}

  std::optional<TypedConstant> evaluate(const Expr &expr);

private:
  std::nullopt_t refuse(const Expr &expr);
  std::nullopt_t unknown(Diag id, Span span, const std::string &name,
                         bool isFunction);
  std::optional<TypedConstant> apply(const Expr &expr, ScalarFunction function,
                                     llvm::ArrayRef<const Expr *> operands);
  std::optional<TypedConstant> convert(const Expr &expr, DType type,
                                       const Expr &operand);
  std::optional<TypedConstant> fold(const Expr &expr, ScalarFunction function,
                                    llvm::ArrayRef<const Expr *> operands,
                                    llvm::ArrayRef<TypedConstant> values);
  std::optional<TypedConstant> use(const NamedConstant &constant, Span span);
  std::optional<TypedConstant> evaluateName(const Expr &expr, const Name &name);
  std::optional<TypedConstant> evaluateAttribute(const Expr &expr,
                                                 const Attribute &attribute);
  std::optional<TypedConstant> evaluateCompare(const Expr &expr,
                                               const Compare &compare);
  std::optional<TypedConstant> evaluateLogical(const Logical &logical);
  std::optional<TypedConstant> evaluateCall(const Expr &expr, const Call &call);

  ModuleScope &scope;
};
} // namespace

std::nullopt_t Evaluator::refuse(const Expr &expr) {
  std::string_view text = scope.diagnostics().sourceManager().text(expr.span);
  Diagnostic &diagnostic = scope.diagnostics().report(
      Diag::const_not_constant, expr.span, {std::string(text)});
  if (expr.as<Call>())
    diagnostic.help = "write the call in a body, which computes it only once "
                      "if it does not vary";
  return std::nullopt;
}

std::nullopt_t Evaluator::unknown(Diag id, Span span, const std::string &name,
                                  bool isFunction) {
  if (name == "None") { // an argument of a call
    scope.diagnostics().report(Diag::none_value, span).give(insteadOf(name));
    return std::nullopt;
  }
  std::vector<std::string_view> known = scope.names();
  for (std::string_view library : scope.namesOfLibrary())
    if (!isFunction || scalarFunctionNamed(library))
      known.push_back(library);
  scope.diagnostics()
      .report(id, span, {name})
      .give(Help::didYouMean(runtime::nearestName(name, known)));
  return std::nullopt;
}

std::optional<TypedConstant>
Evaluator::apply(const Expr &expr, ScalarFunction function,
                 llvm::ArrayRef<const Expr *> operands) {
  llvm::SmallVector<TypedConstant> values;
  bool failed = false;
  for (const Expr *operand : operands) {
    std::optional<TypedConstant> value = evaluate(*operand);
    failed |= !value;
    values.push_back(value.value_or(TypedConstant{{false}}));
  }
  if (failed)
    return std::nullopt;
  return fold(expr, function, operands, values);
}

std::optional<TypedConstant>
Evaluator::fold(const Expr &expr, ScalarFunction function,
                llvm::ArrayRef<const Expr *> operands,
                llvm::ArrayRef<TypedConstant> values) {
  TypedFolded folded = foldTyped(function, values);
  if (folded.result)
    return folded.result;
  if (reportFold(folded.outcome, expr.span, scope.diagnostics()))
    return std::nullopt;
  if (folded.misfit) {
    checkConstantType(values[*folded.misfit].value, folded.needed,
                      operands[*folded.misfit]->span, scope.diagnostics());
    return std::nullopt;
  }
  using enum ScalarFunction;
  const bool divides = llvm::is_contained(
      {true_divide, floor_divide, remainder, fmod}, function);
  if (divides && values.size() == 2 && !truth(values[1].value)) {
    scope.diagnostics().report(Diag::const_division_by_zero, expr.span);
    return std::nullopt;
  }
  if (function == power && values[0].value.isInt() && values[1].value.isInt() &&
      values[1].value.asInt()->isNegative()) {
    scope.diagnostics().report(Diag::negative_power, expr.span).help =
        "make the base a float: `2.0 ** -1`";
    return std::nullopt;
  }
  return refuse(expr);
}

std::optional<TypedConstant> Evaluator::convert(const Expr &expr, DType type,
                                                const Expr &operand) {
  std::optional<TypedConstant> value = evaluate(operand);
  if (!value)
    return std::nullopt;
  // Typed integers wrap, but a literal that does not fit is a mistake.
  if (value->value.isInt() && !value->type && type != DType::Bool &&
      !checkConstantType(value->value, type, operand.span, scope.diagnostics()))
    return std::nullopt;
  std::optional<TypedConstant> converted = ofType(value->value, type);
  if (!converted)
    scope.diagnostics()
        .report(Diag::complex_to_real, expr.span,
                {"number", std::string(name(type))})
        .help = "take `real(z)`, `imag(z)` or `abs(z)`";
  return converted;
}

std::optional<TypedConstant> Evaluator::use(const NamedConstant &constant,
                                            Span span) {
  if (!constant.isTuple && constant.shape.empty())
    return TypedConstant{constant.value, constant.type};
  scope.diagnostics().report(Diag::tuple_as_value, span).help =
      "take its elements in a body: `A[0]`, or `for a in A`";
  return std::nullopt;
}

std::optional<TypedConstant> Evaluator::evaluateName(const Expr &expr,
                                                     const Name &name) {
  if (const NamedConstant *constant = scope.constant(name.name))
    return use(*constant, expr.span);
  if (scope.isFailed(name.name))
    return std::nullopt;
  llvm::StringRef library = scope.libraryName(name.name);
  if (std::optional<Constant> constant = libraryConstant(library))
    return TypedConstant{*constant};
  if (scope.function(name.name) || scope.isLibraryFunction(library) ||
      typeName(library, true))
    return refuse(expr);
  return unknown(Diag::unknown_name, expr.span, name.name, false);
}

std::optional<TypedConstant>
Evaluator::evaluateAttribute(const Expr &expr, const Attribute &attribute) {
  if (const auto *prefix = attribute.value->as<Name>()) {
    const std::string &name = attribute.name.name;
    if (ModuleScope *module = scope.module(prefix->name)) {
      if (const NamedConstant *constant = module->constant(name))
        return use(*constant, expr.span);
      if (module->isFailed(name))
        return std::nullopt;
    } else if (scope.isLibrary(prefix->name)) {
      if (std::optional<Constant> constant = libraryConstant(name))
        return TypedConstant{*constant};
    }
  }
  return refuse(expr);
}

std::optional<TypedConstant>
Evaluator::evaluateCompare(const Expr &expr, const Compare &compare) {
  if (hasMembership(compare)) {
    scope.diagnostics()
        .report(Diag::membership_operator, expr.span, {"in"})
        .help = insteadOfIn;
    return std::nullopt;
  }
  const Expr *left = compare.first.get();
  std::optional<TypedConstant> holds;
  for (const auto &[op, right] : compare.rest) {
    holds = apply(expr, functionOf(op), {left, right.get()});
    if (!holds || !truth(holds->value))
      return holds;
    left = right.get();
  }
  return holds;
}

std::optional<TypedConstant>
Evaluator::evaluateLogical(const Logical &logical) {
  bool isAnd = logical.op == BoolOp::And;
  for (const ExprPtr &operand : logical.operands) {
    std::optional<TypedConstant> value = evaluate(*operand);
    if (!value)
      return std::nullopt;
    if (truth(value->value) != isAnd)
      return TypedConstant{{!isAnd}};
  }
  return TypedConstant{{isAnd}};
}

std::optional<TypedConstant> Evaluator::evaluateCall(const Expr &expr,
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
  if (hasNumPyOptions(call, scope)) {
    reportNumPyOptions(call, expr.span, scope.diagnostics());
    return std::nullopt;
  }
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
    std::optional<TypedConstant> best = evaluate(*operands[0]);
    for (const Expr *operand : llvm::ArrayRef(operands).drop_front()) {
      std::optional<TypedConstant> value = evaluate(*operand);
      if (!best || !value)
        return std::nullopt;
      best = fold(expr,
                  called == "max" ? ScalarFunction::maximum
                                  : ScalarFunction::minimum,
                  {operands[0], operand}, {*best, *value});
    }
    return best;
  }
  const bool makesComplex = called == "complex" && operands.size() == 2;
  if (std::optional<DType> type = typeName(called, true);
      type && operands.size() == 1 && !makesComplex)
    return convert(expr, *type, *operands[0]);
  const ScalarFunctionInfo *row = scalarFunctionNamed(called);
  if (row && !operands.empty())
    return apply(expr, row->function, operands);
  if (scope.isLibraryFunction(called) || typeName(called, true))
    return refuse(expr);
  return unknown(Diag::unknown_function, call.function->span, called, true);
}

std::optional<TypedConstant> Evaluator::evaluate(const Expr &expr) {
  if (const auto *literal = expr.as<IntegerLiteral>())
    return TypedConstant{{Integer::ofWords(literal->words)}};
  if (const auto *literal = expr.as<FloatLiteral>())
    return TypedConstant{{literal->value}};
  if (const auto *literal = expr.as<ImaginaryLiteral>())
    return TypedConstant{{std::complex<double>(0, literal->value)}};
  if (const auto *literal = expr.as<BoolLiteral>())
    return TypedConstant{{literal->value}};
  if (expr.as<ErrorExpr>())
    return std::nullopt;
  if (const auto *name = expr.as<Name>())
    return evaluateName(expr, *name);
  if (const auto *attribute = expr.as<Attribute>())
    return evaluateAttribute(expr, *attribute);
  if (const auto *unary = expr.as<Unary>())
    return apply(expr, functionOf(unary->op), {unary->operand.get()});
  if (const auto *binary = expr.as<Binary>();
      binary && binary->op != syntax::BinaryOp::MatMul)
    return apply(expr, functionOf(binary->op),
                 {binary->left.get(), binary->right.get()});
  if (const auto *conditional = expr.as<Conditional>()) {
    std::optional<TypedConstant> condition = evaluate(*conditional->condition);
    if (!condition)
      return std::nullopt;
    return evaluate(truth(condition->value) ? *conditional->value
                                            : *conditional->otherwise);
  }
  if (const auto *compare = expr.as<Compare>())
    return evaluateCompare(expr, *compare);
  if (const auto *logical = expr.as<Logical>())
    return evaluateLogical(*logical);
  if (const auto *call = expr.as<Call>())
    return evaluateCall(expr, *call);
  if (expr.as<syntax::Tuple>() || expr.as<syntax::List>()) {
    scope.diagnostics().report(Diag::tuple_as_value, expr.span).help =
        "give it a name of its own, by a `const`";
    return std::nullopt;
  }
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
  std::optional<TypedConstant> value = Evaluator(scope).evaluate(expr);
  if (!value)
    return std::nullopt;
  return NamedConstant{value->value, value->type};
}

/// The name of a parameter or dimension in an expression, which means nothing
/// else there; null without one.
static const Expr *parameterIn(const Expr &expr,
                               const syntax::Function &function,
                               ModuleScope &scope) {
  const auto *name = expr.as<Name>();
  auto isNamed = [&](const syntax::Parameter &parameter) {
    return parameter.name.name == name->name ||
           (parameter.type &&
            llvm::any_of(parameter.type->dims, [&](const auto &dim) {
              const auto *own =
                  dim.expr ? dim.expr->template as<Name>() : nullptr;
              return own && own->name == name->name;
            }));
  };
  if (name)
    return !scope.constant(name->name) &&
                   llvm::any_of(function.parameters, isNamed)
               ? &expr
               : nullptr;
  const Expr *found = nullptr;
  visitParts(expr, [&](const Expr &part) {
    if (!found)
      found = parameterIn(part, function, scope);
  });
  return found;
}

std::optional<NamedConstant> evaluateDefault(const syntax::Function &function,
                                             const syntax::Parameter &parameter,
                                             ModuleScope &scope) {
  const Expr &value = *parameter.defaultValue;
  const Expr *other = parameterIn(value, function, scope);
  if (!other)
    return evaluateConstant(value, scope);
  const std::string &name = other->as<Name>()->name;
  scope.diagnostics()
      .report(Diag::default_value, other->span,
              {parameter.name.name, "it is a constant, and `" + name +
                                        "` differs from call to call"})
      .help = "leave the default out, and write a second function that calls "
              "this one with what it computes from `" +
              name + "`";
  return std::nullopt;
}

} // namespace kern::compiler
