//===- Dependence.h - whether iterations share an element ----- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/dependence/IndexForms.h"

namespace kern::compiler {

/// Whether two iterations of a prange access the same element.
enum class Aliasing : uint8_t {
  Never,   ///< different iterations access different elements
  ByData,  ///< the contents of arrays decide
  Perhaps, ///< there is no proof that they never do
  Surely,  ///< if the loop has enough iterations, two do
};

/// One place in a prange that reads or writes an element.
struct ElementAccess {
  mlir::Operation *op; ///< null if it does not exist yet
  mlir::Block *block;
  llvm::SmallVector<mlir::Value> indices;
};

/// The dependence test of one prange.
class Dependence {
public:
  /// `isComplete` says that the body is complete. Otherwise only facts that no
  /// later operation can change are used.
  Dependence(ir::ParallelOp parallel, const Counters &counters,
             bool isComplete);

  /// Whether `a` in one iteration and `b` in another may be the same element.
  /// Both access the same array.
  Aliasing between(const ElementAccess &a, const ElementAccess &b);
  /// Whether its indices may be computed in u64, where the test is not a proof:
  /// differences wrap.
  bool mayWrap(const ElementAccess &access);

private:
  struct Indices {
    std::vector<IndexForm> forms;
    mlir::Block *block;
    auto operator<=>(const Indices &) const = default;
  };

  Aliasing decide(const Indices &a, const Indices &b);
  /// Whether conditions that all iterations share keep one of the two accesses
  /// from being reached.
  bool areExclusive(const Indices &a, const Indices &b);
  /// Whether they differ in all iterations with different indices `index`, as
  /// far as a look at the coefficients can tell.
  bool isTriviallyDisjoint(const Indices &a, const Indices &b, unsigned index);
  /// Whether they differ in all pairs of iterations that agree before `index`
  /// and of which the first has the smaller `index`.
  bool isDisjoint(const Indices &a, const Indices &b, unsigned index,
                  bool isSwapped);
  bool isByData(const Indices &a, const Indices &b);
  bool isExact(const Indices &a, const Indices &b);
  bool isExact(const IndexForm &form, unsigned depth = 0);
  const Facts &facts(mlir::Block *block);
  Facts relevantFacts(const Indices &indices);
  IndexForm indexForm(unsigned number);

  ir::ParallelOp parallel;
  mlir::DominanceInfo dominance;
  IndexForms forms;
  bool isComplete;
  /// The effort for all tests together, some tenths of a second. Without a
  /// proof by then the answer is Perhaps.
  uint64_t effort = 30'000'000;
  std::map<std::pair<Indices, Indices>, Aliasing> decided;
  llvm::DenseMap<mlir::Block *, Facts> known;
};

//===--- SharedElements.cpp -----------------------------------------------===//
/// The load of the same element in an update at an index that comes from data,
/// as in `h[k[i]] = h[k[i]] + 1`. Null for any other store, and if no other
/// iteration accesses the element.
ir::LoadOp updatedLoad(ir::ParallelOp parallel, ir::StoreOp store);

} // namespace kern::compiler
