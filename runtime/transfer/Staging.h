//===- Staging.h - transfers between pageable and device memory -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Transfers of pageable memory are fast only through page-locked memory. Two
// chunks of it alternate: while the device copies one, the CPU gathers (or
// scatters) the other and converts its elements. Large page-locked arrays that
// lie in order are moved from and to where they are.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/array/StridedView.h"
#include "runtime/device/cuda/Event.h"
#include "runtime/device/cuda/Memory.h"
#include "runtime/plan/Layout.h"

#include <array>
#include <mutex>

namespace kern::runtime {

class Staging : public cuda::ContextResource {
public:
  /// Context::resource() makes it.
  explicit Staging(const cuda::Context &context) : context(context) {}

  /// Both expect views of one shape, the context to be current, and a stream
  /// that is not captured. The device array must be dense: any order of
  /// dimensions, positive strides, no holes.
  ///
  /// Enqueues on `stream`; `source` may be changed on return.
  Status upload(const StridedView &destination, const StridedView &source,
                CUstream stream);
  /// Returns when `destination` is complete.
  Status download(const StridedView &destination, const StridedView &source,
                  CUstream stream);

private:
  struct Chunk {
    cuda::PinnedMemory memory;
    size_t size = 0;  ///< of the memory, in bytes
    cuda::Event done; ///< the device's last use of the memory
  };
  /// The next chunk, free for use, with memory for `bytes`, at most a whole
  /// chunk. The first small transfers get a small chunk, which grows once.
  Expected<Chunk *> nextChunk(size_t bytes);
  /// Whether the device itself reads or writes the host's array.
  bool isDirect(const Layout &layout, const StridedView &host,
                const StridedView &device) const;
  /// Waits for what was enqueued on the stream.
  Status complete(CUstream stream) const;

  const cuda::Context &context;
  std::mutex mutex;
  std::array<Chunk, 2> chunks;
  size_t turn = 0;
};

/// True if `view` is dense in the sense above. Empty arrays are.
bool isDense(const StridedView &view);

} // namespace kern::runtime
