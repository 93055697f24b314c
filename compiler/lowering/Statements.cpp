//===- Statements.cpp - assignments, branches, returns --------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/diagnostics/Wording.h"
#include "compiler/lowering/FunctionLowering.h"
#include "compiler/lowering/Names.h"
#include "dialects/Kern/ElementTypes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

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

/// The beginning of what is written there, on one line.
static std::string shortened(StringRef text) {
  constexpr size_t longest = 60;
  StringRef line =
      text.take_until([](char c) { return c == '\n' || c == '\r'; });
  if (line.size() == text.size() && text.size() <= longest)
    return text.str();
  line = line.take_front(longest);
  while (!line.empty() && (line.back() & 0xc0) == 0x80)
    line = line.drop_back(); // a part of a character
  if (!line.empty() && (line.back() & 0x80))
    line = line.drop_back();
  return line.str() + "…";
}

/// Without the check it is looked at for its names and types alone.
void FunctionLowering::lowerAssert(const syntax::Assert &statement, Span span) {
  Value condition = lowerCondition(*statement.condition);
  if (!condition || !checks.asserts)
    return;
  std::string text = statement.message
                         ? *statement.message
                         : "`" +
                               shortened(diagnostics.sourceManager().text(
                                   statement.condition->span)) +
                               "` does not hold";
  AssertOp::create(builder, loc(span), condition, text);
}

void FunctionLowering::lowerExprStmt(const syntax::ExprStmt &statement,
                                     Span span) {
  std::optional<Binding> value = lowerExpr(*statement.value);
  if (value && !value->as<Nothing>())
    diagnostics.report(Diag::unused_value, span);
}

//===----------------------------------------------------------------------===//
// Assignments
//===----------------------------------------------------------------------===//

