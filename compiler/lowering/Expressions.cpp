//===- Expressions.cpp - expressions --------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/FunctionLowering.h"
#include "compiler/lowering/Names.h"
#include "dialects/Kern/ElementTypes.h"
#include "dialects/Kern/ScalarFunctions.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;

namespace kern {

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

Value FunctionLowering::materialize(const Number &scalar, Span span) {
  if (!scalar.constant)
    return scalar.value;
  Attribute attribute;
  if (const bool *flag = std::get_if<bool>(&scalar.constant->value)) {
    attribute = builder.getBoolAttr(*flag);
  } else if (const Integer *integer = scalar.constant->asInt()) {
    const APInt &bits = integer->bits();
    attribute =
        IntegerAttr::get(builder.getIntegerType(bits.getBitWidth()), bits);
  } else if (const double *number =
                 std::get_if<double>(&scalar.constant->value)) {
    attribute = builder.getF64FloatAttr(*number);
  } else {
    auto value = std::get<std::complex<double>>(scalar.constant->value);
    attribute = builder.getArrayAttr({builder.getF64FloatAttr(value.real()),
                                      builder.getF64FloatAttr(value.imag())});
  }
  // What meets other values without being named says where it comes from.
  Location place = scalar.written ? Location(scalar.written) : loc(span);
  return ConstantOp::create(builder, place, OpenType::get(builder.getContext()),
                            attribute);
}

Value FunctionLowering::constantInt(int64_t value, Span span) {
  return materialize({nullptr, Constant{Integer(value)}}, span);
}

Value FunctionLowering::applyValues(StringRef function,
                                    ArrayRef<Value> operands, Span span) {
  if (++operations == maxOperations)
    error(Diag::specialization_too_large, span,
          {this->function.name.name, std::to_string(maxOperations)});
  SmallVector<Type> types(findScalarFunction(function)->outputs,
                          OpenType::get(builder.getContext()));
  return ApplyOp::create(builder, loc(span), types,
                         builder.getStringAttr(function), operands)
      .getResult(0);
}

Number FunctionLowering::apply(StringRef function, ArrayRef<Number> operands,
                               Span span) {
  SmallVector<Constant> constants;
  for (const Number &operand : operands)
    if (operand.constant)
      constants.push_back(*operand.constant);
  if (constants.size() == operands.size()) {
    Folded folded = fold(function, constants);
    if (folded.value)
      return {nullptr, folded.value};
    if (reportFold(folded.outcome, span, diagnostics)) {
      failed = true;
      return {nullptr, Constant{Integer(0)}};
    }
  }
  SmallVector<Value> values;
  for (const Number &operand : operands)
    values.push_back(materialize(operand, span));
  return {applyValues(function, values, span), std::nullopt};
}

Number FunctionLowering::convert(const Number &scalar, TypeName target,
                                 CastMode mode, Span span) {
  Type open = OpenType::get(builder.getContext());
  Value value = materialize(scalar, span);
  auto attribute = CastModeAttr::get(builder.getContext(), mode);
  if (target.like)
    return {CastLikeOp::create(builder, loc(span), open, value, target.like,
                               attribute),
            std::nullopt};
  return {CastOp::create(builder, loc(span), open, value, target.attribute,
                         attribute),
          std::nullopt};
}

Value FunctionLowering::truthOf(const Number &scalar, Span span) {
  // A constant decides at compile time.
  Value number =
      scalar.constant
          ? materialize({nullptr, Constant{truth(*scalar.constant)}}, span)
          : scalar.value;
  return TruthOp::create(builder, loc(span), builder.getI1Type(), number);
}

Value FunctionLowering::opened(Value i1, Span span) {
  return CastOp::create(
      builder, loc(span), OpenType::get(builder.getContext()), i1,
      TypeAttr::get(builder.getI1Type()),
      CastModeAttr::get(builder.getContext(), CastMode::Explicit));
}

Value FunctionLowering::indexValue(Value value, Span span) {
  return IndexOp::create(builder, loc(span),
                         OpenType::get(builder.getContext()), value);
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

/// What is written there, if it fits into a message.
static std::string shortText(DiagnosticEngine &diagnostics, Span place) {
  constexpr size_t longest = 30;
  StringRef text = diagnostics.sourceManager().text(place);
  return text.size() > longest || text.contains('\n') ? "" : text.str();
}

void FunctionLowering::reportArray(const ArrayView &view, Span place) {
  std::string text = shortText(diagnostics, place);
  std::string name = !view.name.empty() ? view.name
                     : text.empty()     ? "the local array"
                                        : text;
  // Inside arithmetic the reduction is of all of it, element by element.
  std::string reduced = text.empty() ? name : text;
  Diagnostic &diagnostic = error(Diag::array_as_value, place, {name});
  if (view.name.empty())
    diagnostic.help = "assign it to a name, and return what its elements give";
  else if (reducing)
    diagnostic.help = "an expression is reduced by a generator: `sum(" + name +
                      "[i] ** 2 for i in range(len(" + name + ")))`";
  else
    diagnostic.help = "index it, or reduce it: `sum(" + reduced + ")`";
}

Diagnostic &FunctionLowering::reportConflict(const std::string &what,
                                             const Unusable &conflict,
                                             Span span) {
  Diagnostic &diagnostic =
      error(Diag::join_mismatch, span, {what, conflict.one, conflict.other});
  if (conflict.other == "another array")
    diagnostic.help =
        "which array a name means is fixed when the function is "
        "compiled: choose between elements, `a[i] if c else b[i]`";
  return diagnostic;
}

std::optional<Number> FunctionLowering::scalarOf(const Binding &binding,
                                                 Span place) {
  if (const auto *scalar = binding.as<Number>())
    return *scalar;
  if (const auto *view = binding.as<ArrayView>())
    reportArray(*view, place);
  else if (binding.as<Tuple>())
    error(Diag::tuple_as_value, place);
  else if (binding.as<Nothing>())
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

Value FunctionLowering::lowerCondition(const syntax::Expr &expr) {
  if (const auto *compare = expr.as<syntax::Compare>())
    if (std::optional<Value> decided = lowerTypeComparison(*compare, expr.span))
      return *decided;
  std::optional<Number> scalar = lowerScalar(expr);
  return scalar ? truthOf(*scalar, expr.span) : Value();
}

std::optional<Binding> FunctionLowering::lowerExpr(const syntax::Expr &expr) {
  std::optional<Binding> binding = lowerNode(expr);
  if (auto *scalar = binding ? binding->as<Number>() : nullptr)
    if (scalar->constant && (!scalar->written || !expr.as<syntax::Name>()))
      scalar->written = loc(expr.span);
  return binding;
}

std::optional<Binding> FunctionLowering::lowerNode(const syntax::Expr &expr) {
  using namespace syntax;
  // The parser bounds the depth of a body; those of inlined `def`s add up.
  llvm::SaveAndRestore deeper(depth, depth + 1);
  if (depth > maxDepth) {
    error(Diag::too_deep, expr.span, {std::to_string(maxDepth)}).help =
        "let fewer `def`s call one another";
    return std::nullopt;
  }
  if (const auto *node = expr.as<IntegerLiteral>()) {
    if (node->value >> 127) {
      error(Diag::integer_literal_too_wide, expr.span);
      return std::nullopt;
    }
    return Binding(Constant{Integer(__int128(node->value))});
  }
  if (const auto *node = expr.as<FloatLiteral>())
    return Binding(Constant{node->value});
  if (const auto *node = expr.as<ImaginaryLiteral>())
    return Binding(Constant{std::complex<double>(0, node->value)});
  if (const auto *node = expr.as<BoolLiteral>())
    return Binding(Constant{node->value});
  if (const auto *node = expr.as<Name>())
    return lowerName(*node, expr.span);
  if (const auto *node = expr.as<Unary>()) {
    std::optional<Number> operand = lowerScalar(*node->operand);
    if (!operand)
      return std::nullopt;
    return Binding(apply(functionOf(node->op), {*operand}, expr.span));
  }
  if (const auto *node = expr.as<Binary>()) {
    std::optional<Number> left = lowerScalar(*node->left);
    std::optional<Number> right = lowerScalar(*node->right);
    if (!left || !right)
      return std::nullopt;
    return Binding(apply(functionOf(node->op), {*left, *right}, expr.span));
  }
  if (const auto *node = expr.as<syntax::Compare>())
    return lowerCompare(*node, expr.span);
  if (const auto *node = expr.as<Logical>())
    return lowerLogical(node->operands, node->op == BoolOp::And, expr.span);
  if (const auto *node = expr.as<Conditional>())
    return lowerConditional(*node, expr.span);
  if (const auto *node = expr.as<Call>())
    return lowerCall(*node, expr.span);
  if (const auto *node = expr.as<Attribute>())
    return lowerAttribute(*node, expr.span);
  if (const auto *node = expr.as<Subscript>())
    return lowerSubscript(*node, expr.span);
  if (const auto *node = expr.as<syntax::Tuple>()) {
    kern::Tuple tuple;
    for (const ExprPtr &element : node->elements) {
      std::optional<Binding> value = lowerExpr(*element);
      if (!value)
        return std::nullopt;
      tuple.elements.push_back(*value);
    }
    return Binding(tuple);
  }
  if (expr.as<Generator>())
    error(Diag::misplaced_generator, expr.span);
  failed = true; // an ErrorExpr's error is reported already
  return std::nullopt;
}

std::optional<Binding> FunctionLowering::lowerName(const syntax::Name &name,
                                                   Span span) {
  readNames.insert(name.name);
  auto found = env.find(name.name);
  if (found != env.end()) {
    const auto *unusable = found->second.as<Unusable>();
    if (!unusable)
      return found->second;
    switch (unusable->reason) {
    case Unusable::Unbound:
      error(Diag::unbound_name, span, {name.name});
      break;
    case Unusable::PartlyBound:
      error(Diag::unbound_on_path, span, {name.name})
          .notes.push_back(
              {unusable->place, "some path through this does not assign it"});
      break;
    case Unusable::Conflict:
      reportConflict("`" + name.name + "`", *unusable, span)
          .notes.push_back({unusable->place, "the paths meet after this"});
      break;
    case Unusable::Carried:
      error(Diag::prange_carry, span, {name.name}).help =
          "use a reduction, such as `sum(… for i in range(n))`, or a `for` "
          "over "
          "`range`, which runs in order";
      break;
    case Unusable::Private:
      error(Diag::prange_private, span, {name.name})
          .notes.push_back({unusable->place, "this is the `prange`"});
      break;
    case Unusable::Failed:
      break;
    }
    return std::nullopt;
  }
  if (const NamedConstant *constant = scope->constant(name.name))
    return useConstant(*constant, span);
  if (scope->isFailed(name.name)) {
    failed = true;
    return std::nullopt;
  }
  StringRef library = scope->libraryName(name.name);
  if (std::optional<Constant> constant = libraryConstant(library))
    return Binding(*constant);
  if (scope->function(name.name) || scope->isLibraryFunction(library)) {
    error(Diag::function_as_value, span, {name.name}).help =
        "call it: `" + name.name + "(…)`";
    return std::nullopt;
  }
  if (typeNamed(library, true)) {
    error(Diag::type_as_value, span, {name.name}).help =
        "`" + name.name + "(x)` converts x to it";
    return std::nullopt;
  }
  unknownName(name.name, span);
  return std::nullopt;
}

Diagnostic &FunctionLowering::unknownName(const std::string &name, Span span) {
  std::vector<std::string_view> known;
  for (const auto &entry : env)
    known.push_back(entry.first);
  Diagnostic &diagnostic = error(Diag::unknown_name, span, {name});
  diagnostic.help = scope->helpFor(name, std::move(known));
  // Once is enough: later uses of the name would only repeat this.
  env.insert_or_assign(name, Binding(Unusable{Unusable::Failed, span}));
  return diagnostic;
}

//===----------------------------------------------------------------------===//
// Truth
//===----------------------------------------------------------------------===//

std::optional<Value>
FunctionLowering::lowerTypeComparison(const syntax::Compare &compare,
                                      Span span) {
  if (compare.rest.size() != 1)
    return std::nullopt;
  auto nameOf = [&](const syntax::Expr &expr) -> StringRef {
    const auto *name = expr.as<syntax::Name>();
    return name && !env.count(name->name) ? StringRef(name->name) : "";
  };
  StringRef left = nameOf(*compare.first);
  StringRef right = nameOf(*compare.rest[0].second);
  if (!typeVariables.count(left.str()))
    std::swap(left, right);
  auto variable = typeVariables.find(left.str());
  if (left.empty() || variable == typeVariables.end())
    return std::nullopt;
  syntax::CompareOp op = compare.rest[0].first;
  std::optional<DType> type = typeName(right, true);
  if (!type || (op != syntax::CompareOp::Eq && op != syntax::CompareOp::Ne)) {
    error(Diag::type_comparison, span);
    return Value();
  }
  ArrayAttr types =
      builder.getTypeArrayAttr({toType(builder.getContext(), *type)});
  Value is;
  if (variable->second)
    is = TypeOfIsOp::create(builder, loc(span), builder.getI1Type(),
                            variable->second, types);
  else
    is = TypeIsOp::create(builder, loc(span), builder.getI1Type(),
                          builder.getStringAttr(left), types);
  if (op == syntax::CompareOp::Eq)
    return is;
  return truthOf({applyValues("logical_not", {opened(is, span)}, span), {}},
                 span);
}

std::optional<Binding>
FunctionLowering::lowerCompare(const syntax::Compare &compare, Span span) {
  if (std::optional<Value> decided = lowerTypeComparison(compare, span)) {
    if (!*decided)
      return std::nullopt;
    return Binding(opened(*decided, span));
  }
  std::optional<Number> left = lowerScalar(*compare.first);
  if (!left)
    return std::nullopt;
  if (compare.rest.size() == 1) {
    std::optional<Number> right = lowerScalar(*compare.rest[0].second);
    if (!right)
      return std::nullopt;
    return Binding(
        apply(functionOf(compare.rest[0].first), {*left, *right}, span));
  }
  if (compare.rest.size() > maxComparisons) {
    error(Diag::too_deep, span, {std::to_string(maxComparisons)}).help =
        "join parts of it by `and`";
    return std::nullopt;
  }
  // `a < b < c`: b is evaluated once, and c only when `a < b` holds.
  Environment outer = env;
  std::vector<Edge> edges;
  for (auto [index, part] : llvm::enumerate(compare.rest)) {
    std::optional<Number> right = lowerScalar(*part.second);
    if (!right) {
      env = std::move(outer);
      return std::nullopt;
    }
    Number holds = apply(functionOf(part.first), {*left, *right}, span);
    left = right;
    env = {};
    env.emplace("value", Binding(holds));
    if (index + 1 == compare.rest.size()) {
      edges.push_back(edge());
      break;
    }
    Block *next = newBlock(), *stop = newBlock();
    cf::CondBranchOp::create(builder, loc(span), truthOf(holds, span), next,
                             stop);
    edges.push_back({stop, env});
    builder.setInsertionPointToStart(next);
    env = outer;
  }
  join(std::move(edges), span);
  Binding result = env.find("value")->second;
  env = std::move(outer);
  return result;
}

std::optional<Binding>
FunctionLowering::lowerLogical(ArrayRef<syntax::ExprPtr> operands, bool isAnd,
                               Span span) {
  // Each operand but the last decides the result, or leaves it to the next.
  // Inference looks at a join once for each path that leads to it, so that
  // many operands are taken in groups, which are operands then.
  constexpr size_t mostPaths = 16;
  size_t perGroup = 1;
  while (operands.size() > perGroup * mostPaths)
    perGroup *= mostPaths;
  Environment outer = env;
  std::vector<Edge> edges;
  for (size_t begin = 0; begin < operands.size(); begin += perGroup) {
    Value condition;
    if (perGroup == 1)
      condition = lowerCondition(*operands[begin]);
    else if (std::optional<Binding> group = lowerLogical(
                 operands.slice(begin).take_front(perGroup), isAnd, span))
      condition = truthOf(*group->as<Number>(), span);
    if (!condition) {
      env = std::move(outer);
      return std::nullopt;
    }
    env = {};
    if (begin + perGroup >= operands.size()) {
      env.emplace("value", Binding(opened(condition, span)));
      edges.push_back(edge());
      break;
    }
    Block *next = newBlock(), *stop = newBlock();
    cf::CondBranchOp::create(builder, loc(span), condition, isAnd ? next : stop,
                             isAnd ? stop : next);
    env.emplace("value", Binding(Constant{!isAnd}));
    edges.push_back({stop, env});
    builder.setInsertionPointToStart(next);
    env = outer;
  }
  join(std::move(edges), span);
  Binding result = env.find("value")->second;
  env = std::move(outer);
  return result;
}

std::optional<Binding>
FunctionLowering::lowerConditional(const syntax::Conditional &expr, Span span) {
  Value condition = lowerCondition(*expr.condition);
  if (!condition)
    return std::nullopt;
  Block *then = newBlock(), *otherwise = newBlock();
  cf::CondBranchOp::create(builder, loc(span), condition, then, otherwise);
  Environment outer = env;
  std::vector<Edge> edges;
  bool failed = false;
  for (auto [block, branch] : {std::pair(then, expr.value.get()),
                               std::pair(otherwise, expr.otherwise.get())}) {
    builder.setInsertionPointToStart(block);
    env = outer;
    std::optional<Binding> value = lowerExpr(*branch);
    failed |= !value;
    env = {};
    env.emplace("value",
                value ? *value : Binding(Unusable{Unusable::Failed, span}));
    edges.push_back(edge());
  }
  join(std::move(edges), span);
  Binding result = env.find("value")->second;
  env = std::move(outer);
  if (failed)
    return std::nullopt;
  if (const auto *unusable = result.as<Unusable>()) {
    if (unusable->reason == Unusable::Conflict)
      reportConflict("the value", *unusable, span);
    return std::nullopt;
  }
  return result;
}

} // namespace kern
