//===- Constraints.cpp - linear constraints on indices --------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/dependence/Constraints.h"

#include "mlir/Analysis/Presburger/IntegerRelation.h"

using namespace mlir;

namespace kern::compiler {

/// More than a body written by hand needs.
static constexpr size_t maxVariables = 40, maxConstraints = 160;
/// The ids of integers that are not atoms begin here.
static constexpr AtomId firstFresh = 1u << 30;

Row combine(const Row &a, const Row &b, int64_t factor) {
  Row result = a;
  result.constant += factor * b.constant;
  for (const auto &[variable, coefficient] : b.terms) {
    int64_t &to = result.terms[variable];
    to += factor * coefficient;
    if (to == 0)
      result.terms.erase(variable);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Initial facts
//===----------------------------------------------------------------------===//

Row Constraints::row(const IndexForm &form, unsigned iteration) {
  Row result;
  result.constant = form.constant;
  for (const auto &[monomial, coefficient] : form.terms) {
    unsigned owner = forms.isInvariant({0, {{monomial, 1}}}) ? 0 : iteration;
    result.terms[{owner, monomial}] += coefficient;
    for (AtomId id : monomial)
      introduce(id, forms.atom(id).isInvariant ? 0 : iteration);
  }
  return result;
}

Row Constraints::rowOf(Instance instance) {
  return row(forms.ofAtom(instance.id), instance.iteration);
}

Row Constraints::fresh() {
  Row result;
  result.terms[{0, {firstFresh + freshCount++}}] = 1;
  return result;
}

void Constraints::addZero(Row row, bool scales) {
  constraints.push_back({std::move(row), true, scales});
}

void Constraints::addNonNegative(Row row, bool scales) {
  constraints.push_back({std::move(row), false, scales});
}

void Constraints::introduce(AtomId id, unsigned iteration) {
  Instance instance{id, iteration};
  if (!instances.insert(instance).second)
    return;
  const Atom atom = forms.atom(id); // the code below may add atoms
  Row self = rowOf(instance);
  if (atom.isNonNegative)
    addNonNegative(self);
  auto operand = [&](const IndexForm &form) { return row(form, iteration); };
  switch (atom.kind) {
  case Atom::Index: // it has the range of the prange
  case Atom::Opaque:
    return;
  case Atom::Counter: {
    Row above = combine(self, operand(atom.a), -1);
    Row below = combine(operand(atom.b), self, -1);
    below.constant -= 1;
    if (atom.hasLower && !(atom.endsPast && atom.step < 0))
      addNonNegative(above, true);
    if (atom.hasUpper && !(atom.endsPast && atom.step > 0))
      addNonNegative(below, true);
    if (std::abs(atom.step) > 1 &&
        (atom.step > 0 ? atom.hasLower : atom.hasUpper))
      addZero(combine(atom.step > 0 ? above : below, fresh(),
                      -std::abs(atom.step)));
    return;
  }
  case Atom::Minimum:
    addNonNegative(combine(operand(atom.a), self, -1), true);
    addNonNegative(combine(operand(atom.b), self, -1), true);
    return;
  case Atom::Maximum:
    addNonNegative(combine(self, operand(atom.a), -1), true);
    addNonNegative(combine(self, operand(atom.b), -1), true);
    return;
  case Atom::Exclusive:
    operand(atom.a);
    exclusives.push_back(instance);
    return;
  case Atom::Quotient:
  case Atom::Remainder:
    operand(atom.a);
    operand(atom.b);
    divisions.push_back({instance});
    return;
  }
}

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

bool Constraints::isEmpty() {
  std::map<Row::Variable, unsigned> columns;
  for (const Constraint &constraint : constraints)
    for (const auto &term : constraint.row.terms)
      columns.try_emplace(term.first, columns.size());
  if (columns.size() > maxVariables || constraints.size() > maxConstraints)
    return false;
  // The approximate cost of the simplex method.
  uint64_t cost = constraints.size() * constraints.size() * columns.size();
  if (effort <= cost) {
    effort = 0;
    return false;
  }
  effort -= cost;
  presburger::IntegerPolyhedron polyhedron(
      presburger::PresburgerSpace::getSetSpace(unsigned(columns.size())));
  for (const Constraint &constraint : constraints) {
    SmallVector<int64_t> values(columns.size() + 1, 0);
    values.back() = constraint.row.constant;
    for (const auto &[variable, coefficient] : constraint.row.terms)
      values[columns[variable]] = coefficient;
    if (constraint.isEquality)
      polyhedron.addEquality(values);
    else
      polyhedron.addInequality(values);
  }
  return polyhedron.isIntegerEmpty();
}

bool Constraints::isEmptyWith(Row row, bool isEquality) {
  constraints.push_back({std::move(row), isEquality, false});
  bool result = isEmpty();
  constraints.pop_back();
  return result;
}

bool Constraints::implyZero(const Row &row) {
  if (row.terms.empty())
    return row.constant == 0;
  Row above = row, below = combine(Row(), row, -1);
  above.constant -= 1;
  below.constant -= 1;
  return isEmptyWith(above, false) && isEmptyWith(below, false);
}

/// A size is 0 if it is not positive, and so are its multiples.
bool Constraints::implyPositive(const IndexForm &divisor) {
  if (divisor.isConstant())
    return divisor.constant > 0;
  const size_t count = constraints.size();
  addNonNegative(combine(Row(), row(divisor, 0), -1));
  const Monomial &monomial = divisor.terms.begin()->first;
  if (divisor.constant == 0 && divisor.terms.size() == 1 &&
      monomial.size() == 1 && forms.atom(monomial.front()).isNonNegative) {
    std::set<Row::Variable> multiples;
    for (const Constraint &constraint : constraints)
      for (const auto &term : constraint.row.terms)
        if (llvm::is_contained(term.first.second, monomial.front()))
          multiples.insert(term.first);
    for (const Row::Variable &multiple : multiples)
      addZero({0, {{multiple, 1}}});
  }
  bool result = isEmpty();
  constraints.resize(count, Constraint());
  return result;
}

//===----------------------------------------------------------------------===//
// Conclusions
//===----------------------------------------------------------------------===//

bool Constraints::conclude(Row row) {
  if (row.terms.empty() && row.constant == 0)
    return false;
  if (llvm::is_contained(concluded, row))
    return false;
  concluded.push_back(row);
  addZero(std::move(row));
  return true;
}

/// From `i + 1 <= k` follows `n * i + n <= n * k`, where `n` is a size. Only
/// for products that occur.
bool Constraints::scale() {
  if (std::exchange(hasScaled, true))
    return false;
  std::set<Monomial> factors;
  for (const Constraint &constraint : constraints)
    for (const auto &term : constraint.row.terms) {
      Monomial factor;
      for (AtomId id : term.first.second)
        if (id < firstFresh && forms.atom(id).isNonNegative)
          factor.push_back(id);
      if (!factor.empty() && factor.size() < term.first.second.size())
        factors.insert(std::move(factor));
    }
  const size_t count = constraints.size();
  for (const Monomial &factor : factors)
    for (size_t i = 0; i < count && constraints.size() < maxConstraints; ++i) {
      if (!constraints[i].scales)
        continue;
      Row scaled;
      const Row plain = constraints[i].row;
      auto add = [&](unsigned owner, Monomial monomial, int64_t coefficient) {
        monomial.insert(monomial.end(), factor.begin(), factor.end());
        llvm::sort(monomial);
        scaled.terms[{owner, monomial}] += coefficient;
      };
      if (plain.constant)
        add(0, {}, plain.constant);
      for (const auto &[variable, coefficient] : plain.terms)
        add(variable.first, variable.second, coefficient);
      constraints.push_back({scaled, constraints[i].isEquality, false});
    }
  return constraints.size() > count;
}

/// `a == d * (a // d) + a % d`, and `0 <= a % d < d`, where `d` is positive.
bool Constraints::divide() {
  bool isAny = false;
  for (size_t i = 0; i < divisions.size(); ++i) {
    const Instance instance = divisions[i].atom;
    if (divisions[i].isKnown)
      continue;
    const Atom atom = forms.atom(instance.id);
    if (!implyPositive(atom.b))
      continue;
    divisions[i].isKnown = true;
    IndexForm quotient = forms.division(Atom::Quotient, atom.a, atom.b);
    IndexForm remainder = forms.division(Atom::Remainder, atom.a, atom.b);
    std::optional<IndexForm> whole = product(atom.b, quotient);
    std::optional<IndexForm> all =
        whole ? sum(*whole, remainder) : std::nullopt;
    if (!all)
      continue;
    unsigned iteration = instance.iteration;
    Row rest = row(remainder, iteration);
    addZero(combine(row(*all, iteration), row(atom.a, iteration), -1));
    Row below = combine(row(atom.b, iteration), rest, -1);
    below.constant -= 1;
    addNonNegative(rest, true);
    addNonNegative(below, true);
    isAny = true;
  }
  return isAny;
}

/// Numbers that agree modulo `d` and differ by less than `d` are equal.
bool Constraints::matchRemainders() {
  bool isAny = false;
  for (size_t i = 0; i < divisions.size(); ++i)
    for (size_t j = 0; j < i; ++j) {
      const Instance one = divisions[i].atom, other = divisions[j].atom;
      const Atom a = forms.atom(one.id), b = forms.atom(other.id);
      if (a.kind != Atom::Remainder || b.kind != Atom::Remainder ||
          !(a.b == b.b) || a.b.isConstant())
        continue;
      Row difference =
          combine(row(a.a, one.iteration), row(b.a, other.iteration), -1);
      Row modulus = row(a.b, 0);
      if (!implyZero(combine(rowOf(one), rowOf(other), -1)) ||
          !isEmptyWith(combine(difference, modulus, -1), false) ||
          !isEmptyWith(combine(combine(Row(), modulus, -1), difference, -1),
                       false))
        continue;
      isAny |= conclude(difference);
    }
  return isAny;
}

/// If `x` and `y` are equal, so are `n * x` and `n * y`.
bool Constraints::matchProducts() {
  struct Product {
    Row::Variable variable;
    Monomial factor;
    AtomId atom;
  };
  std::vector<Product> products;
  std::set<Row::Variable> seen;
  for (const Constraint &constraint : constraints)
    for (const auto &term : constraint.row.terms) {
      const auto &[owner, monomial] = term.first;
      if (monomial.size() < 2 || !seen.insert(term.first).second)
        continue;
      Monomial factor;
      std::optional<AtomId> varying;
      bool isPlain = true;
      for (AtomId id : monomial)
        if (id >= firstFresh) {
          isPlain = false;
        } else if (forms.atom(id).isInvariant) {
          factor.push_back(id);
        } else {
          isPlain &= !varying;
          varying = id;
        }
      if (varying && isPlain)
        products.push_back({term.first, std::move(factor), *varying});
    }
  bool isAny = false;
  for (size_t i = 0; i < products.size(); ++i)
    for (size_t j = 0; j < i; ++j) {
      const Product &x = products[i], &y = products[j];
      if (x.factor != y.factor)
        continue;
      Row plain = combine(rowOf({x.atom, x.variable.first}),
                          rowOf({y.atom, y.variable.first}), -1);
      Row multiple =
          combine({0, {{x.variable, 1}}}, {0, {{y.variable, 1}}}, -1);
      if (!llvm::is_contained(concluded, multiple) && implyZero(plain))
        isAny |= conclude(multiple);
    }
  return isAny;
}

/// `a ^ m == b ^ m` if `a == b`, and `a ^ m == b` if `a == b ^ m`.
bool Constraints::matchExclusives() {
  bool isAny = false;
  for (size_t i = 0; i < exclusives.size(); ++i)
    for (size_t j = 0; j < exclusives.size(); ++j) {
      const Instance one = exclusives[i], other = exclusives[j];
      const Atom a = forms.atom(one.id), b = forms.atom(other.id);
      if (!(a.b == b.b))
        continue;
      Row whole = rowOf(one), otherWhole = rowOf(other);
      Row part = row(a.a, one.iteration), otherPart = row(b.a, other.iteration);
      Row parts = combine(part, otherPart, -1);
      Row crossed = combine(part, otherWhole, -1);
      if (j < i && !llvm::is_contained(concluded, parts) &&
          implyZero(combine(whole, otherWhole, -1)))
        isAny |= conclude(parts);
      if (i != j && !llvm::is_contained(concluded, crossed) &&
          implyZero(combine(whole, otherPart, -1)))
        isAny |= conclude(crossed);
    }
  return isAny;
}

bool Constraints::isContradiction() {
  constexpr unsigned maxRounds = 4;
  for (unsigned round = 0; round < maxRounds; ++round) {
    if (isEmpty())
      return true;
    bool isAny = scale();
    isAny |= divide();
    isAny |= matchRemainders();
    isAny |= matchProducts();
    isAny |= matchExclusives();
    if (!isAny)
      break;
  }
  return llvm::any_of(nonZero, [&](const Row &row) { return implyZero(row); });
}

} // namespace kern::compiler
