//===- Folds.cpp - fold(f, init, generator) -------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A fold over one range becomes a scan that writes nothing, whose iterations
// may be grouped in any way that keeps their order. Any other becomes a loop in
// the order of the generator that carries the folded value, which may be a
// tuple. Either way the function need not commute, and `init` is used once.
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/Assignments.h"
#include "compiler/lowering/Calls.h"
#include "compiler/lowering/Expressions.h"
#include "compiler/lowering/Header.h"
#include "compiler/lowering/Inlining.h"
#include "compiler/lowering/Loops.h"
#include "compiler/lowering/Reductions.h"
#include "compiler/lowering/Scans.h"
#include "compiler/lowering/Scopes.h"
#include "compiler/modules/Names.h"
#include "dialects/Kern/ScalarFunctions.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;

namespace kern::compiler {

bool sameShape(const Binding &a, const Binding &b) {
  if (a.as<Number>() && b.as<Number>())
    return true;
  const auto *x = a.as<Tuple>(), *y = b.as<Tuple>();
  return x && y && x->elements().size() == y->elements().size() &&
         llvm::equal(x->elements(), y->elements(), sameShape);
}

static bool isFoldable(const Binding &value) { return sameShape(value, value); }

void bindTargets(FunctionLowering &fn, const syntax::GeneratorClause &clause,
                 const Binding &element) {
  std::set<std::string> targets;
  collectTargets(*clause.target, targets);
  for (const std::string &name : targets) {
    fn.env().erase(name);
    fn.frame->names.read.insert(name);
  }
  assign(fn, *clause.target, element, clause.span);
}

static bool lowerClauses(FunctionLowering &fn,
                         const syntax::Generator &generator, size_t index,
                         const std::set<std::string> &assigned,
                         llvm::function_ref<bool()> body, Span span) {
  if (index == generator.clauses.size())
    return body();
  const syntax::GeneratorClause &clause = generator.clauses[index];
  std::optional<Sequence> sequence = unitStepSequenceOf(fn, *clause.iterable);
  if (!sequence)
    return false;
  return loopOver(
      fn, *sequence, assigned,
      [&](Value position) {
        std::optional<Binding> item = sequence->element(position);
        if (!item)
          return false;
        bindTargets(fn, clause, *item);
        std::vector<Edge> ends;
        for (const syntax::ExprPtr &expr : clause.conditions) {
          Value condition = fn.lowerCondition(*expr);
          if (!condition)
            return false;
          Block *next = fn.newBlock(), *skip = fn.newBlock();
          cf::CondBranchOp::create(fn.builder, fn.loc(expr->span), condition,
                                   next, skip);
          ends.push_back({skip, fn.env()});
          fn.builder.setInsertionPointToStart(next);
        }
        if (!lowerClauses(fn, generator, index + 1, assigned, body, span))
          return false;
        ends.push_back(fn.edge());
        fn.join(std::move(ends), span);
        return true;
      },
      span);
}

std::optional<Binding> combineTwo(FunctionLowering &fn, const Callee &callee,
                                  const Binding &left, const Binding &right,
                                  ArrayRef<Span> places, Span span) {
  if (callee.function)
    return inlineWith(fn, *callee.function, {{left, right}, places}, span);
  // A library function of two numbers.
  std::optional<Number> first = fn.scalarOf(left, places[0]);
  std::optional<Number> second = fn.scalarOf(right, places[1]);
  if (!first || !second)
    return std::nullopt;
  return Binding(fn.apply(scalarFunctionNamed(callee.name)->function,
                          {*first, *second}, span));
}

static std::optional<Binding>
combineFolded(FunctionLowering &fn, const Callee &callee, const Binding &folded,
              const Binding &element, ArrayRef<Span> places, Span span) {
  std::optional<Binding> result =
      combineTwo(fn, callee, folded, element, places, span);
  if (!result || sameShape(*result, folded))
    return result;
  if (!result->as<Poisoned>())
    fn.error(Diag::fold_type, span,
             {describe(folded), describe(element), describe(*result)})
        .help = "its result is the first argument of the next call: both have "
                "the shape of the initial value";
  return std::nullopt;
}

/// The identity is evaluated in the scope of the function's own file.
static std::optional<Binding> lowerIdentity(FunctionLowering &fn,
                                            const syntax::Expr &identity,
                                            ScopedFunction function) {
  std::optional<NamedConstant> value =
      evaluateConstant(identity, *function.scope);
  if (!value) {
    fn.failed = true;
    return std::nullopt;
  }
  return useConstant(fn, *value, identity.span);
}

std::optional<Callee> binaryFunction(FunctionLowering &fn,
                                     const syntax::Expr &function,
                                     llvm::function_ref<void(Span)> refuse) {
  if (!function.as<syntax::Name>() && !function.as<syntax::Attribute>()) {
    refuse(function.span);
    return std::nullopt;
  }
  std::optional<Callee> callee = calleeOf(fn, function);
  if (!callee)
    return std::nullopt;
  const ir::ScalarFunctionInfo *library = nullptr;
  // For two numbers these are library functions with other names.
  if (!callee->function && (callee->name == "max" || callee->name == "min"))
    callee->name = callee->name == "max" ? "maximum" : "minimum";
  if (!callee->function)
    library = scalarFunctionNamed(callee->name);
  if (!callee->function && !library)
    for (const ScopedFunction &inKern :
         fn.scope().libraryFunctions(callee->name))
      if (!callee->function || inKern.function->parameters.size() == 2)
        callee->function = inKern;
  if (!callee->function && !library && !isLanguageFunction(callee->name)) {
    unknownFunction(fn, callee->name, function.span);
    return std::nullopt;
  }
  bool isBinary =
      callee->function
          ? callee->function->function->parameters.size() == 2
          : library && library->inputs == 2 && library->outputs == 1;
  if (isBinary)
    return callee;
  refuse(function.span);
  return std::nullopt;
}

std::optional<Binding> lowerFold(FunctionLowering &fn, const syntax::Call &call,
                                 Span span) {
  auto refuse = [&](Span place) {
    fn.error(Diag::fold_function, place).help =
        "`fold(f, 0.0, x for x in v)`, with `def f(a, b)`; without an initial "
        "value `f` is a ufunc with `@associative(identity=…)`";
    return std::nullopt;
  };
  const bool hasInitial = call.arguments.size() == 3;
  if (!hasInitial && call.arguments.size() != 2)
    return refuse(span);
  const syntax::Expr &function = *call.arguments[0];
  std::optional<Callee> callee = binaryFunction(fn, function, refuse);
  if (!callee)
    return std::nullopt;
  const syntax::Expr *start = hasInitial ? call.arguments[1].get()
                              : callee->function
                                  ? identityOf(*callee->function->function)
                                  : nullptr;
  if (!start)
    return refuse(span);
  std::optional<Binding> initial =
      hasInitial ? fn.lowerExpr(*start)
                 : lowerIdentity(fn, *start, *callee->function);
  if (!initial)
    return std::nullopt;
  if (!isFoldable(*initial)) {
    fn.scalarOf(*initial, start->span);
    return std::nullopt;
  }

  const syntax::Expr &last = *call.arguments.back();
  const auto *generator = last.as<syntax::Generator>();
  Span element = generator ? generator->element->span : last.span;
  Span places[] = {hasInitial ? start->span : function.span, element};
  const bool isPlain =
      !generator || (generator->clauses.size() == 1 &&
                     generator->clauses.front().conditions.empty());
  if (isPlain) {
    auto combine = [&](const Binding &a, const Binding &b) {
      return combineFolded(fn, *callee, a, b, places, span);
    };
    if (auto folded = foldInGroups(fn, last, *initial, combine, span))
      return *folded;
  }

  // The folded value is a variable with a name that no program can write.
  std::string folded = "fold " + std::to_string(span.begin);
  EnvScope own(fn);
  fn.env().insert_or_assign(folded, *initial);
  auto step = [&](const Binding &value) {
    std::optional<Binding> next = combineFolded(
        fn, *callee, fn.env().find(folded)->second, value, places, span);
    if (next)
      fn.env().insert_or_assign(folded, *next);
    return next.has_value();
  };
  bool ok = false;
  if (generator) {
    ok = lowerClauses(
        fn, *generator, 0, {folded},
        [&] {
          std::optional<Binding> value = fn.lowerExpr(*generator->element);
          return value && step(*value);
        },
        span);
  } else if (std::optional<Sequence> sequence = unitStepSequenceOf(fn, last)) {
    ok = loopOver(
        fn, *sequence, {folded},
        [&](Value index) {
          std::optional<Binding> value = sequence->element(index);
          return value && step(*value);
        },
        span);
  }
  if (!ok) {
    fn.failed = true;
    // Lowering goes on, to find further errors.
    if (!fn.isReachable())
      fn.builder.setInsertionPointToStart(fn.newBlock());
    return std::nullopt;
  }
  return fn.env().find(folded)->second;
}

} // namespace kern::compiler
