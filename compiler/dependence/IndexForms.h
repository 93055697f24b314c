//===- IndexForms.h - indices as sums of what they follow from - -*- C++
//-*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/dependence/Counting.h"
#include "dialects/Kern/Kern.h"
#include "mlir/IR/Dominance.h"

#include <map>
#include <string>
#include <vector>

namespace kern {

/// The number of an Atom.
using AtomId = unsigned;
/// A product of atoms, sorted, at least one.
using Monomial = std::vector<AtomId>;

/// An integer as a sum: `constant` and each monomial times its coefficient,
/// which is never 0. Arithmetic is that of the integers: indices are taken not
/// to overflow.
struct IndexForm {
  int64_t constant = 0;
  std::map<Monomial, int64_t> terms;

  bool isConstant() const { return terms.empty(); }
  bool operator==(const IndexForm &) const = default;
  auto operator<=>(const IndexForm &) const = default;
};

/// Whether it is small enough to reason about.
bool isReasonable(const IndexForm &form);
/// No value where the result is not.
std::optional<IndexForm> sum(const IndexForm &a, const IndexForm &b,
                             int64_t factor = 1);
std::optional<IndexForm> product(const IndexForm &a, const IndexForm &b);

/// What a form is made of.
struct Atom {
  enum Kind : uint8_t {
    Index,     ///< of the prange: `number` says which
    Counter,   ///< of a loop inside of the iteration, from `a` to below `b`
    Quotient,  ///< `a // b`, with `b` above 0 or invariant
    Remainder, ///< `a % b`, likewise
    Exclusive, ///< `a ^ b` with an invariant `b`
    Minimum,   ///< of `a` and `b`
    Maximum,
    Opaque, ///< anything else
  };
  Kind kind = Opaque;
  bool isInvariant = false;   ///< the same in all iterations of the prange
  bool isData = false;        ///< an array's element has a part in it
  bool isNonNegative = false; ///< the size of a dimension
  unsigned number = 0;
  /// Of a counter whose bounds are in `a` and `b`; not all need be known.
  bool hasLower = false, hasUpper = false;
  int64_t step = 1; ///< of a counter
  /// The last value of a counter of a loop in blocks, with which the loop ends,
  /// is past its bound; conditions say where it is not.
  bool endsPast = false;
  IndexForm a = {}, b = {};
};

/// The values of one prange's body as forms.
class IndexForms {
public:
  /// With `isComplete`, the body is whole, and what it does not write to stays.
  IndexForms(ParallelOp parallel, const Counters &counters,
             mlir::DominanceInfo &dominance, bool isComplete);

  IndexForm of(mlir::Value value);
  const Atom &atom(AtomId id) const { return atoms[id]; }
  bool isInvariant(const IndexForm &form) const;
  bool isData(const IndexForm &form) const;
  /// Whether a value is surely an integer, whose comparisons are exact.
  bool isInteger(mlir::Value value);
  IndexForm ofAtom(AtomId id) const { return {0, {{{id}, 1}}}; }
  /// `a // b` or `a % b`.
  IndexForm division(Atom::Kind kind, const IndexForm &a, const IndexForm &b);

private:
  /// What makes two atoms the same: kind, operands, and of opaque ones what
  /// they are.
  struct Key {
    Atom::Kind kind;
    unsigned number;
    const void *identity;
    std::string text;
    std::vector<IndexForm> operands;
    auto operator<=>(const Key &) const = default;
  };

  IndexForm compute(mlir::Value value);
  IndexForm ofArgument(mlir::BlockArgument argument);
  IndexForm ofApply(ApplyOp apply, unsigned number);
  /// Of 64 bits; nothing where no rule knows the function.
  std::optional<IndexForm> ofArithmetic(ScalarFunction function,
                                        unsigned number,
                                        llvm::ArrayRef<IndexForm> operands);
  std::optional<IndexForm> ofExclusive(const IndexForm &a, const IndexForm &b);
  IndexForm ofLoad(LoadOp load);
  IndexForm ofReduce(mlir::Value value, ReduceOp reduce);
  /// The value of a function of `operands`, of which no more is known.
  IndexForm unknown(llvm::StringRef text, const void *identity,
                    std::vector<IndexForm> operands, bool hasData = false);
  /// A value by itself.
  IndexForm opaque(mlir::Value value);
  IndexForm counter(mlir::Value value, mlir::Value lower, mlir::Value upper,
                    int64_t step, bool endsPast = false);
  IndexForm unite(Key key, Atom atom);
  bool isInside(mlir::Value value) const;
  bool isWritten(mlir::Value array) const;
  /// Whether a value surely has 64 bits (IndexTypes.cpp).
  bool isWide(mlir::Value value);
  /// Likewise, whatever it is computed from.
  bool isWideByItself(mlir::Value value);
  static bool isWideType(mlir::Attribute type);

  ParallelOp parallel;
  const Counters &counters;
  mlir::DominanceInfo &dominance;
  bool isComplete;
  std::vector<Atom> atoms;
  std::map<Key, AtomId> known;
  llvm::DenseMap<mlir::Value, IndexForm> forms;
  unsigned depth = 0;
};

//===--- DataOrigin.cpp ---------------------------------------------------===//
/// Whether an element of an array has a part in a value, or in which of the
/// paths that meet at it are taken.
bool followsFromData(mlir::Value value, mlir::DominanceInfo &dominance);

//===--- Guards.cpp -------------------------------------------------------===//
/// What conditions of `if`s and loops say of integers.
struct Facts {
  std::vector<IndexForm> nonNegative, zero, nonZero;
  /// Whether nothing else keeps an iteration from coming there.
  bool areAll = true;
};

/// The conditions under which a block of a prange's body, or of a loop in it,
/// is reached: those that lead to it alone.
Facts factsAt(mlir::Block *block, ParallelOp parallel, IndexForms &forms,
              mlir::DominanceInfo &dominance);

} // namespace kern
