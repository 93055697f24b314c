//===- PanelLoop.h - a sum of many loop elements by panels ------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where loop elements lie side by side, a CPU reads long pieces of few rows
// faster than short pieces of many. A panel is a range of loop elements some
// pages wide. Of each partial sum a few rows are read at a time, all along the
// panel, and added up in registers. Partial sums of a panel would fill the
// caches, so they are made in the order in which they are added up: depth
// first, only one of each level waits for its partner.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopToHost/NumberedBody.h"
#include "dialects/LoopToHost/SummingLoop.h"

namespace kern::ir::loop {

struct PanelFacts {
  const NumberedBody &body;
  unsigned lanes; ///< of the vectors that the body becomes
};

/// The one loop of a body that is a function of a loop element's number
/// (NumberedBody.h). One class, since the loops that it writes are inside of
/// one another and share their counters.
class PanelLoop : public SummingLoop {
public:
  PanelLoop(KernelBuilder &b, const CountedLoop &loop, int64_t count,
            llvm::ArrayRef<Sum> sums, const PanelFacts &facts);
  /// Whether the body is such a loop, with straight code before and after it.
  bool isAll() const;
  /// Lets one call of the body do all loop elements, of which there are at
  /// least `lanes`. The body gets more arguments: how many there are, by how
  /// many the second vector and all that follow begin early, and of each number
  /// that it takes the stride from one loop element to the next. Where that is
  /// 0, there are `lanes` of them.
  void write();

private:
  /// A panel's loop elements, in steps of `lanes`.
  struct Panel {
    mlir::Value first, steps;
  };
  int64_t elementSize() const { return storedSize(typeOf(sums.front())); }
  mlir::Value ceilDiv(mlir::Value a, mlir::Value b);
  mlir::Value choose(mlir::Value condition, mlir::Value yes, mlir::Value no) {
    return mlir::arith::SelectOp::create(b, condition, yes, no);
  }
  mlir::Value isBelow(mlir::Value a, mlir::Value b) {
    return this->b.compare(KernelBuilder::Predicate::slt, a, b);
  }
  /// A loop over the numbers from 0 up to `end`.
  void forEach(mlir::Value end, llvm::function_ref<void(mlir::Value)> body);
  mlir::Value slot(mlir::Value row, const Panel &panel, mlir::Value step);
  /// Adds `rows` rows of partial sums from slot `from` on to those from `to`.
  void addRows(mlir::Value to, mlir::Value from, mlir::Value slots);

  void choosePanels();
  void fetchLater(mlir::Value number);
  void goTo(const Panel &panel, mlir::Value step);
  void sumOfFew(const Panel &panel);
  void sumOfRows(mlir::Value row, mlir::Value base, mlir::Value place);
  void sumOfGroup(mlir::Value first, mlir::Value depth, const Panel &panel);
  void sumDepthFirst(const Panel &panel);
  void finish(const Panel &panel);

  int64_t lanes;
  int64_t atOnce = 1; ///< rows of a partial sum that are read at a time
  int64_t levels = 0; ///< 2 to this power are the partial sums
  int64_t slots = 0;  ///< of steps' vectors in the array of partial sums
  llvm::SetVector<mlir::Value> read; ///< the addresses that it loads from
  mlir::Block *end;                  ///< where the function returns
  mlir::Value elements;              ///< how many loop elements
  mlir::Value early; ///< by how many the second step begins early
  mlir::Value allSteps, panelSteps;
  mlir::Value blockRows; ///< that are read before the next of the same sum
  mlir::Value isFetched; ///< whether a CPU has to be told of later rows
  mlir::Value isFew, fewGroups; ///< no more rows than partial sums
  mlir::Value group;            ///< else partial sums that are side by side
  /// Of each array with loop elements, the stride between these.
  llvm::SmallVector<std::pair<mlir::Value, mlir::Value>> arrays;
  /// What is computed before the loop from the loop element's number.
  llvm::SmallVector<mlir::Operation *> own;
  bool hasOwnTrips = false; ///< likewise
  const NumberedBody &numbered;
};

} // namespace kern::ir::loop
