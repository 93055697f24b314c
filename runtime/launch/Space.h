//===- Space.h - where a call runs ------------------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a call needs of the place where it runs: memory, copies and launches.
// The host and a GPU with a stream implement it, so that everything else of a
// call is written once.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/launch/Function.h"
#include "runtime/plan/Words.h"

namespace kern {

/// A loop over planned operands.
struct Launch {
  const FunctionInfo *function = nullptr;
  Loop *loop = nullptr;
  /// No operand that is written shares memory with another one.
  bool disjoint = false;
  Layout layout;                       ///< not empty
  std::vector<int64_t> dims;           ///< the values of `function->dims`
  std::vector<KernelOperand> operands; ///< inputs, then outputs
};

class Space {
public:
  virtual ~Space() = default;
  virtual DLDevice device() const = 0;
  /// Uninitialised memory whose address is the pointer's.
  virtual Expected<std::shared_ptr<void>> allocate(size_t bytes) = 0;
  /// Copies between arrays of one shape, one of which is in this space and
  /// the other there or on the host, converting elements. When the destination
  /// is on the host it is complete on return.
  virtual Status copy(const StridedView &destination,
                      const StridedView &source) = 0;
  /// Runs or enqueues; fills `report`.
  virtual Status launch(const Launch &launch, kern_call_report &report) = 0;
};

} // namespace kern
