//===- NegativeIndices.cpp - indices before the beginning of an array -----===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In Python `x[i - 1]` is the last element if `i` is 0. Here it lies before the
// array. The pass looks at loops over ranges that begin at a known number, and
// at what each of their iterations surely computes: nothing in a branch, after
// a `continue`, or behind `and` counts.
//
//===----------------------------------------------------------------------===//

#include "compiler/modules/ModuleScope.h"

#include "compiler/modules/Names.h"
#include "compiler/modules/Visit.h"

#include <map>

using namespace kern::compiler::syntax;

namespace kern::compiler {
namespace {

/// The deepest nesting that is looked at.
constexpr unsigned maxNesting = 1000;

class Finder {
public:
  Finder(const Function &function, DiagnosticEngine &diagnostics)
      : diagnostics(diagnostics) {
    collectAssigned(function.body, assigned);
  }
  /// Looks at a block as far as it surely runs.
  void run(const Block &block);

private:
  /// The least value of each counter that its loop surely has.
  using Counters = std::map<std::string, int64_t>;

  void look(const Expr &expr);
  void lookAt(const Subscript &subscript);
  void lookInLoop(const Expr &target, const Expr &iterable,
                  llvm::function_ref<void()> body);
  void add(const Expr &target, const Expr &iterable);
  void addCounter(const Expr &target, llvm::ArrayRef<ExprPtr> range);
  void addMembers(const Expr &target, const Expr &iterable);
  bool isFixed(const Expr &expr) const;
  void forget(const Block &block);
  void warn(const Subscript &subscript, const Index &index, int64_t value,
            const std::string &counter, int64_t at);

