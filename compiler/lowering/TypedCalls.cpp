//===- TypedCalls.cpp - what a call gives a ufunc or gufunc, and gets -----===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/FunctionLowering.h"
#include "runtime/error/Counted.h"

using namespace mlir;

namespace kern {

static std::string arrayOf(size_t rank) {
  return "an array of " + counted(rank, "dimension");
}

bool FunctionLowering::bindCoreArray(const syntax::Function &callee,
                                     OperandAttr parameter, ArrayView view,
                                     Span place, Environment &parameters,
                                     std::map<std::string, Span> &sizes) {
  std::string name = parameter.getName().str();
  Span declared = callee.name.span;
  for (const syntax::Parameter &each : callee.parameters)
    if (each.name.name == name)
      declared = each.span;
  SmallVector<const Axis *> open;
  for (const Axis *axis : view.open())
    open.push_back(axis);
  if (open.size() != parameter.getCore().size()) {
    error(Diag::call_rank, place,
          {name, callee.name.name, arrayOf(parameter.getCore().size()),
           arrayOf(open.size())});
    return false;
  }
  for (auto [axis, expr] : llvm::zip(open, parameter.getCore())) {
    // Of a parameter, a name or a size.
    const std::string dim = expr.isName() ? expr.getName().str() : "";
    std::optional<int64_t> known = constantIndex(axis->extent);
    std::optional<int64_t> wanted;
    if (expr.isConstant()) {
      wanted = expr.getValue();
    } else {
      auto [bound, isNew] = parameters.try_emplace(dim, Binding(axis->extent));
      if (isNew) {
        sizes.emplace(dim, place);
        continue;
      }
      const auto *scalar = bound->second.as<Number>();
      wanted =
          scalar && scalar->value ? constantIndex(scalar->value) : std::nullopt;
    }
    if (known && wanted && known != wanted) {
      const auto from = sizes.find(dim);
      Diagnostic &diagnostic =
          error(Diag::dimension_mismatch, place,
                {from == sizes.end() ? name : dim, std::to_string(*known),
                 std::to_string(*wanted), callee.name.name});
      if (from != sizes.end())
        diagnostic.notes.push_back(
            {from->second, "it is " + std::to_string(*wanted) + " here"});
      else
        diagnostic.notes.push_back(
            {declared, "`" + callee.name.name + "` takes this"});
      return false;
    }
  }
  view.writable &= parameter.getIsInout();
  if (parameter.getIsInout() && !view.writable) {
    checkWritable(view, place);
    return false;
  }
  parameters.insert_or_assign(name, Binding(view));
  return true;
}

bool FunctionLowering::enterTyped(const syntax::Function &callee,
                                  const Header &header,
                                  ArrayRef<Binding> arguments,
                                  ArrayRef<Span> places,
                                  Environment &parameters,
                                  std::map<std::string, Value> &variables,
                                  SmallVectorImpl<Value> &entered, Span span) {
  for (auto [index, attribute] : llvm::enumerate(header.results))
    if (!cast<OperandAttr>(attribute).getCore().empty()) {
      error(Diag::call_array_result, span, {callee.name.name})
          .notes.push_back(
              {callee.results[index].type.span, "this result is an array"});
      return false;
    }
  Type open = OpenType::get(builder.getContext());
  SmallVector<Attribute> annotations;
  SmallVector<bool> inout;
  SmallVector<Value> operands;
  SmallVector<OperandAttr> annotated;
  std::map<std::string, Span> sizes;
  for (auto [index, attribute] : llvm::enumerate(header.parameters)) {
    auto parameter = cast<OperandAttr>(attribute);
    Span place = places[index];
    std::string name = parameter.getName().str();
    const auto *view = arguments[index].as<ArrayView>();
    if (!parameter.getCore().empty()) {
      if (!view) {
        if (!arguments[index].as<Unusable>())
          error(Diag::call_rank, place,
                {name, callee.name.name, arrayOf(parameter.getCore().size()),
                 arguments[index].as<Tuple>() ? "a tuple" : "a number"});
        return false;
      }
      if (!bindCoreArray(callee, parameter, *view, place, parameters, sizes))
        return false;
    } else {
      std::optional<Number> scalar = scalarOf(arguments[index], place);
      if (!scalar)
        return false;
      Binding value(*scalar);
      if (parameter.getIsDim()) {
        value = indexValue(materialize(*scalar, place), place);
        sizes.emplace(name, place);
      }
      parameters.insert_or_assign(name, value);
    }
    if (parameter.getIsDim() || isa<UnitAttr>(parameter.getType()))
      continue;
    annotations.push_back(parameter.getType());
    inout.push_back(parameter.getIsInout());
    annotated.push_back(parameter);
    if (view)
      operands.push_back(view->readAs ? view->readAs : view->array);
    else
      operands.push_back(materialize(*arguments[index].as<Number>(), place));
  }
  if (annotations.empty() && header.typeVariables.empty())
    return true;

  SmallVector<Type> types(annotated.size() + header.typeVariables.size(), open);
  auto enter = EnterOp::create(
      builder, loc(span), types, builder.getStringAttr(callee.name.name),
      builder.getArrayAttr(annotations), builder.getDenseBoolArrayAttr(inout),
      builder.getStrArrayAttr(header.typeVariables),
      builder.getArrayAttr(header.loops), operands);
  for (auto [parameter, result] : llvm::zip(annotated, enter.getResults())) {
    Binding &bound = parameters.find(parameter.getName().strref())->second;
    if (auto *view = bound.as<ArrayView>()) {
      if (!parameter.getIsInout()) // that has its type already
        view->readAs = result;
    } else {
      bound = Binding(Value(result));
    }
  }
  for (auto [variable, result] :
       llvm::zip(header.typeVariables,
                 enter.getResults().drop_front(annotated.size())))
    variables.emplace(variable.str(), result);
  bool allScalars = llvm::all_of(
      arguments, [](const Binding &b) { return b.as<Number>() != nullptr; });
  for (auto [argument, place] : llvm::zip(arguments, places))
    if (allScalars)
      entered.push_back(materialize(*argument.as<Number>(), place));
  return true;
}

Binding FunctionLowering::typedResults(ArrayRef<Binding> parts, Span span) {
  const InlineContext &context = inlined.back();
  const syntax::Function &callee = *context.function;
  std::vector<Binding> results;
  for (auto [index, part] : llvm::enumerate(parts)) {
    const auto *scalar = part.as<Number>();
    if (!scalar) {
      if (const auto *unusable = part.as<Unusable>();
          unusable && unusable->reason == Unusable::Failed)
        return part;
      if (part.as<Tuple>())
        error(Diag::tuple_as_value, span);
      else if (const auto *view = part.as<ArrayView>())
        error(Diag::array_as_value, span, {view->name});
      else
        reportMissingReturn(callee);
      return Unusable{Unusable::Failed, span};
    }
    Number value = *scalar;
    if (callee.hasArrow && callee.results[index].type.element) {
      StringRef name = callee.results[index].type.element->name;
      if (std::optional<TypeName> type = typeNamed(name, true))
        value = convert(value, *type, CastMode::SameKind, span);
    }
    if (!context.entered.empty() && !value.constant)
      value.value = LeaveOp::create(builder, loc(span),
                                    OpenType::get(builder.getContext()),
                                    value.value, context.entered);
    results.push_back(Binding(value));
  }
  if (results.size() == 1)
    return results.front();
  return Tuple(std::move(results));
}

} // namespace kern
