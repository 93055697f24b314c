//===- Space.h - where a call runs ------------------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A place where a call runs, the host or a GPU with a stream: memory, copies
// and launches.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/device/cuda/Launch.h"
#include "runtime/module/Function.h"
#include "runtime/plan/Explanation.h"
#include "runtime/plan/MatrixProduct.h"

namespace kern::runtime {

class HostLoop;

/// A loop over planned operands.
struct Launch {
  const FunctionInfo *function = nullptr;
  Loop *loop = nullptr;
  /// No operand that is written shares memory with another one.
  bool disjoint = false;
  Layout layout;                       ///< not empty
  std::vector<int64_t> dims;           ///< the values of `function->dims`
  std::vector<KernelOperand> operands; ///< inputs, outputs, perhaps a mask
  TileOrder order = TileOrder::Any;    ///< on the host, for overwritten inputs
  Explanation *explanation = nullptr;  ///< filled by a launch, if asked for
  /// No other kernel runs while the launch's is made (BoundCall).
  bool waitsForKernel = false;
};

/// The launches of one kernel, or of a chain of kernels, on the same operands,
/// which can be repeated with other addresses and values. Everything else is
/// decided. One record, since a repeated call reads all of it.
struct LaunchTemplate {
  /// The longest row of words that is kept.
  static constexpr size_t maxWords = 512;

  /// An operand of the kernel: one of the call's, moved by `offset` bytes.
  struct Source {
    unsigned operand = 0;
    int64_t offset = 0;
  };

  std::shared_ptr<const LoadedKernel> kernel;
  kern_call_report report = {};
  // On a GPU.
  KernelWords words;
  std::vector<Source> sources; ///< empty: the kernel's operands are the call's
  cuda::GridBlock shape;
  /// The blocks of each launch; they run one after the other.
  std::vector<unsigned> grids;
  /// The memory for local arrays and for the records of slices, which each call
  /// allocates.
  size_t scratchBytes = 0;
  size_t clearedFrom = 0; ///< from this offset on, that memory is initially 0
  const std::string *name = nullptr; ///< as Context::intern() gave it
  /// A better kernel than this one, or one of those that run next, is being
  /// made: later calls should have it.
  bool isForNow = false;
  /// What runs next, on the same operands.
  std::shared_ptr<const LaunchTemplate> next;
  /// In place of a kernel: what cuBLAS computes.
  std::shared_ptr<const MatrixProduct> product;
  // On the host.
  std::shared_ptr<const HostLoop> loop;
};

/// What a launch accepts in addition to aligned arrays of the kernel's types.
struct LaunchCapabilities {
  bool unaligned = false; ///< arrays that begin anywhere
  /// Of ufuncs: arrays of other types, which the launch converts, and a mask.
  bool converts = false, masks = false;
  /// New results behind a mask need not be 0 before.
  bool clears = false;
};

class Space {
public:
  virtual ~Space() = default;
  virtual DLDevice device() const = 0;
  virtual LaunchCapabilities capabilities(const Loop &loop) const = 0;
  /// Whether a ufunc's launch over this many elements walks in order to save a
  /// copy of an input that it overwrites (Launch::order).
  virtual bool goesInOrder(int64_t elements) const = 0;
  /// Whether arrays can be copied between here and the host now. They cannot
  /// while the stream is captured in a graph. Fails if the driver cannot tell.
  virtual Expected<bool> canTransfer() const = 0;
  /// Uninitialised memory whose address is the pointer's.
  virtual Expected<Buffer> allocate(size_t bytes) = 0;
  /// Copies between arrays of one shape, one of which is in this space and
  /// the other there or on the host, converting elements. When the destination
  /// is on the host it is complete on return.
  virtual Status copy(const StridedView &destination,
                      const StridedView &source) = 0;
  /// The same where `mask`, of bool, is true. All three are in this space.
  virtual Status copyWhere(const StridedView &destination,
                           const StridedView &source,
                           const StridedView &mask) = 0;
  /// Sets memory of this space to zero.
  virtual Status clear(void *memory, size_t bytes) = 0;
  /// Runs or enqueues; fills `report`. A kernel with checks is waited for;
  /// KERN_ERROR_CHECK if one failed.
  virtual Status launch(const Launch &launch, kern_call_report &report) = 0;
  /// What launch() would do, as a template; nothing if it cuts the loop into
  /// several, or has checks. Of the addresses in `launch` only the low bits
  /// (CallKey.h) matter. `report` holds what launch() adds to a report.
  virtual Expected<std::optional<LaunchTemplate>>
  prepare(const Launch &launch) = 0;
};

} // namespace kern::runtime
