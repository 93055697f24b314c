//===- Launch.h - kernel launches -------------------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/device/cuda/Context.h"

#include <cstdint>
#include <span>

namespace kern::runtime::cuda {

struct GridBlock {
  unsigned grid = 1, blockX = 1, blockY = 1;
  unsigned sharedBytes = 0; ///< dynamic shared memory of a block
  /// The kernel itself waits for its predecessor in the stream, and may be
  /// launched while that one runs (programmatic dependent launch).
  bool waits = false;
  /// Its blocks wait for one another: all must be resident (a cooperative
  /// launch).
  bool isCooperative = false;
};

/// Enqueues a kernel whose parameters are `words`, 8 bytes each. The context
/// must be current. If the driver reports the error of an earlier kernel, the
/// message names the functions launched so far (Context::attribute()), so
/// record this launch only afterwards.
Status launchWords(Context &context, CUfunction function, GridBlock shape,
                   std::span<const int64_t> words, CUstream stream);

/// The same for any current context. One driver call if this context is current
/// already.
Status launchAnywhere(Context &context, CUfunction function, GridBlock shape,
                      std::span<const int64_t> words, CUstream stream);

} // namespace kern::runtime::cuda
