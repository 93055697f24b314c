//===- Assignments.cpp - assignments to names and elements ----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/Assignments.h"

#include "compiler/lowering/ArrayCalls.h"
#include "compiler/lowering/ArrayExpressions.h"
#include "compiler/lowering/Arrays.h"
#include "compiler/lowering/Calls.h"
#include "compiler/lowering/ChosenArrays.h"
#include "compiler/lowering/Expressions.h"
#include "compiler/lowering/Loops.h"
#include "compiler/lowering/Scans.h"
#include "compiler/lowering/WholeArrays.h"
#include "compiler/modules/Names.h"
#include "runtime/error/Counted.h"

using namespace mlir;

namespace kern::compiler {

using namespace ir;

void lowerAssign(FunctionLowering &fn, const syntax::Assign &statement,
                 Span span) {
  if (lowerScan(fn, statement, span) || lowerSwap(fn, statement, span) ||
      lowerExtremumUpdate(fn, statement) || lowerCallStore(fn, statement) ||
      lowerArrayAssign(fn, statement))
    return;
  std::optional<Binding> value = fn.lowerExpr(*statement.value);
  Binding bound = value ? *value : Binding(Poisoned{Poisoned::Failed, span});
  if (bound.as<NoValue>()) {
    fn.error(Diag::nothing_as_value, statement.value->span);
    bound = Poisoned{Poisoned::Failed, span};
  }
  for (const syntax::ExprPtr &target : statement.targets)
    assign(fn, *target, bound, statement.value->span);
}

/// Whether a name may be bound to a value; reports why not.
static bool checkRebinding(FunctionLowering &fn, const std::string &name,
                           Span target, const Binding &value) {
  auto found = fn.env().find(name);
  if (found != fn.env().end() && found->second.as<FunctionName>()) {
    fn.error(Diag::function_rebound, target, {name}).help =
        "give the value another name";
    found->second = Poisoned{Poisoned::Failed, target};
    return false;
  }
  const auto *view =
      found == fn.env().end() ? nullptr : found->second.as<ArrayView>();
  if (!view || ((value.as<ArrayView>() || value.as<Poisoned>()) &&
                !isWrittenOperand(fn, name)))
    return true;
  Diagnostic &diagnostic = fn.error(Diag::array_rebound, target, {name});
  diagnostic.notes.push_back({view->declared, "the array is here"});
  if (view->writable)
    diagnostic.help = "write to all of it: `" + name + "[:] = …`";
  return false;
}

std::string elementwise(const std::string &name, size_t rank) {
  if (rank > 2)
    return "`" + name + "[i, j, …] = …` in nested `for`s";
  return rank == 1 ? "`" + name + "[i] = …` in a `for i in range(n)`"
                   : "`" + name + "[i, j] = …` in a `for i, j in prange(m, n)`";
}

static void assignName(FunctionLowering &fn, const std::string &name,
                       Span target, Binding value) {
  if (!checkRebinding(fn, name, target, value))
    return;
  if (llvm::is_contained(fn.frame->scalarResults, name))
    fn.frame->names.read.insert(name); // the caller reads it
  fn.frame->names.assigned.try_emplace(name, target);
  // A local array takes the name that it is first assigned to.
  if (auto *view = value.as<ArrayView>(); view && view->name.empty()) {
    view->name = name;
    if (auto local = view->array.getDefiningOp<LocalOp>())
      local.setName(name);
  }
  if (auto declared = fn.frame->declaredTypes.find(name);
      declared != fn.frame->declaredTypes.end())
    if (const auto *scalar = value.as<Number>())
      value = fn.convert(*scalar, declared->second, CastMode::SameKind, target);
  fn.env().insert_or_assign(name, std::move(value));
}

static std::optional<std::vector<Binding>> partsOf(FunctionLowering &fn,
                                                   const Binding &value,
                                                   size_t wanted, Span target,
                                                   Span span) {
  if (const auto *values = value.as<Tuple>())
    return values->elements();
  if (value.as<Poisoned>())
    return std::vector<Binding>(wanted, value);
  const auto *view = value.as<ArrayView>();
  if (!view) {
    Diagnostic &diagnostic =
        fn.error(Diag::tuple_arity, target,
                 {"a number", runtime::counted(wanted, "name")});
    if (wanted == 2)
      diagnostic.help = "of an array, `for i, x in enumerate(v)` gives each "
                        "index and element";
    return std::nullopt;
  }
  // An array can be unpacked if the header fixes its size.
  std::optional<int64_t> size = knownInteger(view->open().front()->extent);
  if (!size) {
    fn.error(Diag::tuple_arity, target,
             {"an array whose size is not a constant",
              std::to_string(wanted) + " names"});
    return std::nullopt;
  }
  std::vector<Binding> parts;
  for (int64_t i = 0; i < *size; ++i) {
    ArrayView part = atFirst(fn, *view, fn.constantInt(i, span), span);
    parts.push_back(part.open().empty() ? Binding(load(fn, part, span))
                                        : Binding(part));
  }
  return parts;
}

static void unpack(FunctionLowering &fn, const syntax::Tuple &targets,
                   const Binding &value, Span target, Span span) {
  const size_t wanted = targets.elements.size();
  std::optional<std::vector<Binding>> parts =
      partsOf(fn, value, wanted, target, span);
  if (parts && parts->size() != wanted) {
    fn.error(Diag::tuple_arity, target,
             {std::to_string(parts->size()) + " values",
              std::to_string(wanted) + " names"});
    parts.reset();
  }
  // After an error the names are bound anyway, so that no other error follows
  // from it.
  if (!parts)
    parts.emplace(wanted, Binding(Poisoned{Poisoned::Failed, span}));
  for (auto [element, part] : llvm::zip(targets.elements, *parts))
    assign(fn, *element, part, span);
}

static void assignElement(FunctionLowering &fn, const syntax::Subscript &target,
                          const Binding &value, Span place, Span span) {
  // `out[0] = e` on a scalar result means `out = e`.
  if (const auto *name = target.value->as<syntax::Name>();
      name && llvm::is_contained(fn.frame->scalarResults, name->name)) {
    auto found = fn.env().find(name->name);
    if (found == fn.env().end() || !found->second.as<ArrayView>())
      return assignName(fn, name->name, place, value);
  }
  std::optional<Binding> base = fn.lowerExpr(*target.value);
  if (!base)
    return;
  const auto *view = base->as<ArrayView>();
  if (!view) {
    const bool isTuple = base->as<Tuple>();
    Diagnostic &diagnostic = fn.error(
        isTuple ? Diag::invalid_target : Diag::not_an_array, target.value->span,
        {isTuple ? "a tuple's element" : "this", "cannot be indexed"});
    if (isTuple)
      diagnostic.help = "a local array has elements to store to: "
                        "`t = zeros(n, f64)`";
    return;
  }
  std::optional<ArrayView> element = indexView(fn, *view, target, place);
  if (!element)
    return;
  if (!element->open().empty())
    return assignPart(fn, *element, value, place, span);
  if (value.as<Poisoned>())
    return;
  if (std::optional<Number> scalar = fn.scalarOf(value, span))
    store(fn, fn.materialize(*scalar, span), *element, place);
}

void assign(FunctionLowering &fn, const syntax::Expr &target,
            const Binding &value, Span span) {
  if (const auto *name = target.as<syntax::Name>())
    return assignName(fn, name->name, target.span, value);
  if (const auto *tuple = target.as<syntax::Tuple>())
    return unpack(fn, *tuple, value, target.span, span);
  if (const auto *subscript = target.as<syntax::Subscript>())
    return assignElement(fn, *subscript, value, target.span, span);
  fn.error(Diag::invalid_target, target.span, {"this"});
}

void lowerAnnotated(FunctionLowering &fn,
                    const syntax::AnnotatedAssign &statement, Span span) {
  std::optional<Number> value = fn.lowerScalar(*statement.value);
  if (!statement.type.element || statement.type.isArray) {
    fn.error(Diag::unknown_type, statement.type.span, {"[…]"}).help =
        "a local array is made by `zeros(n, T)`";
    return;
  }
  std::optional<TypeName> type =
      typeNamed(fn, statement.type.element->name, true);
  if (!type) {
    fn.error(Diag::unknown_type, statement.type.span,
             {statement.type.element->name});
    value.reset();
  }
  if (!checkRebinding(fn, statement.name.name, statement.name.span,
                      Constant{Integer(0)}))
    return;
  if (llvm::is_contained(fn.frame->scalarResults, statement.name.name))
    fn.frame->names.read.insert(statement.name.name); // the caller reads it
  Binding bound = Poisoned{Poisoned::Failed, span};
  if (value) {
    fn.frame->declaredTypes.insert_or_assign(statement.name.name, *type);
    bound = fn.convert(*value, *type, CastMode::SameKind, span);
  }
  fn.env().insert_or_assign(statement.name.name, bound);
  fn.frame->names.assigned.try_emplace(statement.name.name,
                                       statement.name.span);
}

void lowerAugmented(FunctionLowering &fn,
                    const syntax::AugmentedAssign &statement, Span span) {
  if (lowerArrayUpdate(fn, statement))
    return;
  if (const auto *subscript = statement.target->as<syntax::Subscript>()) {
    const auto *name = subscript->value->as<syntax::Name>();
    bool isScalarResult =
        name && llvm::is_contained(fn.frame->scalarResults, name->name);
    if (!isScalarResult)
      return lowerElementUpdate(fn, statement, *subscript, span);
  }
  if (const auto *name = statement.target->as<syntax::Name>();
      name && !fn.env().count(name->name) && !isNamed(fn, name->name))
    reportUnboundUpdate(fn, name->name, statement.op, statement.target->span);
  std::optional<Number> old = fn.lowerScalar(*statement.target);
  std::optional<Number> operand = fn.lowerScalar(*statement.value);
  Binding result = Poisoned{Poisoned::Failed, span};
  if (old && operand)
    result = fn.apply(functionOf(statement.op), {*old, *operand}, span);
  assign(fn, *statement.target, result, span);
}

} // namespace kern::compiler
