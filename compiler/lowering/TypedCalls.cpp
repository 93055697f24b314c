//===- TypedCalls.cpp - arguments and results of typed callees ------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/Arrays.h"
#include "compiler/lowering/ChosenArrays.h"
#include "compiler/lowering/Expressions.h"
#include "compiler/lowering/Inlining.h"
#include "compiler/lowering/MissingReturn.h"
#include "compiler/lowering/WholeArrays.h"
#include "runtime/error/Counted.h"

using namespace mlir;

namespace kern::compiler {

using namespace ir;

static std::string arrayOf(size_t rank) {
  return "an array of " + runtime::counted(rank, "dimension");
}

/// Binds an array parameter, and the dimensions that it is the first to have.
/// `sizes` records which argument gave each dimension its size.
static bool bindCoreArray(FunctionLowering &fn, Frame &frame,
                          OperandAttr parameter, ArrayView view, Span place,
                          std::map<std::string, Span> &sizes) {
  const syntax::Function &callee = frame.function;
  Environment &parameters = frame.env;
  std::string name = parameter.getName().str();
  Span declared = callee.name.span;
  for (const syntax::Parameter &each : callee.parameters)
    if (each.name.name == name)
      declared = each.span;
  SmallVector<const Axis *> open;
  for (const Axis *axis : view.open())
    open.push_back(axis);
  if (open.size() != parameter.getCore().size()) {
    Diagnostic &diagnostic =
        fn.error(Diag::call_rank, place,
                 {name, callee.name.name, arrayOf(parameter.getCore().size()),
                  arrayOf(open.size())});
    if (open.size() > parameter.getCore().size())
      diagnostic.help = oneRowHelp(callee.name.name);
    return false;
  }
  for (auto [axis, expr] : llvm::zip(open, parameter.getCore())) {
    // Of a parameter, a name or a size.
    const std::string dim = expr.isName() ? expr.getName().str() : "";
    std::optional<int64_t> known = knownInteger(axis->extent);
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
      if (scalar && scalar->value)
        wanted = knownInteger(scalar->value);
      if (scalar && scalar->value && !(known && wanted) &&
          !checkSameExtent(fn, callee.name.name, scalar->value, axis->extent,
                           place, Diag::argument_extents))
        return false;
    }
    if (known && wanted && known != wanted) {
      const auto from = sizes.find(dim);
      Diagnostic &diagnostic =
          fn.error(Diag::dimension_mismatch, place,
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
    checkWritable(fn, view, place);
    return false;
  }
  parameters.insert_or_assign(name, Binding(view));
  return true;
}

bool enterTyped(FunctionLowering &fn, Frame &frame, CallArguments given,
                Span span) {
  const syntax::Function &callee = frame.function;
  const Header &header = *frame.call->header;
  ArrayRef<Binding> arguments = given.values;
  ArrayRef<Span> places = given.places;
  Environment &parameters = frame.env;
  Type open = OpenType::get(fn.builder.getContext());
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
        const bool isTuple = arguments[index].as<Tuple>();
        if (!arguments[index].as<Poisoned>())
          fn.error(Diag::call_rank, place,
                   {name, callee.name.name, arrayOf(parameter.getCore().size()),
                    isTuple ? "a tuple" : "a number"})
              .help = isTuple ? "an array is written `[a, b]`" : "";
        return false;
      }
      if (!bindCoreArray(fn, frame, parameter, *view, place, sizes))
        return false;
    } else {
      if (view) {
        fn.error(Diag::call_rank, place,
                 {name, callee.name.name, "a number",
                  arrayOf(view->open().size())})
            .help = "call it for one element at a time, `" + callee.name.name +
                    "(…, x[i])` in a `for i in prange(n)`";
        return false;
      }
      std::optional<Number> scalar = fn.scalarOf(arguments[index], place);
      if (!scalar)
        return false;
      Binding value(*scalar);
      if (parameter.getIsDim()) {
        value = fn.indexValue(fn.materialize(*scalar, place), place);
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
      operands.push_back(typedLike(fn, *view, place));
    else
      operands.push_back(fn.materialize(*arguments[index].as<Number>(), place));
  }
  if (annotations.empty() && header.typeVariables.empty())
    return true;

  SmallVector<Type> types(annotated.size() + header.typeVariables.size(), open);
  auto enter = EnterOp::create(fn.builder, fn.loc(span), types,
                               fn.builder.getStringAttr(callee.name.name),
                               fn.builder.getArrayAttr(annotations),
                               fn.builder.getDenseBoolArrayAttr(inout),
                               fn.builder.getStrArrayAttr(header.typeVariables),
                               fn.builder.getArrayAttr(header.loops), operands);
  for (auto [parameter, result] : llvm::zip(annotated, enter.getResults())) {
    Binding &bound = parameters.find(parameter.getName().strref())->second;
    if (auto *view = bound.as<ArrayView>()) {
      if (!parameter.getIsInout()) // an `inout` array has the type already
        view->readAs = result;
    } else {
      bound = Binding(Value(result));
    }
  }
  for (auto [variable, result] :
       llvm::zip(header.typeVariables,
                 enter.getResults().drop_front(annotated.size())))
    frame.typeVariables.emplace(variable.str(), result);
  bool allScalars = llvm::all_of(
      arguments, [](const Binding &b) { return b.as<Number>() != nullptr; });
  for (auto [argument, place] : llvm::zip(arguments, places))
    if (allScalars)
      frame.call->entered.push_back(
          fn.materialize(*argument.as<Number>(), place));
  return true;
}

Binding typedResults(FunctionLowering &fn, ArrayRef<Binding> parts, Span span) {
  const InlinedCall &call = *fn.frame->call;
  const syntax::Function &callee = fn.frame->function;
  std::vector<Binding> results;
  size_t next = 0; // among the scalar results
  const size_t count = callee.hasArrow ? callee.results.size() : parts.size();
  for (size_t index = 0; index < count; ++index) {
    if (callee.hasArrow && callee.results[index].type.isArray) {
      StringRef name = cast<OperandAttr>(call.header->results[index]).getName();
      results.push_back(fn.env().find(name)->second);
      continue;
    }
    const Binding &part = parts[next++];
    const auto *scalar = part.as<Number>();
    if (!scalar) {
      if (const auto *poisoned = part.as<Poisoned>();
          poisoned && poisoned->reason == Poisoned::Failed)
        return part;
      if (part.as<Tuple>())
        fn.error(Diag::tuple_as_value, span);
      else if (const auto *view = part.as<ArrayView>())
        fn.error(Diag::array_as_value, span, {view->name});
      else
        reportMissingReturn(fn, callee);
      return Poisoned{Poisoned::Failed, span};
    }
    Number value = *scalar;
    if (callee.hasArrow && callee.results[index].type.element) {
      StringRef name = callee.results[index].type.element->name;
      if (std::optional<TypeName> type = typeNamed(fn, name, true))
        value = fn.convert(value, *type, CastMode::SameKind, span);
    }
    if (!call.entered.empty() && !value.constant)
      value.value = LeaveOp::create(fn.builder, fn.loc(span),
                                    OpenType::get(fn.builder.getContext()),
                                    value.value, call.entered);
    results.push_back(Binding(value));
  }
  if (results.size() == 1)
    return results.front();
  return Tuple(std::move(results));
}

} // namespace kern::compiler
