//===- SummingLoop.h - a loop whose sums get partial ones -------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The partial sums of a loop (PartialSums.h) are elements of a local array, to
// which iterations add. Stores wait for the loads before them, and a CPU has
// few of them under way. So there are two ways with fewer stores, and a third
// one for panels of many loop elements (PanelLoop.h).
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopToHost/CountedLoop.h"

#include "mlir/IR/IRMapping.h"

namespace kern::ir::loop {

/// A value that a loop carries, and its partial sums.
struct Sum {
  unsigned argument; ///< of the loop's header
  mlir::Operation *addition;
  mlir::Value array;
};

/// How a loop goes through its iterations.
enum class SumOrder : uint8_t {
  OneByOne, ///< each adds to its partial sum in memory
  /// Likewise; but if there are no more iterations than partial sums, some are
  /// added up in registers.
  FewAtOnce,
  /// Of some hundreds, those that add to the same partial sum follow one
  /// another, and add in a register.
  InBlocks,
  /// A body of one such loop goes through panels of loop elements.
  InPanels,
};

/// A loop with sums, which gets partial ones.
class SummingLoop {
public:
  /// `count`: of partial sums, a power of two.
  SummingLoop(KernelBuilder &b, const CountedLoop &loop, int64_t count,
              llvm::ArrayRef<Sum> sums)
      : b(b), loop(loop), count(count), sums(sums) {}
  /// Whether iterations may change places: they carry one sum, and do nothing
  /// else but to read. They also must be short, as some are written out.
  bool canChangeOrder() const;
  void write(SumOrder order);

protected:
  mlir::Block *newBlock(mlir::Block *before, unsigned counters);
  /// Emits a loop from the builder's block on while `isMore(number)`. The
  /// builder continues behind it.
  void repeat(mlir::Block *before, mlir::Value first, mlir::Value step,
              llvm::function_ref<mlir::Value(mlir::Value)> isMore,
              llvm::function_ref<void(mlir::Value)> body);
  mlir::Type typeOf(const Sum &sum) const {
    return sum.addition->getResult(0).getType();
  }
  mlir::Value addressOf(const Sum &sum, mlir::Value number);
  mlir::Value load(const Sum &sum, mlir::Value number);
  mlir::Value identityOf(const Sum &sum);
  mlir::Value both(const Sum &sum, mlir::Value one, mlir::Value other);

  mlir::Value initialOf(const Sum &sum, mlir::Value number);
  mlir::Value iteration(const Sum &sum, mlir::Value number, mlir::Value before);
  /// The sum of the iterations `number + i * groups` for each i below `atOnce`,
  /// a power of two. The first half of these exists.
  mlir::Value fewOf(const Sum &sum, mlir::Value number, mlir::Value groups,
                    int64_t atOnce) {
    return fewOf(sum, number, groups, atOnce, 0, 1);
  }
  /// How many times `atOnce` iterations there are, rounded up to a power of
  /// two, if there are no more iterations than partial sums.
  mlir::Value groupsOf(int64_t atOnce);

  KernelBuilder &b;
  const CountedLoop &loop;
  int64_t count;
  llvm::SmallVector<Sum> sums;
  llvm::SmallVector<mlir::Value> initial; ///< of what the loop carries
  /// Of values before the loop, those that take their place.
  mlir::IRMapping here;

private:
  void enter();
  void clear();
  void accumulate();
  void addUp();
  mlir::Value fewOf(const Sum &sum, mlir::Value number, mlir::Value groups,
                    int64_t atOnce, int64_t first, int64_t step);
  void addFew(const Sum &sum);
  void addInBlocks(const Sum &sum);

  mlir::Value used;    ///< how many partial sums have elements, at least 1
  mlir::Block *halves; ///< which adds the second half to the first one
};

} // namespace kern::ir::loop
