//===- Attributes.cpp - attributes of modules and values ------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/diagnostics/ForeignNames.h"
#include "compiler/lowering/ArrayExpressions.h"
#include "compiler/lowering/Arrays.h"
#include "compiler/lowering/Calls.h"
#include "compiler/lowering/Expressions.h"
#include "compiler/modules/Names.h"
#include "dialects/Kern/ElementTypes.h"
#include "runtime/error/NearestName.h"

using namespace mlir;

namespace kern::compiler {

using namespace ir;

std::optional<Binding> lowerModuleName(FunctionLowering &fn,
                                       ModuleScope &module, StringRef prefix,
                                       const syntax::Identifier &name,
                                       Span span) {
  if (const NamedConstant *constant = module.constant(name.name))
    return useConstant(fn, *constant, span);
  if (module.isFailed(name.name)) {
    fn.failed = true;
    return std::nullopt;
  }
  if (std::optional<ScopedFunction> function = module.function(name.name))
    return Binding(FunctionName{name.name, function});
  Diagnostic &diagnostic =
      fn.error(Diag::unknown_import, name.span, {prefix.str(), name.name});
  diagnostic.give(
      Help::didYouMean(runtime::nearestName(name.name, module.names())));
  return std::nullopt;
}

Binding useConstant(FunctionLowering &fn, const NamedConstant &constant,
                    Span span) {
  if (!constant.shape.empty())
    return tableOf(fn, constant, span);
  if (constant.isTuple) {
    std::vector<Binding> elements;
    for (const NamedConstant &element : constant.elements)
      elements.push_back(useConstant(fn, element, span));
    return Tuple(std::move(elements));
  }
  Number value{nullptr, constant.value};
  if (constant.type)
    value = fn.convert(
        value,
        {TypeAttr::get(toType(fn.builder.getContext(), *constant.type)),
         Value()},
        CastMode::Explicit, span);
  return Binding(value);
}

const syntax::Expr *methodOperand(const NamesInBody &names,
                                  const syntax::Call &call) {
  const auto *method = call.function->as<syntax::Attribute>();
  if (!method ||
      !llvm::is_contained({"view", "copy", "item"}, method->name.name))
    return nullptr;
  const auto *prefix = method->value->as<syntax::Name>();
  const bool isValue = !prefix || names.env.count(prefix->name) ||
                       !(names.scope.module(prefix->name) ||
                         names.scope.isLibrary(prefix->name));
  return isValue ? method->value.get() : nullptr;
}

std::optional<Number> lowerMethod(FunctionLowering &fn,
                                  const syntax::Call &call, const Number &value,
                                  Span span) {
  const std::string &method = call.function->as<syntax::Attribute>()->name.name;
  if (!call.keywords.empty()) {
    const syntax::Identifier &keyword = call.keywords.front().first;
    fn.error(Diag::keyword_argument, keyword.span, {method, keyword.name});
    return std::nullopt;
  }
  if (method != "view")
    return checkCount(fn, method, call, 0, 0, span) ? std::optional(value)
                                                    : std::nullopt;
  if (!checkCount(fn, "view", call, 1, 1, span))
    return std::nullopt;
  std::optional<TypeName> type =
      elementTypeOf(fn, *call.arguments.front(), "x.view(u32)");
  return type ? std::optional(fn.bits(value, *type, span)) : std::nullopt;
}

std::optional<Binding> lowerAttribute(FunctionLowering &fn,
                                      const syntax::Attribute &attribute,
                                      Span span) {
  const auto *prefix = attribute.value->as<syntax::Name>();
  if (prefix && !fn.env().count(prefix->name))
    if (ModuleScope *module = fn.scope().module(prefix->name))
      return lowerModuleName(fn, *module, prefix->name, attribute.name, span);
  if (prefix && fn.scope().isLibrary(prefix->name) &&
      !fn.env().count(prefix->name)) {
    if (std::optional<Constant> constant = libraryConstant(attribute.name.name))
      return Binding(*constant);
    if (fn.scope().isLibraryFunction(attribute.name.name))
      return Binding(FunctionName{attribute.name.name, std::nullopt});
    fn.error(Diag::unknown_attribute, span,
             {"`" + prefix->name + "`", attribute.name.name})
        .help = insteadOf(attribute.name.name);
    return std::nullopt;
  }
  std::optional<Binding> value = lowerWhole(fn, *attribute.value);
  if (!value)
    return std::nullopt;
  StringRef name = attribute.name.name;
  if (const auto *view = value->as<ArrayView>()) {
    if (name == "size")
      return Binding(sizeOf(fn, *view, span));
    if (name == "shape") {
      std::vector<Binding> shape;
      for (const Axis *axis : view->open())
        shape.push_back(Binding(axis->extent));
      return Binding(Tuple(std::move(shape)));
    }
    if (name == "T")
      return Binding(transposed(*view));
    if (name == "ndim")
      return Binding(Constant{Integer(view->open().size())});
  } else if (const auto *scalar = value->as<Number>()) {
    if (name == "real" || name == "imag")
      return Binding(
          fn.apply(name == "real" ? ScalarFunction::real : ScalarFunction::imag,
                   {*scalar}, span));
  }
  fn.error(Diag::unknown_attribute, span, {describe(*value), name.str()}).help =
      insteadOf(std::string_view(name));
  return std::nullopt;
}

} // namespace kern::compiler