void FunctionLowering::lowerAssign(const syntax::Assign &statement, Span span) {
  std::optional<Binding> value = lowerExpr(*statement.value);
  Binding bound = value ? *value : Binding(Unusable{Unusable::Failed, span});
  if (bound.as<Nothing>()) {
    error(Diag::nothing_as_value, statement.value->span);
    bound = Unusable{Unusable::Failed, span};
  }
  // A local array is called by the first name that it gets.
  if (auto *view = bound.as<ArrayView>(); view && view->name.empty())
    if (const auto *name = statement.targets.front()->as<syntax::Name>())
      view->name = name->name;
  for (const syntax::ExprPtr &target : statement.targets)
    assign(*target, bound, span);
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

/// How all elements of an array are written, for messages.
static std::string elementwise(const std::string &name, size_t rank) {
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

void FunctionLowering::assign(const syntax::Expr &target, const Binding &value,
                              Span span) {
  if (const auto *name = target.as<syntax::Name>())
    return assignName(name->name, target.span, value);
  if (const auto *tuple = target.as<syntax::Tuple>()) {
    std::vector<Binding> elements;
    // After an error the names are bound all the same, so that it is the only
    // one.
    auto giveUp = [&] {
      for (const syntax::ExprPtr &element : tuple->elements)
        assign(*element, Unusable{Unusable::Failed, span}, span);
    };
    if (const auto *values = value.as<Tuple>()) {
      elements = values->elements;
    } else if (const auto *view = value.as<ArrayView>()) {
      // An array unpacks when its size is a constant of the header.
      auto size = view->open().front()->extent.getDefiningOp<ConstantOp>();
      auto number = size ? dyn_cast<IntegerAttr>(size.getValue()) : nullptr;
      if (!number) {
        error(Diag::tuple_arity, target.span,
              {"an array whose size is not a constant",
               std::to_string(tuple->elements.size()) + " names"});
        return giveUp();
      }
      for (int64_t i = 0; i < number.getValue().getSExtValue(); ++i) {
        ArrayView part = atFirst(*view, constantInt(i, span), span);
        elements.push_back(part.open().empty() ? Binding(load(part, span))
                                               : Binding(part));
      }
    } else if (value.as<Unusable>()) {
      elements.assign(tuple->elements.size(), value);
    } else {
      Diagnostic &diagnostic =
          error(Diag::tuple_arity, target.span,
                {"a number", counted(tuple->elements.size(), "name")});
      if (tuple->elements.size() == 2)
        diagnostic.help = "of an array, `for i, x in enumerate(v)` gives each "
                          "index and element";
      return giveUp();
    }
    if (elements.size() != tuple->elements.size()) {
      error(Diag::tuple_arity, target.span,
            {std::to_string(elements.size()) + " values",
             std::to_string(tuple->elements.size()) + " names"});
      elements.assign(tuple->elements.size(), Unusable{Unusable::Failed, span});
    }
    for (auto [element, part] : llvm::zip(tuple->elements, elements))
      assign(*element, part, span);
    return;
  }
  if (const auto *subscript = target.as<syntax::Subscript>()) {
    // `out[0] = e` on a scalar result is `out = e`.
    if (const auto *name = subscript->value->as<syntax::Name>();
        name && llvm::is_contained(scalarResults, name->name)) {
      auto found = env.find(name->name);
      if (found == env.end() || !found->second.as<ArrayView>())
        return assignName(name->name, target.span, value);
    }
    std::optional<Binding> base = lowerExpr(*subscript->value);
    if (!base)
      return;
    const auto *view = base->as<ArrayView>();
    if (!view) {
      error(Diag::not_an_array, subscript->value->span, {"this"});
      return;
    }
    std::optional<ArrayView> place = indexView(*view, *subscript, target.span);
    if (!place)
      return;
    if (!place->open().empty()) {
      const bool hasSlice =
          llvm::any_of(subscript->indices, [](const syntax::Index &index) {
            return index.isSlice;
          });
      Diagnostic &diagnostic =
          hasSlice
              ? error(Diag::part_assigned, target.span,
                      {view->name, counted(place->open().size(), "dimension")})
              : error(Diag::index_count, target.span,
                      {view->name, counted(view->open().size(), "dimension"),
                       countedAre(subscript->indices.size(), "index",
                                  "indices")});
      diagnostic.help = "write one element at a time: " +
                        elementwise(view->name, view->open().size());
      return;
    }
    if (value.as<Unusable>())
      return;
    std::optional<Number> scalar = scalarOf(value, span);
    if (!scalar)
      return;
    store(materialize(*scalar, span), *place, target.span);
    return;
  }
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
  std::optional<Number> old = lowerScalar(*statement.target);
  std::optional<Number> operand = lowerScalar(*statement.value);
  Binding result = Unusable{Unusable::Failed, span};
  if (old && operand)
    result = apply(functionOf(statement.op), {*old, *operand}, span);
  assign(*statement.target, result, span);
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

void FunctionLowering::lowerIf(const syntax::If &statement) {
  Value condition = lowerCondition(*statement.condition);
  Span span = statement.condition->span;
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
      error(Diag::prange_return, span);
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
      parts.append(tuple->elements.begin(), tuple->elements.end());
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
        error(Diag::missing_return, span, {function.name.name});
    } else if (parts.size() != *returnCount) {
      error(Diag::return_count, span,
            {function.name.name, counted(parts.size(), "value"),
             countedAre(*returnCount, "value", "values")});
      value.reset();
    }
  }
  SmallVector<Value> values;
  for (const Binding &part : parts) {
    std::optional<Number> scalar = value && statement.value
                                       ? scalarOf(part, statement.value->span)
                                       : std::nullopt;
    if (const auto *own = part.as<Number>(); own && !scalar && value)
      scalar = *own;
    if (!scalar) {
      if (value && !statement.value)
        error(Diag::missing_return, span, {function.name.name});
      value.reset();
      break;
    }
    values.push_back(materialize(*scalar, span));
  }
  if (value)
    ReturnOp::create(builder, loc(span), values);
  builder.clearInsertionPoint();
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
