//===- Constraints.h - linear constraints on indices ---------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/dependence/IndexForms.h"

#include <set>

namespace kern::compiler {

/// A linear combination of the monomials of two iterations. Each that varies
/// belongs to iteration 1 or 2; the others are common to both (0).
struct Row {
  using Variable = std::pair<unsigned, Monomial>;
  int64_t constant = 0;
  std::map<Variable, int64_t> terms;

  bool operator==(const Row &) const = default;
};

/// `a + factor * b`.
Row combine(const Row &a, const Row &b, int64_t factor);

/// Linear constraints on integers, with those that follow for products,
/// quotients, remainders and `^`.
class Constraints {
public:
  /// Each query to the solver reduces `effort`; at 0 there are no more answers.
  Constraints(IndexForms &forms, uint64_t &effort)
      : forms(forms), effort(effort) {}

  /// A form in iteration 1 or 2; adds what is known about its atoms.
  Row row(const IndexForm &form, unsigned iteration);
  /// Adds that `row` is 0, or at least 0. With `scales` its multiples by sizes
  /// are added where products need them.
  void addZero(Row row, bool scales = false);
  void addNonNegative(Row row, bool scales = false);
  void addNonZero(Row row) { nonZero.push_back(std::move(row)); }
  /// A new integer without constraints.
  Row fresh();

  /// Whether no integers satisfy the constraints.
  bool isContradiction();

private:
  struct Constraint {
    Row row;
    bool isEquality;
    bool scales;
  };
  /// An atom in an iteration; in 0 if it is the same in both.
  struct Instance {
    AtomId id;
    unsigned iteration;
    auto operator<=>(const Instance &) const = default;
  };

  /// A quotient or a remainder.
  struct Division {
    Instance atom;
    bool isKnown = false; ///< its constraints have been added
  };

  void introduce(AtomId id, unsigned iteration);
  bool isEmpty();
  bool isEmptyWith(Row row, bool isEquality);
  bool implyZero(const Row &row);
  bool implyPositive(const IndexForm &divisor);
  Row rowOf(Instance instance);
  /// Each adds consequences, and says whether there were any.
  bool scale();
  bool divide();
  bool matchRemainders();
  bool matchProducts();
  bool matchExclusives();
  bool conclude(Row row);

  IndexForms &forms;
  uint64_t &effort;
  std::vector<Constraint> constraints;
  std::vector<Row> nonZero;
  std::vector<Row> concluded;
  std::set<Instance> instances;
  std::vector<Division> divisions;
  std::vector<Instance> exclusives;
  unsigned freshCount = 0;
  bool hasScaled = false;
};

} // namespace kern::compiler
