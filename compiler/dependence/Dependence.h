//===- Dependence.h - whether iterations meet at an element ----- -*- C++
//-*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/dependence/IndexForms.h"

namespace kern {

/// Where two iterations of a prange touch an array.
enum class Meeting : uint8_t {
  Never,   ///< different iterations touch different elements
  ByData,  ///< what arrays hold decides
  Perhaps, ///< nothing shows that they never do
  Surely,  ///< where the loop has enough iterations, two do
};

/// One place in a prange that reads or writes an element.
struct ElementAccess {
  mlir::Operation *op; ///< null for one that is about to be made
  mlir::Block *block;
  llvm::SmallVector<mlir::Value> indices;
};

/// The dependence test of one prange.
class Dependence {
public:
  /// With `isComplete`, the body is whole; else only what is sure to hold
  /// whatever follows is made use of.
  Dependence(ParallelOp parallel, const Counters &counters, bool isComplete);

  /// Whether one iteration's `a` and another's `b` may be one element. Both
  /// are of one array.
  Meeting between(const ElementAccess &a, const ElementAccess &b);

private:
  struct Indices {
    std::vector<IndexForm> forms;
    mlir::Block *block;
    auto operator<=>(const Indices &) const = default;
  };

  Meeting decide(const Indices &a, const Indices &b);
  bool isPlainlyApart(const Indices &a, const Indices &b, unsigned index);
  /// In iterations that agree in the indices before `index`, which is smaller
  /// in the first.
  bool isApart(const Indices &a, const Indices &b, unsigned index,
               bool isSwapped);
  bool isByData(const Indices &a, const Indices &b);
  bool isExact(const Indices &a, const Indices &b);
  bool isExact(const IndexForm &form, unsigned depth = 0);
  const Facts &facts(mlir::Block *block);
  Facts relevantFacts(const Indices &indices);
  IndexForm indexForm(unsigned number);

  ParallelOp parallel;
  mlir::DominanceInfo dominance;
  IndexForms forms;
  bool isComplete;
  /// How hard to try in all, some tenths of a second: what is not shown by then
  /// is not shown.
  uint64_t effort = 30'000'000;
  std::map<std::pair<Indices, Indices>, Meeting> decided;
  llvm::DenseMap<mlir::Block *, Facts> known;
};

//===--- SharedElements.cpp -----------------------------------------------===//
/// The load of the very element that `store` writes, from which its value is
/// computed, where data decides which element that is: `h[k[i]] = h[k[i]] + 1`.
/// Null if there is none, or if the iteration has the element to itself.
LoadOp updatedLoad(ParallelOp parallel, StoreOp store);

} // namespace kern
