//===- Ranks.cpp - how many dimensions expressions have -------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/Ranks.h"

#include "compiler/dependence/Counting.h"
#include "compiler/lowering/ArrayCalls.h"
#include "compiler/lowering/Arrays.h"
#include "compiler/lowering/ChosenArrays.h"
#include "compiler/modules/Names.h"
#include "compiler/modules/Visit.h"

namespace kern::compiler {

using syntax::Expr;

/// The argument of a name; null without it.
static const Expr *keyword(const syntax::Call &call, llvm::StringRef name) {
  for (const auto &[each, value] : call.keywords)
    if (each.name == name)
      return value.get();
  return nullptr;
}

const Expr *axisOf(const syntax::Call &call, const ModuleScope &scope) {
  const Expr *named = keyword(call, "axis");
  return !named && hasNumPyOptions(call, scope) ? call.arguments[1].get()
                                                : named;
}

std::optional<LanguageFunction> Ranks::computing(const Expr &expr) {
  if (const auto *binary = expr.as<syntax::Binary>())
    return binary->op == syntax::BinaryOp::MatMul
               ? std::optional(LanguageFunction::MatMul)
               : std::nullopt;
  const auto *call = expr.as<syntax::Call>();
  std::optional<Callee> callee = call && !call->arguments.empty()
                                     ? calleeNamed(names, *call->function)
                                     : std::nullopt;
  if (!callee || callee->function)
    return std::nullopt;
  std::optional<LanguageFunction> function = languageFunction(callee->name);
  const bool isComputed =
      function &&
      (isReduction(*function) ? axisOf(*call, names.scope) != nullptr
                              : *function >= LanguageFunction::Arange);
  return isComputed ? function : std::nullopt;
}

size_t Ranks::ofShape(const Expr &shape) {
  if (const auto *tuple = shape.as<syntax::Tuple>())
    return tuple->elements.size();
  if (const auto *attribute = shape.as<syntax::Attribute>();
      attribute && attribute->name.name == "shape")
    return of(*attribute->value);
  if (const auto *name = shape.as<syntax::Name>())
    if (auto found = names.env.find(name->name); found != names.env.end())
      if (const auto *tuple = found->second.as<Tuple>())
        return tuple->elements().size();
  return 1;
}

size_t Ranks::ofArguments(const syntax::Call &call) {
  size_t rank = 0;
  for (const syntax::ExprPtr &argument : call.arguments)
    rank = std::max(rank, of(*argument));
  for (const auto &[each, argument] : call.keywords)
    rank = std::max(rank, of(*argument));
  return rank;
}

size_t Ranks::ofComputed(LanguageFunction function, const syntax::Call &call) {
  if (function == LanguageFunction::Arange)
    return 1;
  const size_t first = of(*call.arguments.front());
  if (isReduction(function)) {
    const Expr *keeps = keyword(call, "keepdims");
    const auto *kept = keeps ? keeps->as<syntax::BoolLiteral>() : nullptr;
    const auto *axes = axisOf(call, names.scope)->as<syntax::Tuple>();
    const size_t reduced = axes ? axes->elements.size() : 1;
    return kept && kept->value ? first : first - std::min(first, reduced);
  }
  if (call.arguments.size() != 2)
    return 0;
  const size_t second = of(*call.arguments[1]);
  if (!first || !second)
    return 0;
  return function == LanguageFunction::Outer   ? 2
         : function == LanguageFunction::Cross ? 1
                                               : first + second - 2;
}

size_t Ranks::ofDef(const ScopedFunction &def, const syntax::Call &call) {
  const syntax::Function &function = *def.function;
  if (*budget == 0)
    return 0;
  --*budget;
  // Arrays stand for their ranks; nothing reads their values.
  Environment env;
  auto bind = [&](const std::string &name, size_t rank) {
    if (rank == 0)
      env.insert_or_assign(name, Binding(Constant{Integer(0)}));
    else
      env.insert_or_assign(
          name,
          Binding(ArrayView{nullptr, "", {}, true, std::vector<Axis>(rank)}));
  };
  auto bindFunction = [&](const std::string &name,
                          const std::string &function) {
    std::optional<ScopedFunction> own = def.scope->function(function);
    env.insert_or_assign(
        name, Binding(FunctionName{
                  own ? llvm::StringRef(function)
                      : llvm::StringRef(def.scope->libraryName(function)),
                  own}));
  };
  auto give = [&](const std::string &name, const Expr &argument) {
    if (const FunctionName *bound = functionBound(names.env, argument)) {
      env.insert_or_assign(name, *bound);
      return;
    }
    std::optional<Callee> callee = calleeNamed(names, argument);
    if (callee &&
        (callee->function || names.scope.isLibraryFunction(callee->name)))
      env.insert_or_assign(
          name, Binding(FunctionName{callee->name, callee->function}));
    else
      bind(name, of(argument));
  };
  for (const syntax::Parameter &parameter : function.parameters)
    bind(parameter.name.name, 0);
  for (auto [parameter, argument] :
       llvm::zip(function.parameters, call.arguments))
    give(parameter.name.name, *argument);
  for (const auto &[name, argument] : call.keywords)
    if (env.count(name.name))
      give(name.name, *argument);
  size_t rank = 0;
  visitStatements(function.body, [&](const syntax::Stmt &stmt) {
    Ranks inside(NamesInBody{*def.scope, env, nullptr}, *budget);
    if (const auto *node = stmt.as<syntax::Assign>())
      if (const auto *name = node->targets.front()->as<syntax::Name>()) {
        // Which of several functions it is does not matter here.
        auto functions = functionsIn(*node->value, *def.scope);
        if (functions.empty())
          bind(name->name, inside.of(*node->value));
        else
          bindFunction(name->name, functions.front()->name);
      }
    if (const auto *node = stmt.as<syntax::Return>(); node && node->value)
      rank = std::max(rank, inside.of(*node->value));
  });
  return rank;
}

size_t Ranks::ofArrayCall(const Expr &expr, const syntax::Call &call) {
  if (size_t rank = arrayCallRank(names, expr))
    return rank;
  std::optional<Callee> callee = calleeNamed(names, *call.function);
  if (!callee)
    return 0;
  if (callee->function)
    return callee->function->function->kind == syntax::ItemKind::Def &&
                   ofArguments(call) > 0 && !takesNumbers(*callee->function)
               ? ofDef(*callee->function, call)
               : 0;
  const std::optional<LanguageFunction> function =
      languageFunction(callee->name);
  if (!function || call.arguments.empty())
    return 0;
  const Expr &first = *call.arguments.front();
  if (*function == LanguageFunction::Transpose ||
      *function == LanguageFunction::Array)
    return of(first);
  if (*function >= LanguageFunction::CumSum &&
      *function <= LanguageFunction::CumMin)
    return call.arguments.size() == 1 && call.keywords.empty() &&
           (first.as<syntax::Generator>() || of(first) == 1);
  if (!makesArray(*function))
    return 0;
  return *function < LanguageFunction::ZerosLike ? ofShape(first) : of(first);
}

/// Which of so many members a constant index chooses.
static std::optional<size_t> placeOf(const NamesInBody &names,
                                     const syntax::Subscript &part,
                                     size_t members) {
  const auto size = int64_t(members);
  const std::optional<Constant> known =
      constantOf(names, *part.indices[0].value);
  const Integer *integer = known ? known->asInt() : nullptr;
  const std::optional<int64_t> index =
      integer ? integer->asInt64() : std::nullopt;
  if (!index || *index < -size || *index >= size)
    return std::nullopt;
  return size_t(*index < 0 ? *index + size : *index);
}

/// Whether a part may be a member of a tuple.
static bool isMember(const syntax::Subscript &part) {
  return part.indices.size() == 1 && part.indices[0].value &&
         !part.indices[0].isSlice;
}

/// What a name is bound to, or a member of a tuple that a constant index
/// chooses; for another index the first member, if the others are like it. Null
/// for other expressions.
static const Binding *bindingOf(const NamesInBody &names, const Expr &expr) {
  if (const auto *name = expr.as<syntax::Name>()) {
    auto found = names.env.find(name->name);
    return found == names.env.end() ? nullptr : &found->second;
  }
  const auto *part = expr.as<syntax::Subscript>();
  const Binding *whole = part ? bindingOf(names, *part->value) : nullptr;
  const auto *tuple = whole ? whole->as<Tuple>() : nullptr;
  if (!tuple || !isMember(*part))
    return nullptr;
  const std::vector<Binding> &members = tuple->elements();
  if (std::optional<size_t> place = placeOf(names, *part, members.size()))
    return &members[*place];
  return areAlike(members) ? &members.front() : nullptr;
}

size_t Ranks::ofSubscript(const syntax::Subscript &part, const Expr &expr) {
  if (const Binding *member = bindingOf(names, expr)) {
    const auto *view = member->as<ArrayView>();
    return view ? view->open().size() : 0;
  }
  if (const auto *tuple = part.value->as<syntax::Tuple>();
      tuple && isMember(part) && !tuple->elements.empty())
    return of(*tuple->elements[placeOf(names, part, tuple->elements.size())
                                   .value_or(0)]);
  const size_t whole = of(*part.value);
  const size_t fixed = llvm::count_if(
      part.indices, [](const auto &index) { return !index.isSlice; });
  return fixed < whole ? whole - fixed : 0;
}

/// Whether arrays are arguments of a call element by element.
static bool isElementwise(const NamesInBody &names, const syntax::Call &call) {
  const size_t count = call.arguments.size() + call.keywords.size();
  auto takes = [&](const Callee &callee) {
    if (!callee.function)
      return takesNumbers(names.scope, callee.name, count) ||
             (count == 1 && names.typeVariables &&
              names.typeVariables->count(callee.name.str()));
    return callee.function->function->kind == syntax::ItemKind::Ufunc ||
           takesNumbers(*callee.function);
  };
  if (const FunctionName *bound = functionBound(names.env, *call.function))
    return llvm::all_of(bound->functions(), [&](const FunctionName &each) {
      return takes({each.name, each.function});
    });
  std::optional<Callee> callee = calleeNamed(names, *call.function);
  return callee && takes(*callee);
}

size_t Ranks::of(const Expr &expr) {
  if (const auto *name = expr.as<syntax::Name>()) {
    auto found = names.env.find(name->name);
    if (found != names.env.end()) {
      const auto *view = found->second.as<ArrayView>();
      return view ? view->open().size() : 0;
    }
    const NamedConstant *constant = names.scope.constant(name->name);
    return constant ? constant->shape.size() : 0;
  }
  if (const auto *part = expr.as<syntax::Subscript>())
    return ofSubscript(*part, expr);
  if (const auto *attribute = expr.as<syntax::Attribute>()) {
    const auto *prefix = attribute->value->as<syntax::Name>();
    ModuleScope *module = prefix && !names.env.count(prefix->name)
                              ? names.scope.module(prefix->name)
                              : nullptr;
    if (const NamedConstant *constant =
            module ? module->constant(attribute->name.name) : nullptr)
      return constant->shape.size();
    return attribute->name.name == "T" ? of(*attribute->value) : 0;
  }
  if (const auto *list = expr.as<syntax::List>())
    return 1 + of(*list->elements.front());
  if (const auto *unary = expr.as<syntax::Unary>())
    return of(*unary->operand);
  if (const auto *binary = expr.as<syntax::Binary>()) {
    const size_t left = of(*binary->left), right = of(*binary->right);
    if (binary->op == syntax::BinaryOp::MatMul)
      return left && right ? left + right - 2 : 0;
    return std::max(left, right);
  }
  if (const auto *compare = expr.as<syntax::Compare>();
      compare && compare->rest.size() == 1 && !hasMembership(*compare))
    return std::max(of(*compare->first), of(*compare->rest.front().second));
  if (const auto *choice = expr.as<syntax::Conditional>())
    return std::max(of(*choice->value), of(*choice->otherwise));
  const auto *call = expr.as<syntax::Call>();
  if (!call)
    return 0;
  if (const Expr *viewed = methodOperand(names, *call))
    return call->function->as<syntax::Attribute>()->name.name == "item"
               ? 0
               : of(*viewed);
  if (std::optional<LanguageFunction> function = computing(expr))
    return ofComputed(*function, *call);
  if (size_t rank = ofArrayCall(expr, *call))
    return rank;
  const size_t rank = ofArguments(*call);
  return rank > 0 && isElementwise(names, *call) ? rank : 0;
}

/// The array that a name or an index of one is a part of; null for others.
static const ArrayView *wholeOf(const NamesInBody &names, const Expr &expr) {
  const auto *part = expr.as<syntax::Subscript>();
  const auto *name = (part ? *part->value : expr).as<syntax::Name>();
  auto found = name ? names.env.find(name->name) : names.env.end();
  const bool isWhole = !part || llvm::none_of(part->indices, [](auto &index) {
    return index.isSlice;
  });
  return isWhole && found != names.env.end() ? found->second.as<ArrayView>()
                                             : nullptr;
}

bool Ranks::isChoice(const syntax::Conditional &expr) {
  const ArrayView *one = wholeOf(names, *expr.value);
  const ArrayView *other = wholeOf(names, *expr.otherwise);
  return one && other && haveSameShape(*one, *other) &&
         of(*expr.value) == of(*expr.otherwise);
}

bool Ranks::isPlain(const Expr &expr) {
  if (expr.as<syntax::Name>() || expr.as<syntax::Subscript>() ||
      expr.as<syntax::Attribute>() || expr.as<syntax::List>())
    return true;
  if (const auto *choice = expr.as<syntax::Conditional>())
    return isPlain(*choice->value) && isPlain(*choice->otherwise) &&
           of(*choice->value) == of(*choice->otherwise);
  const auto *call = expr.as<syntax::Call>();
  return call && !computing(expr) && !methodOperand(names, *call) &&
         ofArrayCall(expr, *call) > 0;
}

} // namespace kern::compiler
