//===- Assignments.cpp - names and elements that get a value --------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/FunctionLowering.h"
#include "compiler/modules/Names.h"
#include "runtime/error/Counted.h"

using namespace mlir;

namespace kern {

void FunctionLowering::lowerAssign(const syntax::Assign &statement, Span span) {
  std::optional<Binding> value = lowerExpr(*statement.value);
  Binding bound = value ? *value : Binding(Unusable{Unusable::Failed, span});
  if (bound.as<Nothing>()) {
    error(Diag::nothing_as_value, statement.value->span);
    bound = Unusable{Unusable::Failed, span};
  }
  // A local array is called by the first name that it gets.
  if (auto *view = bound.as<ArrayView>(); view && view->name.empty())
    if (const auto *name = statement.targets.front()->as<syntax::Name>()) {
      view->name = name->name;
      if (auto local = view->array.getDefiningOp<LocalOp>())
        local.setName(view->name);
    }
  for (const syntax::ExprPtr &target : statement.targets)
    assign(*target, bound, statement.value->span);
}

bool FunctionLowering::checkRebinding(const std::string &name, Span target) {
  auto found = env.find(name);
  const auto *view =
      found == env.end() ? nullptr : found->second.as<ArrayView>();
  if (!view)
    return true;
  Diagnostic &diagnostic = error(Diag::array_rebound, target, {name});
  diagnostic.notes.push_back({view->declared, "the array is here"});
  if (view->writable)
    diagnostic.help = "write its elements: `" + name + "[i] = …`";
  return false;
}

std::string elementwise(const std::string &name, size_t rank) {
  if (rank > 2)
    return "`" + name + "[i, j, …] = …` in nested `for`s";
  return rank == 1 ? "`" + name + "[i] = …` in a `for i in range(n)`"
                   : "`" + name + "[i, j] = …` in a `for i, j in prange(m, n)`";
}

void FunctionLowering::assignName(const std::string &name, Span target,
                                  Binding value) {
  if (!checkRebinding(name, target))
    return;
  if (llvm::is_contained(scalarResults, name))
    readNames.insert(name); // read by the caller
  if (inlined.empty())
    assignedNames.try_emplace(name, target);
  if (auto declared = declaredTypes.find(name); declared != declaredTypes.end())
    if (const auto *scalar = value.as<Number>())
      value = convert(*scalar, declared->second, CastMode::SameKind, target);
  env.insert_or_assign(name, std::move(value));
}

std::optional<std::vector<Binding>>
FunctionLowering::partsOf(const Binding &value, size_t wanted, Span target,
                          Span span) {
  if (const auto *values = value.as<Tuple>())
    return values->elements();
  if (value.as<Unusable>())
    return std::vector<Binding>(wanted, value);
  const auto *view = value.as<ArrayView>();
  if (!view) {
    Diagnostic &diagnostic =
        error(Diag::tuple_arity, target, {"a number", counted(wanted, "name")});
    if (wanted == 2)
      diagnostic.help = "of an array, `for i, x in enumerate(v)` gives each "
                        "index and element";
    return std::nullopt;
  }
  // An array unpacks when its size is a constant of the header.
  std::optional<int64_t> size = constantIndex(view->open().front()->extent);
  if (!size) {
    error(Diag::tuple_arity, target,
          {"an array whose size is not a constant",
           std::to_string(wanted) + " names"});
    return std::nullopt;
  }
  std::vector<Binding> parts;
  for (int64_t i = 0; i < *size; ++i) {
    ArrayView part = atFirst(*view, constantInt(i, span), span);
    parts.push_back(part.open().empty() ? Binding(load(part, span))
                                        : Binding(part));
  }
  return parts;
}

void FunctionLowering::unpack(const syntax::Tuple &targets,
                              const Binding &value, Span target, Span span) {
  const size_t wanted = targets.elements.size();
  std::optional<std::vector<Binding>> parts =
      partsOf(value, wanted, target, span);
  if (parts && parts->size() != wanted) {
    error(Diag::tuple_arity, target,
          {std::to_string(parts->size()) + " values",
           std::to_string(wanted) + " names"});
    parts.reset();
  }
  // After an error the names are bound all the same, so that it is the only
  // one.
  if (!parts)
    parts.emplace(wanted, Binding(Unusable{Unusable::Failed, span}));
  for (auto [element, part] : llvm::zip(targets.elements, *parts))
    assign(*element, part, span);
}

void FunctionLowering::assignElement(const syntax::Subscript &target,
                                     const Binding &value, Span place,
                                     Span span) {
  // `out[0] = e` on a scalar result is `out = e`.
  if (const auto *name = target.value->as<syntax::Name>();
      name && llvm::is_contained(scalarResults, name->name)) {
    auto found = env.find(name->name);
    if (found == env.end() || !found->second.as<ArrayView>())
      return assignName(name->name, place, value);
  }
  std::optional<Binding> base = lowerExpr(*target.value);
  if (!base)
    return;
  const auto *view = base->as<ArrayView>();
  if (!view) {
    error(Diag::not_an_array, target.value->span,
          {"this", "cannot be indexed"});
    return;
  }
  std::optional<ArrayView> element = indexView(*view, target, place);
  if (!element)
    return;
  if (!element->open().empty()) {
    const bool hasSlice =
        llvm::any_of(target.indices,
                     [](const syntax::Index &index) { return index.isSlice; });
    Diagnostic &diagnostic =
        hasSlice
            ? error(Diag::part_assigned, place,
                    {view->name, counted(element->open().size(), "dimension")})
            : error(Diag::index_count, place,
                    {view->name, counted(view->open().size(), "dimension"),
                     countedAre(target.indices.size(), "index")});
    diagnostic.help = "write one element at a time: " +
                      elementwise(view->name, view->open().size());
    return;
  }
  if (value.as<Unusable>())
    return;
  if (std::optional<Number> scalar = scalarOf(value, span))
    store(materialize(*scalar, span), *element, place);
}

void FunctionLowering::assign(const syntax::Expr &target, const Binding &value,
                              Span span) {
  if (const auto *name = target.as<syntax::Name>())
    return assignName(name->name, target.span, value);
  if (const auto *tuple = target.as<syntax::Tuple>())
    return unpack(*tuple, value, target.span, span);
  if (const auto *subscript = target.as<syntax::Subscript>())
    return assignElement(*subscript, value, target.span, span);
  error(Diag::invalid_target, target.span, {"this"});
}

void FunctionLowering::lowerAnnotated(const syntax::AnnotatedAssign &statement,
                                      Span span) {
  std::optional<Number> value = lowerScalar(*statement.value);
  if (!statement.type.element || statement.type.isArray) {
    error(Diag::unknown_type, statement.type.span, {"[…]"}).help =
        "a local array is made by `zeros(n, T)`";
    return;
  }
  std::optional<TypeName> type = typeNamed(statement.type.element->name, true);
  if (!type) {
    error(Diag::unknown_type, statement.type.span,
          {statement.type.element->name});
    value.reset();
  }
  if (!checkRebinding(statement.name.name, statement.name.span))
    return;
  if (llvm::is_contained(scalarResults, statement.name.name))
    readNames.insert(statement.name.name); // read by the caller
  Binding bound = Unusable{Unusable::Failed, span};
  if (value) {
    declaredTypes.insert_or_assign(statement.name.name, *type);
    bound = convert(*value, *type, CastMode::SameKind, span);
  }
  env.insert_or_assign(statement.name.name, bound);
  if (inlined.empty())
    assignedNames.try_emplace(statement.name.name, statement.name.span);
}

void FunctionLowering::lowerAugmented(const syntax::AugmentedAssign &statement,
                                      Span span) {
  if (const auto *subscript = statement.target->as<syntax::Subscript>()) {
    const auto *name = subscript->value->as<syntax::Name>();
    bool isScalarResult = name && llvm::is_contained(scalarResults, name->name);
    if (!isScalarResult)
      return lowerElementUpdate(statement, *subscript, span);
  }
  if (const auto *name = statement.target->as<syntax::Name>();
      name && !env.count(name->name) && !isNamed(name->name))
    reportUnboundUpdate(name->name, statement.op, statement.target->span);
  std::optional<Number> old = lowerScalar(*statement.target);
  std::optional<Number> operand = lowerScalar(*statement.value);
  Binding result = Unusable{Unusable::Failed, span};
  if (old && operand)
    result = apply(functionOf(statement.op), {*old, *operand}, span);
  assign(*statement.target, result, span);
}

//===----------------------------------------------------------------------===//
// Names that a block assigns
//===----------------------------------------------------------------------===//

void collectTargets(const syntax::Expr &target, std::set<std::string> &names) {
  if (const auto *name = target.as<syntax::Name>())
    names.insert(name->name);
  else if (const auto *tuple = target.as<syntax::Tuple>())
    for (const syntax::ExprPtr &element : tuple->elements)
      collectTargets(*element, names);
  else if (const auto *subscript = target.as<syntax::Subscript>())
    // `out[0] = e` assigns a scalar result; for an array it changes nothing.
    if (const auto *name = subscript->value->as<syntax::Name>())
      names.insert(name->name);
}

void collectAssigned(const syntax::Block &block, std::set<std::string> &names) {
  using namespace syntax;
  for (const StmtPtr &stmt : block) {
    if (const auto *assign = stmt->as<Assign>()) {
      for (const ExprPtr &target : assign->targets)
        collectTargets(*target, names);
    } else if (const auto *assign = stmt->as<AnnotatedAssign>()) {
      names.insert(assign->name.name);
    } else if (const auto *assign = stmt->as<AugmentedAssign>()) {
      collectTargets(*assign->target, names);
    } else if (const auto *branch = stmt->as<If>()) {
      collectAssigned(branch->then, names);
      collectAssigned(branch->otherwise, names);
    } else if (const auto *loop = stmt->as<While>()) {
      collectAssigned(loop->body, names);
    } else if (const auto *loop = stmt->as<For>()) {
      collectTargets(*loop->target, names);
      collectAssigned(loop->body, names);
    }
  }
}

} // namespace kern
