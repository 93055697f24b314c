//===- ChosenFunctions.cpp - functions that a condition chooses -----------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/Calls.h"
#include "compiler/lowering/Expressions.h"
#include "compiler/lowering/Scopes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;

namespace kern::compiler {

const FunctionName *functionBound(const Environment &env,
                                  const syntax::Expr &called) {
  const auto *name = called.as<syntax::Name>();
  auto found = name ? env.find(name->name) : env.end();
  return found == env.end() ? nullptr : found->second.as<FunctionName>();
}

std::optional<Binding>
onFunction(FunctionLowering &fn, const syntax::Expr &called, Span span,
           llvm::function_ref<std::optional<Binding>()> lower) {
  const FunctionName *bound = functionBound(fn.env(), called);
  if (!bound || !bound->chosen)
    return lower();
  const std::string &name = called.as<syntax::Name>()->name;
  const std::shared_ptr<const ChosenFunction> all = bound->chosen;
  ValueJoin paths(fn);
  for (auto [i, function] : llvm::enumerate(all->functions)) {
    EnvScope own(fn);
    Block *other = nullptr;
    if (i + 1 < all->functions.size()) {
      Block *then = fn.newBlock();
      other = fn.newBlock();
      cf::CondBranchOp::create(fn.builder, fn.loc(span),
                               fn.truthOf(all->isThis[i], span), then, other);
      fn.builder.setInsertionPointToStart(then);
    }
    fn.env().insert_or_assign(name, function);
    std::optional<Binding> value = lower();
    if (!value)
      return std::nullopt;
    paths.arrive(std::move(*value));
    if (other)
      fn.builder.setInsertionPointToStart(other);
  }
  Binding result = paths.join(span);
  const auto *poisoned = result.as<Poisoned>();
  if (poisoned && poisoned->reason == Poisoned::Conflict)
    reportConflict(fn, "what `" + name + "` gives", *poisoned, span);
  return poisoned ? std::nullopt : std::optional<Binding>(std::move(result));
}

} // namespace kern::compiler
