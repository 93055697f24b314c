//===- Arguments.cpp - which argument a parameter gets --------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/Calls.h"
#include "compiler/lowering/Expressions.h"
#include "compiler/lowering/Header.h"
#include "compiler/lowering/Inlining.h"
#include "runtime/error/NearestName.h"

using namespace mlir;

namespace kern::compiler {

/// The index of the parameter of this name; the number of parameters if there
/// is none.
static size_t parameterNamed(const syntax::Function &target,
                             const std::string &name) {
  size_t index = 0;
  while (index < target.parameters.size() &&
         target.parameters[index].name.name != name)
    ++index;
  return index;
}

static void reportUnknownKeyword(FunctionLowering &fn,
                                 const syntax::Function &target,
                                 const syntax::Identifier &keyword) {
  std::vector<std::string_view> names;
  for (const syntax::Parameter &parameter : target.parameters)
    names.push_back(parameter.name.name);
  Diagnostic &diagnostic = fn.error(Diag::unknown_keyword, keyword.span,
                                    {target.name.name, keyword.name});
  diagnostic.give(Help::didYouMean(runtime::nearestName(keyword.name, names)));
  if (target.name.name == "searchsorted" && keyword.name == "side")
    diagnostic.help = "`searchsorted(v, x, True)` is the place after equal "
                      "elements, as `side=\"right\"` has it";
  diagnostic.notes.push_back({target.header, "its parameters are here"});
}

const syntax::Expr *outOf(const syntax::Function &target,
                          const syntax::Call &call) {
  const bool hasArrays =
      llvm::any_of(target.results,
                   [](const auto &each) { return each.type.isArray; }) &&
      parameterNamed(target, "out") == target.parameters.size();
  for (const auto &[keyword, value] : call.keywords)
    if (hasArrays && keyword.name == "out")
      return value.get();
  return nullptr;
}

std::optional<SmallVector<const syntax::Expr *>>
matchArguments(FunctionLowering &fn, const syntax::Function &target,
               const syntax::Call &call, Span span) {
  const std::string &name = target.name.name;
  const size_t count = target.parameters.size();
  const size_t needed =
      llvm::count_if(target.parameters, [](const auto &parameter) {
        return !parameter.defaultValue;
      });
  const bool hasNames = !call.keywords.empty();
  if (!checkCount(fn, name, call, hasNames ? 0 : needed, count, span))
    return std::nullopt;
  SmallVector<const syntax::Expr *> given(count, nullptr);
  for (auto [index, argument] : llvm::enumerate(call.arguments))
    given[index] = argument.get();
  const syntax::Expr *out = outOf(target, call);
  for (const auto &[keyword, value] : call.keywords) {
    if (value.get() == out)
      continue;
    const size_t index = parameterNamed(target, keyword.name);
    if (index == count) {
      reportUnknownKeyword(fn, target, keyword);
      return std::nullopt;
    }
    if (given[index]) {
      fn.error(Diag::argument_twice, keyword.span, {name, keyword.name})
          .notes.push_back({given[index]->span, "the first one is here"});
      return std::nullopt;
    }
    given[index] = value.get();
  }
  for (auto [argument, parameter] : llvm::zip(given, target.parameters))
    if (!argument && !parameter.defaultValue) {
      fn.error(Diag::missing_argument, span, {name, parameter.name.name})
          .notes.push_back({parameter.span, "this parameter has no default"});
      return std::nullopt;
    }
  return given;
}

std::optional<Binding> lowerDefault(FunctionLowering &fn,
                                    const syntax::Parameter &parameter,
                                    ScopedFunction function) {
  std::optional<NamedConstant> constant =
      evaluateDefault(*function.function, parameter, *function.scope);
  if (!constant) {
    fn.failed = true;
    return std::nullopt;
  }
  if (!constant->type)
    constant->type = declaredType(*constant, parameter, *function.function);
  return useConstant(fn, *constant, parameter.defaultValue->span);
}

} // namespace kern::compiler
