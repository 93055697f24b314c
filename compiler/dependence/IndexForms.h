//===- IndexForms.h - indices as polynomials ------------------ -*- C++ -*-===//
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

namespace kern::compiler {

/// The number of an Atom.
using AtomId = unsigned;
/// A product of atoms, sorted, at least one.
using Monomial = std::vector<AtomId>;

/// A polynomial: `constant` plus each monomial times its coefficient, which is
/// never 0. Arithmetic is exact: indices are assumed not to overflow.
struct IndexForm {
  int64_t constant = 0;
  std::map<Monomial, int64_t> terms;

  bool isConstant() const { return terms.empty(); }
  bool operator==(const IndexForm &) const = default;
  auto operator<=>(const IndexForm &) const = default;
};

/// Whether it is small enough to reason about.
bool isReasonable(const IndexForm &form);
/// Nothing if the result is too large for that.
std::optional<IndexForm> sum(const IndexForm &a, const IndexForm &b,
                             int64_t factor = 1);
std::optional<IndexForm> product(const IndexForm &a, const IndexForm &b);

/// A variable of a form. One record, since atoms of all kinds are numbered in
/// one list, and most questions are asked of every kind.
struct Atom {
  enum Kind : uint8_t {
    Index,     ///< an index of the prange; `number` says which
    Counter,   ///< a counter of a loop in the iteration, in [`a`, `b`)
    Quotient,  ///< `a // b`, with `b` positive or invariant
    Remainder, ///< `a % b`, likewise
    Exclusive, ///< `a ^ b` with an invariant `b`
    Minimum,   ///< the smaller of `a` and `b`
    Maximum,
    Opaque, ///< anything else
  };
  Kind kind = Opaque;
  bool isInvariant = false;   ///< the same in all iterations of the prange
  bool isData = false;        ///< depends on an array's element
  bool isNonNegative = false; ///< the size of a dimension
  unsigned number = 0;
  /// Whether a counter's bounds, in `a` and `b`, are known.
  bool hasLower = false, hasUpper = false;
  int64_t step = 1; ///< of a counter
  /// Whether a counter may be past its bound: in a loop in blocks it is, when
  /// the loop ends. Conditions say where it is not.
  bool endsPast = false;
  IndexForm a = {}, b = {};
};

/// The integer values of one prange's body as forms.
class IndexForms {
public:
  /// `isComplete` says that the body is complete, so that arrays it does not
  /// write to do not change.
  IndexForms(ir::ParallelOp parallel, const Counters &counters,
             mlir::DominanceInfo &dominance, bool isComplete);

  IndexForm of(mlir::Value value);
  const Atom &atom(AtomId id) const { return atoms[id]; }
  bool isInvariant(const IndexForm &form) const;
  bool isData(const IndexForm &form) const;
  /// Whether a value is known to be an integer, so that comparisons are exact.
  bool isInteger(mlir::Value value);
  /// Whether a value may be computed in u64, where differences below 0 wrap:
  /// not if all that it is computed from is declared as another type of
  /// integers.
  bool mayWrap(mlir::Value value);
  IndexForm ofAtom(AtomId id) const { return {0, {{{id}, 1}}}; }
  /// `a // b` or `a % b`.
  IndexForm division(Atom::Kind kind, const IndexForm &a, const IndexForm &b);

private:
  /// The identity of an atom: kind, operands, and for opaque atoms the value or
  /// function.
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
  IndexForm ofApply(ir::ApplyOp apply, unsigned number);
  /// For 64-bit values; nothing without a rule for the function.
  std::optional<IndexForm> ofArithmetic(ir::ScalarFunction function,
                                        unsigned number,
                                        llvm::ArrayRef<IndexForm> operands);
  std::optional<IndexForm> ofExclusive(const IndexForm &a, const IndexForm &b);
  IndexForm ofLoad(ir::LoadOp load);
  IndexForm ofReduce(mlir::Value value, ir::ReduceOp reduce);
  /// An opaque function of `operands`.
  IndexForm unknown(llvm::StringRef text, const void *identity,
                    std::vector<IndexForm> operands, bool hasData = false);
  /// A value as an opaque atom.
  IndexForm opaque(mlir::Value value);
  IndexForm counter(mlir::Value value, mlir::Value lower, mlir::Value upper,
                    int64_t step, bool endsPast = false);
  IndexForm unite(Key key, Atom atom);
  bool isInside(mlir::Value value) const;
  bool isWritten(mlir::Value array) const;
  /// Whether a value is known to have 64 bits (IndexTypes.cpp).
  bool isWide(mlir::Value value);
  /// The same for a value whatever it is computed from.
  bool isWideByItself(mlir::Value value);
  static bool isWideType(mlir::Attribute type);

  ir::ParallelOp parallel;
  const Counters &counters;
  mlir::DominanceInfo &dominance;
  bool isComplete;
  std::vector<Atom> atoms;
  std::map<Key, AtomId> known;
  llvm::DenseMap<mlir::Value, IndexForm> forms;
  unsigned depth = 0;
};

//===--- DataOrigin.cpp ---------------------------------------------------===//
/// Whether an array's element affects a value, directly or through the path
/// taken to it.
bool followsFromData(mlir::Value value, mlir::DominanceInfo &dominance);

//===--- Guards.cpp -------------------------------------------------------===//
/// What the conditions of `if`s and loops say about integers.
struct Facts {
  std::vector<IndexForm> nonNegative, zero, nonZero;
  /// Whether these are all the conditions for reaching the block.
  bool areAll = true;
};

/// The conditions under which a block in a prange's body is reached. `areAll`
/// is false if there are others.
Facts factsAt(mlir::Block *block, ir::ParallelOp parallel, IndexForms &forms,
              mlir::DominanceInfo &dominance);

} // namespace kern::compiler
