//===- IntegerRanges.h - what integers of a body can be ---------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Block.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstdint>
#include <optional>

namespace kern::ir::loop {

/// From `low` to `high`, both included, as signed numbers.
struct IntegerRange {
  int64_t low, high;
  bool operator==(const IntegerRange &) const = default;
};

/// The ranges of integers in a function, as they follow from the types of what
/// is widened, from constants, and from how often a loop with a constant number
/// of iterations adds to a value.
class IntegerRanges {
public:
  /// Nothing if the value may be anything that its type has, or is no integer.
  std::optional<IntegerRange> of(mlir::Value value);

private:
  std::optional<IntegerRange> find(mlir::Value value);
  std::optional<IntegerRange> ofArgument(mlir::BlockArgument argument);
  std::optional<IntegerRange> passedOn(mlir::Value value);
  /// How much larger a value is than the argument of a loop's header that it
  /// is computed from in an iteration.
  std::optional<IntegerRange> growth(mlir::Value value,
                                     mlir::BlockArgument argument);
  std::optional<IntegerRange> findGrowth(mlir::Value value,
                                         mlir::BlockArgument argument);

  llvm::DenseMap<mlir::Value, std::optional<IntegerRange>> known;
  llvm::DenseMap<std::pair<mlir::Value, mlir::Value>,
                 std::optional<IntegerRange>>
      growths;
};

//===--- NarrowIntegers.cpp ---------------------------------------------===//
/// Gives integers of a body fewer bits, down to those of the widest other value
/// that counts, where all that is computed with them stays the same. So a
/// vector has more lanes. `counts` tells which values become vectors. Returns
/// whether it changed any.
bool narrowIntegers(mlir::LLVM::LLVMFuncOp body,
                    llvm::function_ref<bool(mlir::Value)> counts);

} // namespace kern::ir::loop
