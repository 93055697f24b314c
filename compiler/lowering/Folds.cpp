//===- Folds.cpp - fold(f, init, generator) -------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop that carries the folded value, which may be a tuple. It runs in the
// order of the generator, so that a function that does not commute is right,
// and `init` enters once.
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/Associative.h"
#include "compiler/lowering/FunctionLowering.h"
#include "compiler/modules/Names.h"
#include "dialects/Kern/ScalarFunctions.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;

namespace kern {

/// Whether two values are numbers, or tuples of as many values of one shape.
static bool sameShape(const Binding &a, const Binding &b) {
  if (a.as<Number>() && b.as<Number>())
    return true;
  const auto *x = a.as<Tuple>(), *y = b.as<Tuple>();
  return x && y && x->elements().size() == y->elements().size() &&
         llvm::equal(x->elements(), y->elements(), sameShape);
}

static bool isFoldable(const Binding &value) { return sameShape(value, value); }

bool FunctionLowering::overTurns(const Iterable &sequence,
                                 const std::set<std::string> &assigned,
                                 llvm::function_ref<bool(Value index)> body,
                                 Span span) {
  LoopHeader header = openLoop(assigned, sequence.lower, span);
  counters.insert({header.counter,
                   {sequence.lower, sequence.upper, *sequence.constantStep}});
  Block *turn = newBlock(), *exit = newBlock();
  cf::CondBranchOp::create(builder, loc(span),
                           inRange(sequence, header.counter, span), turn, exit);
  std::vector<Edge> after{{exit, env}};
  builder.setInsertionPointToStart(turn);
  if (!body(header.counter))
    return false;
  Value next =
      applyValues(ScalarFunction::add, {header.counter, sequence.step}, span);
  closeLoop(header, next, span);
  join(std::move(after), span);
  return true;
}

void FunctionLowering::bindTurn(const syntax::GeneratorClause &clause,
                                const Binding &element) {
  std::set<std::string> targets;
  collectTargets(*clause.target, targets);
  for (const std::string &name : targets) {
    env.erase(name);
    readNames.insert(name);
  }
  assign(*clause.target, element, clause.span);
}

bool FunctionLowering::overGenerator(const syntax::Generator &generator,
                                     size_t index,
                                     const std::set<std::string> &assigned,
                                     llvm::function_ref<bool()> body,
                                     Span span) {
  if (index == generator.clauses.size())
    return body();
  const syntax::GeneratorClause &clause = generator.clauses[index];
  std::optional<Iterable> sequence = inOrder(*clause.iterable);
  if (!sequence)
    return false;
  return overTurns(
      *sequence, assigned,
      [&](Value position) {
        std::optional<Binding> turn = sequence->element(position);
        if (!turn)
          return false;
        bindTurn(clause, *turn);
        std::vector<Edge> ends;
        for (const syntax::ExprPtr &expr : clause.conditions) {
          Value condition = lowerCondition(*expr);
          if (!condition)
            return false;
          Block *next = newBlock(), *skip = newBlock();
          cf::CondBranchOp::create(builder, loc(expr->span), condition, next,
                                   skip);
          ends.push_back({skip, env});
          builder.setInsertionPointToStart(next);
        }
        if (!overGenerator(generator, index + 1, assigned, body, span))
          return false;
        ends.push_back(edge());
        join(std::move(ends), span);
        return true;
      },
      span);
}

std::optional<Binding> FunctionLowering::combineFolded(const Callee &callee,
                                                       const Binding &folded,
                                                       const Binding &element,
                                                       ArrayRef<Span> places,
                                                       Span span) {
  std::optional<Binding> result;
  if (callee.function) {
    result = inlineWith(*callee.function, {folded, element}, places, span);
    if (!result)
      return std::nullopt;
  } else {
    // A function of the library, of two numbers.
    std::optional<Number> left = scalarOf(folded, places[0]);
    std::optional<Number> right = scalarOf(element, places[1]);
    if (!left || !right)
      return std::nullopt;
    result = Binding(apply(scalarFunctionNamed(callee.name)->function,
                           {*left, *right}, span));
  }
  if (!sameShape(*result, folded)) {
    if (!result->as<Unusable>())
      error(Diag::fold_type, span,
            {describe(folded), describe(element), describe(*result)})
          .help = "its result is the first argument of the next call: both "
                  "have the shape of the initial value";
    return std::nullopt;
  }
  return result;
}

/// The identity is a constant of the function's own file.
std::optional<Binding>
FunctionLowering::lowerIdentity(const syntax::Expr &identity,
                                ScopedFunction function) {
  std::optional<NamedConstant> value =
      evaluateConstant(identity, *function.scope);
  if (!value) {
    failed = true;
    return std::nullopt;
  }
  return useConstant(*value, identity.span);
}

std::optional<Binding> FunctionLowering::lowerFold(const syntax::Call &call,
                                                   Span span) {
  auto refuse = [&](Span place) {
    error(Diag::fold_function, place).help =
        "`fold(f, 0.0, x for x in v)`, with `def f(a, b)`; without an initial "
        "value `f` is a ufunc with `@associative(identity=…)`";
    return std::nullopt;
  };
  const bool hasInitial = call.arguments.size() == 3;
  if (!hasInitial && call.arguments.size() != 2)
    return refuse(span);
  const syntax::Expr &function = *call.arguments[0];
  if (!function.as<syntax::Name>() && !function.as<syntax::Attribute>())
    return refuse(function.span);
  std::optional<Callee> callee = calleeOf(function);
  if (!callee)
    return std::nullopt;
  const ScalarFunctionInfo *library = nullptr;
  // Of two numbers they are functions of the library by other names.
  if (!callee->function && (callee->name == "max" || callee->name == "min"))
    callee->name = callee->name == "max" ? "maximum" : "minimum";
  if (!callee->function)
    library = scalarFunctionNamed(callee->name);
  if (!callee->function && !library)
    for (const ScopedFunction &inKern : scope->libraryFunctions(callee->name))
      if (!callee->function || inKern.function->parameters.size() == 2)
        callee->function = inKern;
  if (!callee->function && !library && !isLanguageFunction(callee->name)) {
    unknownFunction(callee->name, function.span);
    return std::nullopt;
  }
  bool isBinary =
      callee->function
          ? callee->function->function->parameters.size() == 2
          : library && library->inputs == 2 && library->outputs == 1;
  if (!isBinary)
    return refuse(function.span);
  const syntax::Expr *start = hasInitial ? call.arguments[1].get()
                              : callee->function
                                  ? identityOf(*callee->function->function)
                                  : nullptr;
  if (!start)
    return refuse(span);
  std::optional<Binding> initial =
      hasInitial ? lowerExpr(*start) : lowerIdentity(*start, *callee->function);
  if (!initial)
    return std::nullopt;
  if (!isFoldable(*initial)) {
    scalarOf(*initial, start->span);
    return std::nullopt;
  }

  // The folded value is a variable that no program can name.
  std::string folded = "fold " + std::to_string(span.begin) + " " +
                       std::to_string(inlined.size());
  Environment before = env;
  env.insert_or_assign(folded, *initial);
  const syntax::Expr &last = *call.arguments.back();
  const auto *generator = last.as<syntax::Generator>();
  Span element = generator ? generator->element->span : last.span;
  Span places[] = {hasInitial ? start->span : function.span, element};
  auto step = [&](const Binding &value) {
    std::optional<Binding> next =
        combineFolded(*callee, env.find(folded)->second, value, places, span);
    if (next)
      env.insert_or_assign(folded, *next);
    return next.has_value();
  };
  bool ok = false;
  if (generator) {
    ok = overGenerator(
        *generator, 0, {folded},
        [&] {
          std::optional<Binding> value = lowerExpr(*generator->element);
          return value && step(*value);
        },
        span);
  } else if (std::optional<Iterable> sequence = inOrder(last)) {
    ok = overTurns(
        *sequence, {folded},
        [&](Value index) {
          std::optional<Binding> value = sequence->element(index);
          return value && step(*value);
        },
        span);
  }
  if (!ok) {
    failed = true;
    // What follows is checked all the same.
    if (!isReachable())
      builder.setInsertionPointToStart(newBlock());
    env = std::move(before);
    return std::nullopt;
  }
  Binding result = env.find(folded)->second;
  env = std::move(before);
  return result;
}

} // namespace kern