  DiagnosticEngine &diagnostics;
  std::set<std::string> assigned;
  Counters counters;
  unsigned nesting = 0;
};

} // namespace

static std::optional<int64_t> literalOf(const Expr &expr) {
  if (const auto *unary = expr.as<Unary>()) {
    std::optional<int64_t> value =
        unary->op == UnaryOp::Minus ? literalOf(*unary->operand) : std::nullopt;
    return value ? std::optional(-*value) : std::nullopt;
  }
  const auto *literal = expr.as<IntegerLiteral>();
  // Smaller than any overflow, and than any real index.
  constexpr uint64_t largest = uint64_t(1) << 40;
  if (!literal || literal->words.size() > 1)
    return std::nullopt;
  const uint64_t value = literal->words.empty() ? 0 : literal->words[0];
  return value < largest ? std::optional(int64_t(value)) : std::nullopt;
}

/// Whether a block may leave an iteration before its end.
static bool mayLeave(const Block &block) {
  bool found = false;
  visitStatements(block, [&](const Stmt &stmt) {
    found |= stmt.as<Break>() || stmt.as<Continue>() || stmt.as<Return>();
  });
  return found;
}

/// Whether a value is the same in all iterations of all loops.
bool Finder::isFixed(const Expr &expr) const {
  if (const auto *name = expr.as<Name>())
    return !assigned.contains(name->name);
  bool isFixed = !expr.as<Generator>();
  visitParts(expr, [&](const Expr &part) { isFixed &= this->isFixed(part); });
  return isFixed;
}

void Finder::forget(const Block &block) {
  std::set<std::string> names;
  collectAssigned(block, names);
  for (const std::string &name : names)
    counters.erase(name);
}

/// A counter over the arguments of `range`.
void Finder::addCounter(const Expr &target, llvm::ArrayRef<ExprPtr> range) {
  const auto *name = target.as<Name>();
  if (!name || range.empty() || range.size() > 3)
    return;
  counters.erase(name->name);
  std::optional<int64_t> begin =
      range.size() == 1 ? 0 : literalOf(*range.front());
  std::optional<int64_t> step = range.size() == 3 ? literalOf(*range[2]) : 1;
  // `range(n - 1, -1, -1)` ends with 0.
  if (step == -1) {
    std::optional<int64_t> end = literalOf(*range[1]);
    begin = end ? std::optional(*end + 1) : std::nullopt;
  }
  if (begin && step && *begin >= 0 && (*step > 0 || step == -1))
    counters[name->name] = *begin;
}

/// The least member of a tuple of numbers, of a generator. (In a `for` over it
/// each is a constant index, and -1 is the last element.)
void Finder::addMembers(const Expr &target, const Expr &iterable) {
  const auto *name = target.as<Name>();
  const auto *tuple = iterable.as<syntax::Tuple>();
  const auto *list = iterable.as<List>();
  if (!name || (!tuple && !list))
    return;
  std::optional<int64_t> least;
  for (const ExprPtr &member : tuple ? tuple->elements : list->elements) {
    const std::optional<int64_t> number = literalOf(*member);
    if (!number)
      return;
    least = std::min(least.value_or(*number), *number);
  }
  if (least && *least != 0) // another member than 0 is what -k is about
    counters[name->name] = *least;
}

void Finder::add(const Expr &target, const Expr &iterable) {
  const auto *call = iterable.as<Call>();
  const auto *function = call ? call->function->as<Name>() : nullptr;
  std::set<std::string> names;
  collectTargets(target, names);
  for (const std::string &name : names)
    counters.erase(name);
  const auto *targets = target.as<syntax::Tuple>();
  if (function && function->name == "reversed" && call->arguments.size() == 1)
    return add(target, *call->arguments.front());
  if (function && function->name == "enumerate" && targets) {
    std::optional<int64_t> first =
        call->arguments.size() < 2 ? 0 : literalOf(*call->arguments[1]);
    const auto *name = targets->elements.front()->as<Name>();
    if (name && first && *first >= 0 && call->keywords.empty())
      counters[name->name] = *first;
    return;
  }
  if (!function || (function->name != "range" && function->name != "prange"))
    return;
  if (!targets)
    return addCounter(target, call->arguments);
  if (targets->elements.size() != call->arguments.size())
    return;
  for (auto [each, extent] : llvm::zip(targets->elements, call->arguments)) {
    if (const auto *range = extent->as<syntax::Tuple>())
      addCounter(*each, range->elements);
    else
      addCounter(*each, extent);
  }
}

/// Looks at the body of a loop or generator. Other counters' least values count
/// in it only if it has the same iterations for all of them.
void Finder::lookInLoop(const Expr &target, const Expr &iterable,
                        llvm::function_ref<void()> body) {
  look(iterable);
  Counters outer = counters;
  if (!isFixed(iterable))
    counters.clear();
  add(target, iterable);
  body();
  counters = std::move(outer);
}

void Finder::warn(const Subscript &subscript, const Index &index, int64_t value,
                  const std::string &counter, int64_t at) {
  const auto *array = subscript.value->as<Name>();
  Diagnostic &warning =
      diagnostics.report(Diag::negative_index, index.span,
                         {std::to_string(value), counter, std::to_string(at)});
  warning.help =
      "indices do not wrap around: begin the loop later, or take " +
      (array ? "`" + array->name + "[…]`" : std::string("the element")) +
      " only where `" + counter + "` is large enough; `% n` wraps around";
}

void Finder::lookAt(const Subscript &subscript) {
  for (const Index &index : subscript.indices) {
    if (index.isSlice || !index.value)
      continue;
    if (const auto *name = index.value->as<Name>()) {
      const auto found = counters.find(name->name);
      if (found != counters.end() && found->second < 0)
        warn(subscript, index, found->second, name->name, found->second);
    } else if (const auto *binary = index.value->as<Binary>()) {
      // `i - 1`, `i + -1` and `-1 + i`.
      const bool isSum = binary->op == BinaryOp::Add;
      const bool isTurned = isSum && binary->right->as<Name>();
      const auto *name = (isTurned ? binary->right : binary->left)->as<Name>();
      const auto found = name ? counters.find(name->name) : counters.end();
      std::optional<int64_t> less =
          isSum || binary->op == BinaryOp::Sub
              ? literalOf(isTurned ? *binary->left : *binary->right)
              : std::nullopt;
      if (isSum && less)
        less = -*less;
      if (found != counters.end() && less && found->second < *less)
        warn(subscript, index, found->second - *less, name->name,
             found->second);
    } else if (const auto *unary = index.value->as<Unary>()) {
      const auto *name = unary->operand->as<Name>();
      const auto found = name ? counters.find(name->name) : counters.end();
      // The element at -0 is in the array.
      const int64_t at =
          found == counters.end() ? 0 : std::max<int64_t>(found->second, 1);
      if (found != counters.end() && found->second >= 0 &&
          unary->op == UnaryOp::Minus)
        warn(subscript, index, -at, name->name, at);
    }
  }
}

/// Looks at what an expression surely computes.
void Finder::look(const Expr &expr) {
  if (counters.empty() && !expr.as<Generator>() && !expr.as<Call>())
    return visitParts(expr, [&](const Expr &part) {
      if (++nesting <= maxNesting)
        look(part);
      --nesting;
    });
  if (nesting > maxNesting)
    return;
  ++nesting;
  if (const auto *conditional = expr.as<Conditional>()) {
    look(*conditional->condition);
  } else if (const auto *logical = expr.as<Logical>()) {
    look(*logical->operands.front());
  } else if (const auto *compare = expr.as<Compare>()) {
    look(*compare->first);
    look(*compare->rest.front().second);
  } else if (const auto *generator = expr.as<Generator>()) {
    auto clause = [&](size_t number, auto &self) -> void {
      if (number == generator->clauses.size())
        return look(*generator->element);
      const GeneratorClause &each = generator->clauses[number];
      lookInLoop(*each.target, *each.iterable, [&] {
        addMembers(*each.target, *each.iterable);
        if (each.conditions.empty())
          self(number + 1, self);
        else
          look(*each.conditions.front());
      });
    };
    clause(0, clause);
  } else {
    if (const auto *subscript = expr.as<Subscript>())
      lookAt(*subscript);
    visitParts(expr, [&](const Expr &part) { look(part); });
  }
  --nesting;
}

void Finder::run(const Block &block) {
  for (const StmtPtr &stmt : block) {
    if (const auto *branch = stmt->as<If>()) {
      look(*branch->condition);
      if (mayLeave(branch->then) || mayLeave(branch->otherwise))
        return;
      forget(branch->then);
      forget(branch->otherwise);
    } else if (const auto *loop = stmt->as<While>()) {
      forget(loop->body);
      look(*loop->condition);
      if (mayLeave(loop->body))
        return;
    } else if (const auto *loop = stmt->as<For>()) {
      lookInLoop(*loop->target, *loop->iterable, [&] { run(loop->body); });
      forget(loop->body);
      bool returns = false;
      visitStatements(loop->body, [&](const Stmt &inner) {
        returns |= inner.as<Return>() != nullptr;
      });
      if (returns)
        return;
    } else if (const auto *assign = stmt->as<Assign>()) {
      look(*assign->value);
      std::set<std::string> names;
      for (const ExprPtr &target : assign->targets) {
        look(*target);
        collectTargets(*target, names);
      }
      for (const std::string &name : names)
        counters.erase(name);
    } else if (const auto *assign = stmt->as<AugmentedAssign>()) {
      look(*assign->value);
      look(*assign->target);
      if (const auto *name = assign->target->as<Name>())
        counters.erase(name->name);
    } else if (const auto *assign = stmt->as<AnnotatedAssign>()) {
      look(*assign->value);
      counters.erase(assign->name.name);
    } else if (const auto *value = stmt->as<ExprStmt>()) {
      look(*value->value);
    } else if (const auto *result = stmt->as<Return>()) {
      if (result->value)
        look(*result->value);
      return;
    } else if (stmt->as<Break>() || stmt->as<Continue>()) {
      return;
    }
  }
}

void warnOfNegativeIndices(const syntax::Function &function,
                           DiagnosticEngine &diagnostics) {
  Finder(function, diagnostics).run(function.body);
}

} // namespace kern::compiler
