//===- Statements.cpp - blocks, branches, returns -------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/ArrayCalls.h"
#include "compiler/lowering/ArrayExpressions.h"
#include "compiler/lowering/Assignments.h"
#include "compiler/lowering/Expressions.h"
#include "compiler/lowering/Inlining.h"
#include "compiler/lowering/Loops.h"
#include "compiler/lowering/MissingReturn.h"
#include "compiler/lowering/Ranks.h"
#include "compiler/modules/Names.h"
#include "dialects/Kern/ElementTypes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "runtime/error/Counted.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;

namespace kern::compiler {

using namespace ir;

/// Without `--check=assert` the condition is lowered for its errors alone.
static void lowerAssert(FunctionLowering &fn, const syntax::Assert &statement,
                        Span span) {
  Value condition = fn.lowerCondition(*statement.condition);
  if (!condition || !fn.checks.asserts)
    return;
  std::string text =
      statement.message
          ? *statement.message
          : "`" + textAt(fn, statement.condition->span) + "` does not hold";
  AssertOp::create(fn.builder, fn.loc(span), condition, text);
}

static void lowerExprStmt(FunctionLowering &fn,
                          const syntax::ExprStmt &statement, Span span) {
  // `y.fill(v)` of an array is `y[:] = v`.
  if (const auto *call = statement.value->as<syntax::Call>())
    if (const auto *method = call->function->as<syntax::Attribute>();
        method && method->name.name == "fill" &&
        Ranks(fn).of(*method->value) > 0 && call->arguments.size() == 1 &&
        call->keywords.empty()) {
      std::optional<Binding> array = fn.lowerExpr(*method->value);
      if (const auto *view = array ? array->as<ArrayView>() : nullptr)
        storeExpression(fn, *view, *call->arguments.front(), span);
      return;
    }
  std::optional<Binding> value = fn.lowerExpr(*statement.value);
  const std::optional<ScopedFunction> callee =
      arrayCallee(fn, *statement.value);
  if (callee && outOf(*callee->function, *statement.value->as<syntax::Call>()))
    return; // it is stored
  if (value && !value->as<NoValue>())
    fn.diagnostics.report(Diag::unused_value, span);
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

static void lowerIf(FunctionLowering &fn, const syntax::If &statement) {
  std::optional<bool> known;
  Value condition = lowerKnownCondition(fn, *statement.condition, known);
  Span span = statement.condition->span;
  if (isOfTypes(*statement.condition, [&](const std::string &name) {
        return fn.frame->typeVariables.count(name) && !fn.env().count(name);
      }))
    fn.messages.typeConditions.insert({span.file, span.begin});
  if (!condition) // go on, to find the errors of the branches
    condition = cast<TypedValue<IntegerType>>(
        TypeIsOp::create(fn.builder, fn.loc(span), fn.builder.getI1Type(),
                         fn.builder.getStringAttr(""),
                         fn.builder.getArrayAttr({}))
            .getResult());
  Block *then = fn.newBlock(), *otherwise = fn.newBlock();
  cf::CondBranchOp::create(fn.builder, fn.loc(span), condition, then,
                           otherwise);
  std::vector<Edge> ends;
  std::vector<Edge> without{{otherwise, fn.env()}};
  bool isPassed = false; // by a call
  auto lowerBranch = [&](const syntax::Block &branch, bool taken) {
    llvm::SaveAndRestore dead(fn.isDead);
    fn.isDead |= known == !taken;
    fn.lowerBlock(branch);
    if (!fn.isReachable())
      return;
    ends.push_back(fn.edge());
    isPassed |= !fn.isDead;
  };
  fn.builder.setInsertionPointToStart(then);
  lowerBranch(statement.then, true);
  fn.join(std::move(without), span);
  lowerBranch(statement.otherwise, false);
  fn.isDead |= !isPassed;
  // A name that is bound to a function here means the one of the path taken.
  if (known && ends.size() == 2)
    for (const auto &[name, binding] : ends[!*known].env)
      if (binding.as<FunctionName>())
        ends[*known].env.insert_or_assign(name, binding);
  fn.join(std::move(ends), span);
}

/// "an array of 2 dimensions, a number", by the numbers of dimensions.
static std::string kindsOf(ArrayRef<size_t> ranks) {
  std::string text;
  for (size_t rank : ranks)
    text += (text.empty() ? "" : ", ") +
            (rank ? "an array of " + runtime::counted(rank, "dimension")
                  : std::string("a number"));
  return text;
}

/// Reports a value that is returned for an array result.
static bool returnsArray(FunctionLowering &fn, const syntax::Return &statement,
                         ArrayRef<Binding> parts) {
  if (!statement.value || !fn.frame->function.hasArrow ||
      fn.frame->scalarResults.size() == fn.frame->function.results.size())
    return false;
  SmallVector<size_t> given, declared;
  for (const Binding &part : parts) {
    const auto *view = part.as<ArrayView>();
    given.push_back(view ? view->open().size() : 0);
  }
  for (const syntax::Result &result : fn.frame->function.results)
    declared.push_back(result.type.dims.size());
  if (llvm::none_of(given, [](size_t rank) { return rank > 0; }) &&
      parts.size() == fn.frame->scalarResults.size())
    return false;
  size_t index = 0;
  while (fn.frame->function.results[index].type.dims.empty())
    ++index;
  const syntax::Result &result = fn.frame->function.results[index];
  std::string name = result.name ? result.name->name
                     : fn.frame->function.results.size() == 1
                         ? "out"
                         : "out" + std::to_string(index + 1);
  Diagnostic &diagnostic =
      fn.error(Diag::return_in_gufunc, statement.value->span,
               {kindsOf(given), kindsOf(declared)});
  diagnostic.notes.push_back({result.type.span, "this result is an array"});
  diagnostic.help =
      "write its elements: " + elementwise(name, result.type.dims.size()) +
      ", or return an array of as many dimensions for each";
  return true;
}

/// Reports arithmetic on arrays that is returned where the header has a number.
static bool needsArrayResult(FunctionLowering &fn, const syntax::Expr &value) {
  const syntax::Function &function = fn.frame->function;
  const bool isArithmetic =
      value.as<syntax::Binary>() || value.as<syntax::Unary>();
  const size_t rank = isArithmetic ? Ranks(fn).of(value) : 0;
  if (rank == 0 || function.kind != syntax::ItemKind::Gufunc ||
      !function.hasArrow || function.results.size() != 1 ||
      function.results.front().type.isArray)
    return false;
  const syntax::TypeSyntax &type = function.results.front().type;
  static constexpr llvm::StringLiteral dims[] = {
      "[n]",          "[m, n]",          "[k, m, n]",
      "[j, k, m, n]", "[i, j, k, m, n]", "[h, i, j, k, m, n]"};
  fn.error(Diag::return_in_gufunc, value.span,
           {kindsOf({rank}), kindsOf({size_t(0)})})
      .help = "an array result has a name and dimensions, `-> (y: " +
              (type.element ? type.element->name : std::string("T")) +
              dims[std::min(rank, std::size(dims)) - 1].str() +
              ")`; to give a number, reduce it: `sum(x)`";
  fn.builder.clearInsertionPoint();
  return true;
}

static void lowerReturn(FunctionLowering &fn, const syntax::Return &statement,
                        Span span) {
  if (llvm::any_of(fn.frame->loops,
                   [](const LoopContext &loop) { return loop.parallel; })) {
    fn.error(Diag::prange_return, span).help =
        "use `range` for a loop that can return early, or a reduction such "
        "as `max(… for …)`";
    fn.builder.clearInsertionPoint();
    return;
  }
  if (statement.value && (needsArrayResult(fn, *statement.value) ||
                          lowerArrayReturn(fn, *statement.value, span)))
    return;
  std::optional<Binding> value = Binding(NoValue());
  if (statement.value)
    value = fn.lowerExpr(*statement.value);
  if (value && statement.value &&
      storeReturned(fn, *value, *statement.value, span))
    return;

  if (fn.frame->call)
    return returnInlined(fn, value, statement.value != nullptr, span);

  // `return f()` of a call that gives nothing is a `return`, where no number is
  // a result.
  if (statement.value && value && value->as<NoValue>() &&
      !fn.frame->scalarResults.empty()) {
    fn.error(Diag::nothing_as_value, statement.value->span);
    value.reset();
  }
  if (!value) {
    fn.failed = true;
    fn.builder.clearInsertionPoint();
    return;
  }
  SmallVector<Binding> parts;
  if (const auto *tuple = value->as<Tuple>())
    parts.append(tuple->elements().begin(), tuple->elements().end());
  else if (!value->as<NoValue>())
    parts.push_back(*value);
  else // `return` alone: the current values of the named results
    for (const std::string &result : fn.frame->scalarResults)
      if (auto found = fn.env().find(result); found != fn.env().end())
        parts.push_back(found->second);
  if (returnsArray(fn, statement, parts)) {
    fn.builder.clearInsertionPoint();
    return;
  }
  bool fits = true;
  if (!fn.results.returnCount) {
    fn.results.returnCount = parts.size();
    if (parts.empty() && !mayHaveNoResults(fn.frame->function))
      fn.error(Diag::missing_return, span, {fn.frame->function.name.name})
          .help = "write the value after it: `return x`";
  } else if (parts.size() != *fn.results.returnCount) {
    fn.error(Diag::return_count, span,
             {fn.frame->function.name.name,
              runtime::counted(parts.size(), "value"),
              runtime::countedAre(*fn.results.returnCount, "value")});
    fits = false;
  }
  SmallVector<Value> values;
  const auto *written =
      statement.value ? statement.value->as<syntax::Tuple>() : nullptr;
  for (auto [index, part] : llvm::enumerate(parts)) {
    std::optional<Number> scalar;
    if (fits && statement.value) {
      const bool isElement = written && index < written->elements.size();
      scalar = fn.scalarOf(part, isElement ? written->elements[index]->span
                                           : statement.value->span);
    }
    if (const auto *own = part.as<Number>(); own && !scalar && fits)
      scalar = *own;
    if (!scalar) {
      if (fits && !statement.value)
        fn.error(Diag::missing_return, span, {fn.frame->function.name.name})
            .help = "give the named results values before it";
      fits = false;
      break;
    }
    values.push_back(fn.materialize(*scalar, span));
  }
  if (fits)
    ReturnOp::create(fn.builder, fn.loc(span), values);
  fn.builder.clearInsertionPoint();
}

static void lowerStmt(FunctionLowering &fn, const syntax::Stmt &stmt) {
  using namespace syntax;
  if (const auto *node = stmt.as<Assign>())
    return lowerAssign(fn, *node, stmt.span);
  if (const auto *node = stmt.as<AnnotatedAssign>())
    return lowerAnnotated(fn, *node, stmt.span);
  if (const auto *node = stmt.as<AugmentedAssign>())
    return lowerAugmented(fn, *node, stmt.span);
  if (const auto *node = stmt.as<If>())
    return lowerIf(fn, *node);
  if (const auto *node = stmt.as<While>())
    return lowerWhile(fn, *node, stmt.span);
  if (const auto *node = stmt.as<For>())
    return lowerFor(fn, *node, stmt.span);
  if (const auto *node = stmt.as<Return>())
    return lowerReturn(fn, *node, stmt.span);
  if (stmt.as<Break>())
    return lowerJump(fn, true, stmt.span);
  if (stmt.as<Continue>())
    return lowerJump(fn, false, stmt.span);
  if (const auto *node = stmt.as<ExprStmt>())
    return lowerExprStmt(fn, *node, stmt.span);
  if (const auto *node = stmt.as<Assert>())
    lowerAssert(fn, *node, stmt.span);
}

void FunctionLowering::lowerBlock(const syntax::Block &block) {
  llvm::SaveAndRestore dead(isDead);
  for (const syntax::StmtPtr &stmt : block) {
    if (!isReachable()) {
      diagnostics.report(Diag::unreachable_code, stmt->span);
      return;
    }
    lowerStmt(*this, *stmt);
  }
}

} // namespace kern::compiler
