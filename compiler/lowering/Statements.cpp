//===- Statements.cpp - blocks, branches, returns -------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/FunctionLowering.h"
#include "compiler/lowering/MissingReturn.h"
#include "compiler/modules/Names.h"
#include "dialects/Kern/ElementTypes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "runtime/error/Counted.h"

using namespace mlir;

namespace kern {

void FunctionLowering::lowerBlock(const syntax::Block &block) {
  for (const syntax::StmtPtr &stmt : block) {
    if (!isReachable()) {
      diagnostics.report(Diag::unreachable_code, stmt->span);
      return;
    }
    lowerStmt(*stmt);
  }
}

void FunctionLowering::lowerStmt(const syntax::Stmt &stmt) {
  using namespace syntax;
  if (const auto *node = stmt.as<Assign>())
    return lowerAssign(*node, stmt.span);
  if (const auto *node = stmt.as<AnnotatedAssign>())
    return lowerAnnotated(*node, stmt.span);
  if (const auto *node = stmt.as<AugmentedAssign>())
    return lowerAugmented(*node, stmt.span);
  if (const auto *node = stmt.as<If>())
    return lowerIf(*node);
  if (const auto *node = stmt.as<While>())
    return lowerWhile(*node, stmt.span);
  if (const auto *node = stmt.as<For>())
    return lowerFor(*node, stmt.span);
  if (const auto *node = stmt.as<Return>())
    return lowerReturn(*node, stmt.span);
  if (stmt.as<Break>())
    return lowerJump(true, stmt.span);
  if (stmt.as<Continue>())
    return lowerJump(false, stmt.span);
  if (const auto *node = stmt.as<ExprStmt>())
    return lowerExprStmt(*node, stmt.span);
  if (const auto *node = stmt.as<Assert>())
    lowerAssert(*node, stmt.span);
}

/// Without the check it is looked at for its names and types alone.
void FunctionLowering::lowerAssert(const syntax::Assert &statement, Span span) {
  Value condition = lowerCondition(*statement.condition);
  if (!condition || !checks.asserts)
    return;
  std::string text =
      statement.message
          ? *statement.message
          : "`" + textAt(statement.condition->span) + "` does not hold";
  AssertOp::create(builder, loc(span), condition, text);
}

void FunctionLowering::lowerExprStmt(const syntax::ExprStmt &statement,
                                     Span span) {
  std::optional<Binding> value = lowerExpr(*statement.value);
  if (value && !value->as<Nothing>())
    diagnostics.report(Diag::unused_value, span);
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

void FunctionLowering::lowerIf(const syntax::If &statement) {
  Value condition = lowerCondition(*statement.condition);
  Span span = statement.condition->span;
  if (isOfTypes(*statement.condition, [&](const std::string &name) {
        return typeVariables.count(name) && !env.count(name);
      }))
    typeConditions.insert({span.file, span.begin});
  if (!condition) // go on, so that the branches' own errors are found
    condition = cast<TypedValue<IntegerType>>(
        TypeIsOp::create(builder, loc(span), builder.getI1Type(),
                         builder.getStringAttr(""), builder.getArrayAttr({}))
            .getResult());
  Block *then = newBlock(), *otherwise = newBlock();
  cf::CondBranchOp::create(builder, loc(span), condition, then, otherwise);
  Environment before = env;
  std::vector<Edge> edges;

  builder.setInsertionPointToStart(then);
  lowerBlock(statement.then);
  if (isReachable())
    edges.push_back(edge());

  env = std::move(before);
  builder.setInsertionPointToStart(otherwise);
  lowerBlock(statement.otherwise);
  if (isReachable())
    edges.push_back(edge());
  join(std::move(edges), span);
}

/// Reports what a function with array results returns for them.
bool FunctionLowering::returnsArray(const syntax::Return &statement,
                                    ArrayRef<Binding> parts) {
  if (!statement.value || !function.hasArrow ||
      scalarResults.size() == function.results.size())
    return false;
  bool isArray = llvm::any_of(
      parts, [](const Binding &part) { return part.as<ArrayView>(); });
  if (!isArray && parts.size() == scalarResults.size())
    return false;
  size_t index = 0;
  while (function.results[index].type.dims.empty())
    ++index;
  const syntax::Result &result = function.results[index];
  std::string name = result.name ? result.name->name
                     : function.results.size() == 1
                         ? "out"
                         : "out" + std::to_string(index + 1);
  Diagnostic &diagnostic = error(Diag::return_in_gufunc, statement.value->span);
  diagnostic.notes.push_back({result.type.span, "this result is an array"});
  diagnostic.help =
      "write its elements: " + elementwise(name, result.type.dims.size()) +
      "; `return` alone ends the function";
  return true;
}

void FunctionLowering::lowerReturn(const syntax::Return &statement, Span span) {
  size_t loopBase = inlined.empty() ? 0 : inlined.back().loopDepth;
  for (size_t i = loopBase; i < loops.size(); ++i)
    if (loops[i].parallel) {
      error(Diag::prange_return, span).help =
          "use `range` for a loop that can return early, or a reduction such "
          "as `max(… for …)`";
      builder.clearInsertionPoint();
      return;
    }
  std::optional<Binding> value = Binding(Nothing());
  if (statement.value)
    value = lowerExpr(*statement.value);

  if (!inlined.empty())
    return returnInlined(value, statement.value != nullptr, span);

  SmallVector<Binding> parts;
  if (value) {
    if (const auto *tuple = value->as<Tuple>())
      parts.append(tuple->elements().begin(), tuple->elements().end());
    else if (!value->as<Nothing>())
      parts.push_back(*value);
    else // `return` alone: named results as they stand
      for (const std::string &result : scalarResults)
        if (auto found = env.find(result); found != env.end())
          parts.push_back(found->second);
    if (returnsArray(statement, parts)) {
      builder.clearInsertionPoint();
      return;
    }
    if (!returnCount) {
      returnCount = parts.size();
      if (parts.empty())
        error(Diag::missing_return, span, {function.name.name}).help =
            "write the value after it: `return x`";
    } else if (parts.size() != *returnCount) {
      error(Diag::return_count, span,
            {function.name.name, counted(parts.size(), "value"),
             countedAre(*returnCount, "value")});
      value.reset();
    }
  }
  SmallVector<Value> values;
  const auto *written =
      statement.value ? statement.value->as<syntax::Tuple>() : nullptr;
  for (auto [index, part] : llvm::enumerate(parts)) {
    std::optional<Number> scalar;
    if (value && statement.value) {
      const bool isElement = written && index < written->elements.size();
      scalar = scalarOf(part, isElement ? written->elements[index]->span
                                        : statement.value->span);
    }
    if (const auto *own = part.as<Number>(); own && !scalar && value)
      scalar = *own;
    if (!scalar) {
      if (value && !statement.value)
        error(Diag::missing_return, span, {function.name.name}).help =
            "give the named results values before it";
      value.reset();
      break;
    }
    values.push_back(materialize(*scalar, span));
  }
  if (value)
    ReturnOp::create(builder, loc(span), values);
  builder.clearInsertionPoint();
}

} // namespace kern
