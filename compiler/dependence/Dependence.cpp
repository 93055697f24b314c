//===- Dependence.cpp - whether iterations share an element ---------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/dependence/Dependence.h"

#include "compiler/dependence/Constraints.h"

#include <numeric>
#include <set>

using namespace mlir;

namespace kern::compiler {

using namespace ir;

Dependence::Dependence(ParallelOp parallel, const Counters &counters,
                       bool isComplete)
    : parallel(parallel), dominance(parallel->getParentOfType<FuncOp>()),
      forms(parallel, counters, dominance, isComplete), isComplete(isComplete) {
}

const Facts &Dependence::facts(Block *block) {
  auto found = known.find(block);
  if (found == known.end())
    found = known
                .try_emplace(block, isComplete ? factsAt(block, parallel, forms,
                                                         dominance)
                                               : Facts())
                .first;
  return found->second;
}

IndexForm Dependence::indexForm(unsigned number) {
  return forms.of(parallel.getBody().getArgument(number));
}

//===----------------------------------------------------------------------===//
// Tests without the solver
//===----------------------------------------------------------------------===//

/// Whether a sum cannot be 0: a common divisor of its factors does not divide
/// its constant.
static bool isNeverZero(const Row &row) {
  int64_t divisor = 0;
  for (const auto &term : row.terms)
    divisor = std::gcd(divisor, term.second);
  return divisor == 0 ? row.constant != 0 : row.constant % divisor != 0;
}

bool Dependence::isTriviallyDisjoint(const Indices &a, const Indices &b,
                                     unsigned index) {
  uint64_t none = 0;
  Constraints rows(forms, none);
  const IndexForm &self = indexForm(index);
  for (auto [x, y] : llvm::zip(a.forms, b.forms)) {
    Row difference = combine(rows.row(x, 1), rows.row(y, 2), -1);
    if (isNeverZero(difference))
      return true;
    // This index and those before it have the same factors in both.
    bool hasSelf = false, isPlain = x == y;
    for (const auto &term : x.terms) {
      const Atom &atom = forms.atom(term.first.front());
      bool isIndex = term.first.size() == 1 && atom.kind == Atom::Index;
      hasSelf |= isIndex && self.terms.count(term.first);
      isPlain &= isIndex ? atom.number <= index
                         : forms.isInvariant({0, {{term.first, 1}}});
    }
    if (isPlain && hasSelf)
      return true;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Tests with the solver
//===----------------------------------------------------------------------===//

static std::optional<int64_t> stepOf(const IndexForm &step) {
  constexpr int64_t largest = int64_t(1) << 31;
  if (!step.isConstant() || step.constant == 0 ||
      std::abs(step.constant) > largest)
    return std::nullopt;
  return step.constant;
}

/// The index of a prange in one of the iterations, with its range.
static Row addRange(Constraints &known, IndexForms &forms, ParallelOp parallel,
                    unsigned number, unsigned iteration) {
  Row index =
      known.row(forms.of(parallel.getBody().getArgument(number)), iteration);
  std::optional<int64_t> step = stepOf(forms.of(parallel.getSteps()[number]));
  if (!step)
    return index;
  Row lower = known.row(forms.of(parallel.getLowers()[number]), iteration);
  Row upper = known.row(forms.of(parallel.getUppers()[number]), iteration);
  Row below = *step > 0 ? combine(upper, index, -1) : combine(index, upper, -1);
  below.constant -= 1;
  Row above = combine(index, lower, -1);
  known.addNonNegative(*step > 0 ? above : combine(Row(), above, -1), true);
  known.addNonNegative(below, true);
  if (std::abs(*step) > 1)
    known.addZero(combine(above, known.fresh(), -*step));
  return index;
}

/// The atoms of a form, and the atoms of their operands.
static void collectAtoms(const IndexForms &forms, const IndexForm &form,
                         std::set<AtomId> &atoms) {
  for (const auto &term : form.terms)
    for (AtomId id : term.first)
      if (atoms.insert(id).second) {
        collectAtoms(forms, forms.atom(id).a, atoms);
        collectAtoms(forms, forms.atom(id).b, atoms);
      }
}

/// The facts about the same values, nearest first and up to a limit: loops that
/// ended before may have left many.
Facts Dependence::relevantFacts(const Indices &indices) {
  std::set<AtomId> known;
  for (const IndexForm &form : indices.forms)
    collectAtoms(forms, form, known);
  for (Value bound : parallel->getOperands())
    collectAtoms(forms, forms.of(bound), known);
  for (unsigned i = 0; i < parallel.getLowers().size(); ++i)
    collectAtoms(forms, indexForm(i), known);
  constexpr size_t maxFacts = 8;
  const Facts &all = facts(indices.block);
  Facts result;
  size_t count = 0;
  // Further facts about an index may mention other values.
  auto take = [&](const std::vector<IndexForm> &from,
                  std::vector<IndexForm> &to) {
    bool isAny = false;
    for (const IndexForm &form : from) {
      std::set<AtomId> atoms;
      collectAtoms(forms, form, atoms);
      auto isKnown = [&](AtomId id) {
        return known.count(id) &&
               (forms.isInvariant(form) || !forms.atom(id).isInvariant);
      };
      if (!(forms.isInvariant(form) ? llvm::all_of(atoms, isKnown)
                                    : llvm::any_of(atoms, isKnown)) ||
          llvm::is_contained(to, form))
        continue;
      if (++count > maxFacts)
        return false;
      known.insert(atoms.begin(), atoms.end());
      to.push_back(form);
      isAny = true;
    }
    return isAny;
  };
  bool isAny = true;
  while (isAny) {
    isAny = take(all.nonNegative, result.nonNegative);
    isAny |= take(all.zero, result.zero);
    isAny |= take(all.nonZero, result.nonZero);
  }
  return result;
}

bool Dependence::isDisjoint(const Indices &a, const Indices &b, unsigned index,
                            bool isSwapped) {
  Constraints known(forms, effort);
  for (auto [x, y] : llvm::zip(a.forms, b.forms))
    known.addZero(combine(known.row(x, 1), known.row(y, 2), -1));
  for (unsigned i = 0; i < parallel.getLowers().size(); ++i) {
    Row first = addRange(known, forms, parallel, i, 1);
    Row second = addRange(known, forms, parallel, i, 2);
    Row difference = combine(second, first, -1);
    if (i < index)
      known.addZero(difference, true);
    if (i != index)
      continue;
    Row distance = isSwapped ? combine(Row(), difference, -1) : difference;
    std::optional<int64_t> step = stepOf(forms.of(parallel.getSteps()[i]));
    distance.constant -= step ? std::abs(*step) : 1;
    known.addNonNegative(distance, true);
  }
  for (const auto &[indices, iteration] :
       {std::pair(&a, 1u), std::pair(&b, 2u)}) {
    Facts holds = relevantFacts(*indices);
    for (const IndexForm &form : holds.nonNegative)
      known.addNonNegative(known.row(form, iteration), true);
    for (const IndexForm &form : holds.zero)
      known.addZero(known.row(form, iteration), true);
    for (const IndexForm &form : holds.nonZero)
      known.addNonZero(known.row(form, iteration));
  }
  return known.isContradiction();
}

//===----------------------------------------------------------------------===//
// Accesses that may meet
//===----------------------------------------------------------------------===//

bool Dependence::isByData(const Indices &a, const Indices &b) {
  uint64_t none = 0;
  Constraints rows(forms, none);
  for (auto [x, y] : llvm::zip(a.forms, b.forms)) {
    // Terms from data that both have cancel out.
    Row difference = combine(rows.row(x, 1), rows.row(y, 2), -1);
    for (const auto &term : difference.terms)
      if (forms.isData({0, {{term.first.second, 1}}}))
        return true;
  }
  return false;
}

bool Dependence::isExact(const IndexForm &form, unsigned depth) {
  return llvm::all_of(form.terms, [&](const auto &term) {
    const Atom &atom = forms.atom(term.first.front());
    if (term.first.size() > 1 || depth > 8)
      return false;
    if (atom.isInvariant)
      return true;
    switch (atom.kind) {
    case Atom::Index:
      return true;
    case Atom::Counter:
      return atom.hasLower && atom.hasUpper && isExact(atom.a, depth + 1) &&
             isExact(atom.b, depth + 1);
    case Atom::Quotient:
    case Atom::Remainder:
      return atom.b.isConstant() && isExact(atom.a, depth + 1);
    default:
      return false;
    }
  });
}

bool Dependence::isExact(const Indices &a, const Indices &b) {
  if (effort == 0)
    return false;
  // The loop's sizes may be as large as needed; other values may not.
  std::set<Monomial> sizes;
  for (ValueRange bounds :
       {ValueRange(parallel.getLowers()), ValueRange(parallel.getUppers())})
    for (Value bound : bounds)
      for (const auto &term : forms.of(bound).terms)
        sizes.insert(term.first);
  for (Value step : parallel.getSteps())
    if (!stepOf(forms.of(step)))
      return false;
  uint64_t none = 0;
  Constraints rows(forms, none);
  for (auto [x, y] : llvm::zip(a.forms, b.forms)) {
    if (!isExact(x) || !isExact(y))
      return false;
    Row difference = combine(rows.row(x, 1), rows.row(y, 2), -1);
    for (const auto &term : difference.terms)
      if (term.first.first == 0 && !sizes.count(term.first.second))
        return false;
  }
  for (const Indices *indices : {&a, &b}) {
    const Facts &holds = facts(indices->block);
    if (!holds.areAll)
      return false;
    for (const auto *list : {&holds.nonNegative, &holds.zero, &holds.nonZero})
      if (!llvm::all_of(*list,
                        [&](const IndexForm &form) { return isExact(form); }))
        return false;
  }
  return true;
}

/// Whether multiples of the indices stay far below 2^64, judging by constants.
static bool hasReasonableRange(ParallelOp parallel) {
  return llvm::all_of(parallel->getOperands(), [](Value bound) {
    std::optional<int64_t> known = knownInteger(bound);
    return !known || isReasonable({*known, {}});
  });
}

bool Dependence::areExclusive(const Indices &a, const Indices &b) {
  const Facts &one = facts(a.block), &other = facts(b.block);
  // The sum or the difference of two facts, if it is a constant.
  auto together = [&](const std::vector<IndexForm> &left,
                      const std::vector<IndexForm> &right, int64_t sign,
                      llvm::function_ref<bool(int64_t)> isContradiction) {
    return llvm::any_of(left, [&](const IndexForm &x) {
      return forms.isInvariant(x) &&
             llvm::any_of(right, [&](const IndexForm &y) {
               std::optional<IndexForm> both = sum(x, y, sign);
               return forms.isInvariant(y) && both && both->isConstant() &&
                      isContradiction(both->constant);
             });
    });
  };
  auto isZero = [](int64_t value) { return value == 0; };
  auto isNonZero = [](int64_t value) { return value != 0; };
  auto isNegative = [](int64_t value) { return value < 0; };
  return together(one.zero, other.nonZero, -1, isZero) ||
         together(one.nonZero, other.zero, -1, isZero) ||
         together(one.zero, other.zero, -1, isNonZero) ||
         together(one.nonNegative, other.nonNegative, 1, isNegative);
}

Aliasing Dependence::decide(const Indices &a, const Indices &b) {
  if (areExclusive(a, b))
    return Aliasing::Never;
  if (!hasReasonableRange(parallel))
    return isByData(a, b) ? Aliasing::ByData : Aliasing::Perhaps;
  bool isOne = a == b;
  for (unsigned index = 0; index < parallel.getLowers().size(); ++index)
    if (!isTriviallyDisjoint(a, b, index) &&
        !(isDisjoint(a, b, index, /*isSwapped=*/false) &&
          (isOne || isDisjoint(a, b, index, /*isSwapped=*/true))))
      return isByData(a, b)  ? Aliasing::ByData
             : isExact(a, b) ? Aliasing::Surely
                             : Aliasing::Perhaps;
  return Aliasing::Never;
}

bool Dependence::mayWrap(const ElementAccess &access) {
  return llvm::any_of(access.indices,
                      [&](Value index) { return forms.mayWrap(index); });
}

Aliasing Dependence::between(const ElementAccess &a, const ElementAccess &b) {
  auto indicesOf = [&](const ElementAccess &access) {
    Indices indices{{}, access.block};
    for (Value index : access.indices)
      indices.forms.push_back(forms.of(index));
    return indices;
  };
  std::pair<Indices, Indices> key(indicesOf(a), indicesOf(b));
  auto [found, isNew] = decided.try_emplace(key, Aliasing::Perhaps);
  if (isNew)
    found->second = decide(key.first, key.second);
  return found->second;
}

} // namespace kern::compiler
