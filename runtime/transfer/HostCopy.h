//===- HostCopy.h - strided copies in host memory ---------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/array/Convert.h"
#include "runtime/array/StridedView.h"
#include "runtime/transfer/Array.h"

#include <functional>

namespace kern::runtime {

/// Copies `source` to `destination`, converting elements as Convert.h says.
/// Both are host views of one shape, with any strides; they must not overlap.
/// Large copies use the thread pool.
void copyOnHost(const StridedView &destination, const StridedView &source);

/// The same where `mask`, a host view of bool of that shape, is true; nothing
/// else of the destination is read or written.
void copyOnHostWhere(const StridedView &destination, const StridedView &source,
                     const StridedView &mask);

/// A copy as copyOnHost() makes it, or with a mask copyOnHostWhere().
struct HostCopy {
  StridedView destination, source;
  std::optional<StridedView> mask = std::nullopt;
  /// The CPU does not read the destination soon: it need not be in its caches.
  bool isStreamed = false;
};

/// Makes copies of arrays that no cache holds, all at once, on as many threads
/// of the pool as memory needs. No copy overlaps another. The calling thread
/// does `meanwhile` first, while others copy.
void copyTogether(std::span<const HostCopy> copies,
                  const std::function<void()> &meanwhile = nullptr);

/// A C-contiguous copy of a host view.
Expected<ManagedArray> copyOnHost(const StridedView &source);

} // namespace kern::runtime
