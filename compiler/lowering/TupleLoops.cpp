//===- TupleLoops.cpp - loops over the elements of tuples -----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/Assignments.h"
#include "compiler/lowering/Expressions.h"
#include "compiler/lowering/Loops.h"
#include "compiler/modules/Names.h"

using namespace mlir;

namespace kern::compiler {

using Elements = std::vector<Binding>;

/// The elements of the tuple that an expression is, if that is plain before it
/// is lowered: a tuple as written, or a name of one.
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
  bool isTuple = expr.as<syntax::Tuple>() != nullptr;
  if (const auto *name = expr.as<syntax::Name>()) {
    auto found = fn.env().find(name->name);
    const NamedConstant *constant =
        found == fn.env().end() ? fn.scope().constant(name->name) : nullptr;
    isTuple = found != fn.env().end() ? found->second.as<Tuple>() != nullptr
                                      : constant && constant->isTuple;
  } else if (const auto *attribute = expr.as<syntax::Attribute>()) {
    const auto *prefix = attribute->value->as<syntax::Name>();
    ModuleScope *module = prefix && !fn.env().count(prefix->name)
                              ? fn.scope().module(prefix->name)
                              : nullptr;
    const NamedConstant *constant =
        module ? module->constant(attribute->name.name) : nullptr;
    isTuple = constant && constant->isTuple;
  }
  if (!isTuple)
    return std::nullopt;
  std::optional<Binding> tuple = fn.lowerExpr(expr);
  if (!tuple) // the error is reported
    return Elements();
  return tuple->as<Tuple>()->elements();
}

bool lowerTupleLoop(FunctionLowering &fn, const syntax::For &statement,
                    Span span) {
  std::optional<Elements> elements = elementsOf(fn, *statement.iterable);
  if (!elements)
    return false;
  std::set<std::string> targets;
  collectTargets(*statement.target, targets);
  for (const std::string &name : targets)
    fn.frame->names.read.insert(name); // it may go unused
  std::vector<Edge> breaks;
  for (const Binding &element : *elements) {
    if (!fn.isReachable())
      break; // every path has left the loop
    assign(fn, *statement.target, element, statement.target->span);
    std::vector<Edge> left = lowerIteration(
        fn, nullptr, [&] { fn.lowerBlock(statement.body); }, span);
    llvm::move(left, std::back_inserter(breaks));
  }
  std::vector<Edge> last;
  if (fn.isReachable())
    last.push_back(fn.edge());
  joinLoopEnds(fn, std::move(last), std::move(breaks), &statement.otherwise,
               span);
  return true;
}

} // namespace kern::compiler
