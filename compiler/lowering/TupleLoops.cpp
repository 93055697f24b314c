//===- TupleLoops.cpp - loops over the elements of tuples -----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/dependence/Counting.h"
#include "compiler/lowering/Arrays.h"
#include "compiler/lowering/Assignments.h"
#include "compiler/lowering/Expressions.h"
#include "compiler/lowering/Loops.h"
#include "compiler/modules/Names.h"
#include "compiler/modules/Visit.h"

using namespace mlir;

namespace kern::compiler {

using Elements = std::vector<Binding>;

static std::set<std::string> namesIn(const syntax::Expr &expr) {
  std::set<std::string> names;
  if (const auto *name = expr.as<syntax::Name>())
    names.insert(name->name);
  visitParts(expr,
             [&](const syntax::Expr &part) { names.merge(namesIn(part)); });
  return names;
}

/// The elements of the tuple or the short table that an expression is, if that
/// is plain before it is lowered: as written, or a name of one.
static std::optional<Elements> elementsOf(FunctionLowering &fn,
                                          const syntax::Expr &expr);

static Elements pairedWithIndices(const Elements &elements, int64_t first) {
  Elements pairs;
  for (const auto &[index, element] : llvm::enumerate(elements))
    pairs.push_back(
        Tuple({Constant{Integer(first + int64_t(index))}, element}));
  return pairs;
}

/// Tuples of the elements at one position each, as many as the shortest has.
static std::optional<Elements> zipped(FunctionLowering &fn,
                                      const syntax::Call &call) {
  std::vector<Elements> parts;
  size_t length = SIZE_MAX;
  for (const syntax::ExprPtr &argument : call.arguments) {
    std::optional<Elements> part = elementsOf(fn, *argument);
    if (!part)
      return std::nullopt;
    length = std::min(length, part->size());
    parts.push_back(std::move(*part));
  }
  Elements tuples;
  for (size_t i = 0; !parts.empty() && i < length; ++i) {
    std::vector<Binding> tuple;
    for (const Elements &part : parts)
      tuple.push_back(part[i]);
    tuples.push_back(Tuple(std::move(tuple)));
  }
  return tuples;
}

static std::optional<Elements> elementsOf(FunctionLowering &fn,
                                          const syntax::Call &call) {
  const auto *name = call.function->as<syntax::Name>();
  if (!name || fn.env().count(name->name) || fn.scope().function(name->name) ||
      call.arguments.empty() || !call.keywords.empty())
    return std::nullopt;
  if (name->name == "zip")
    return zipped(fn, call);
  if (call.arguments.size() != 1)
    return std::nullopt;
  if (name->name != "enumerate" && name->name != "reversed")
    return std::nullopt;
  std::optional<Elements> inner = elementsOf(fn, *call.arguments[0]);
  if (!inner)
    return std::nullopt;
  if (name->name == "enumerate")
    return pairedWithIndices(*inner, 0);
  std::reverse(inner->begin(), inner->end());
  return inner;
}

static std::optional<Elements> elementsOf(FunctionLowering &fn,
                                          const syntax::Expr &expr) {
  if (const auto *call = expr.as<syntax::Call>())
    return elementsOf(fn, *call);
  bool isTuple = expr.as<syntax::Tuple>() || expr.as<syntax::List>();
  auto isTable = [](const NamedConstant *constant) {
    return constant && (constant->isTuple || !constant->shape.empty());
  };
  if (const auto *name = expr.as<syntax::Name>()) {
    auto found = fn.env().find(name->name);
    const NamedConstant *constant =
        found == fn.env().end() ? fn.scope().constant(name->name) : nullptr;
    isTuple = found != fn.env().end()
                  ? found->second.as<Tuple>() || found->second.as<ArrayView>()
                  : isTable(constant);
  } else if (const auto *attribute = expr.as<syntax::Attribute>()) {
    const auto *prefix = attribute->value->as<syntax::Name>();
    ModuleScope *module = prefix && !fn.env().count(prefix->name)
                              ? fn.scope().module(prefix->name)
                              : nullptr;
    const NamedConstant *constant =
        module ? module->constant(attribute->name.name) : nullptr;
    isTuple = isTable(constant);
  }
  if (!isTuple)
    return std::nullopt;
  std::optional<Binding> tuple = fn.lowerExpr(expr);
  if (!tuple) // the error is reported
    return Elements();
  if (const auto *view = tuple->as<ArrayView>())
    return shortTable(fn, *view, expr.span);
  return tuple->as<Tuple>()->elements();
}

/// Lowers the body once for each element.
static void lowerEach(FunctionLowering &fn, const syntax::For &statement,
                      const Elements &elements, Span span) {
  std::set<std::string> targets;
  collectTargets(*statement.target, targets);
  for (const std::string &name : targets)
    fn.frame->names.read.insert(name); // it may go unused
  const LoopArrays *arrays =
      fn.frame->loops.empty() ? nullptr : fn.frame->loops.back().arrays;
  std::vector<Edge> breaks;
  RunOver names(fn, elements);
  for (const Binding &element : elements) {
    if (!fn.isReachable())
      break; // every path has left the loop
    assign(fn, *statement.target, element, statement.target->span);
    std::vector<Edge> left = lowerIteration(
        fn, {{}, {}, nullptr, arrays}, [&] { fn.lowerBlock(statement.body); },
        span);
    llvm::move(left, std::back_inserter(breaks));
  }
  std::vector<Edge> last;
  if (fn.isReachable())
    last.push_back(fn.edge());
  joinLoopEnds(fn, std::move(last), std::move(breaks), &statement.otherwise,
               span);
}

bool lowerTupleLoop(FunctionLowering &fn, const syntax::For &statement,
                    Span span) {
  std::optional<Elements> elements = elementsOf(fn, *statement.iterable);
  if (elements)
    lowerEach(fn, statement, *elements, span);
  return elements.has_value();
}

//===----------------------------------------------------------------------===//
// Counted loops
//===----------------------------------------------------------------------===//

/// Whether a name means a tuple or a table.
static bool isTableName(FunctionLowering &fn, const std::string &name) {
  if (auto found = fn.env().find(name); found != fn.env().end()) {
    const auto *view = found->second.as<ArrayView>();
    return found->second.as<Tuple>() ||
           (view && !view->chosen && view->array.getDefiningOp<ir::TableOp>());
  }
  const NamedConstant *constant = fn.scope().constant(name);
  return constant && (constant->isTuple || !constant->shape.empty());
}

/// Whether an expression has an element of a table at an index with this name.
static bool readsTableAt(FunctionLowering &fn, const syntax::Expr &expr,
                         const std::string &counter) {
  bool isRead = false;
  if (const auto *part = expr.as<syntax::Subscript>())
    if (const auto *base = part->value->as<syntax::Name>();
        base && isTableName(fn, base->name))
      visitParts(expr, [&](const syntax::Expr &index) {
        if (&index != part->value.get())
          isRead = isRead || namesIn(index).count(counter);
      });
  visitParts(expr, [&](const syntax::Expr &each) {
    isRead = isRead || readsTableAt(fn, each, counter);
  });
  return isRead;
}

bool lowerTableLoop(FunctionLowering &fn, const syntax::For &statement,
                    const Sequence &sequence, Span span) {
  constexpr __int128 most = 64;
  const auto *counter = statement.target->as<syntax::Name>();
  const auto *call = statement.iterable->as<syntax::Call>();
  const auto *called = call ? call->function->as<syntax::Name>() : nullptr;
  std::optional<int64_t> lower = knownInteger(sequence.lower);
  std::optional<int64_t> upper = knownInteger(sequence.upper);
  const std::optional<int64_t> step = sequence.constantStep;
  if (!counter || !called || called->name != "range" || !lower || !upper ||
      !step || (__int128(*upper) - *lower) / *step > most)
    return false;
  bool readsTable = false, isInnermost = true;
  visitBlock(statement.body, [&](const syntax::Expr &expr) {
    readsTable = readsTable || readsTableAt(fn, expr, counter->name);
  });
  visitStatements(statement.body, [&](const syntax::Stmt &stmt) {
    isInnermost =
        isInnermost && !stmt.as<syntax::For>() && !stmt.as<syntax::While>();
  });
  if (!readsTable || !isInnermost)
    return false;
  Elements elements;
  for (__int128 i = *lower; *step > 0 ? i < *upper : i > *upper; i += *step) {
    std::optional<Binding> element =
        sequence.element(fn.indexValue(fn.constantInt(int64_t(i), span), span));
    elements.push_back(element ? *element : Poisoned{Poisoned::Failed, span});
  }
  lowerEach(fn, statement, elements, span);
  return true;
}

} // namespace kern::compiler
