//===- Lane.h - what one pipeline runs in -----------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/device/cuda/Event.h"
#include "runtime/device/cuda/Memory.h"
#include "runtime/device/cuda/Stream.h"

#include <mutex>

namespace kern::runtime {

/// Page-locked memory that grows.
class StagingArea {
public:
  /// Memory for so many bytes. What it held is lost.
  Status reserve(cuda::Context &context, size_t bytes);
  std::byte *data() const { return memory.data(); }

private:
  cuda::PinnedMemory memory;
  size_t size = 0;
};

/// The streams of a pipeline, and for each piece on the way its events and the
/// memory through which pageable arrays pass. For a context that outlives it
/// and is current at each use.
struct Lane {
  /// While one piece is computed, others are uploaded and downloaded, and the
  /// CPU gathers or scatters one.
  static constexpr int64_t pieces = 4;

  struct Slot {
    cuda::Event uploaded, computed, downloaded;
    StagingArea staging;
  };

  /// Before the streams, which are destroyed first. drain() waits for what
  /// still uses the memory.
  std::array<Slot, pieces> slots;
  cuda::Stream up, compute, down;
  cuda::Event begin; ///< before the first piece

  static Expected<std::unique_ptr<Lane>> create(cuda::Context &context);
  /// Waits for everything that was enqueued.
  Status drain() const;
};

/// The lanes of a context that no call uses. The first one is kept.
class Lanes : public cuda::ContextResource {
public:
  /// Context::resource() makes it.
  explicit Lanes(cuda::Context &context) : context(context) {}
  Expected<std::unique_ptr<Lane>> take();
  void give(std::unique_ptr<Lane> lane);

private:
  cuda::Context &context;
  std::mutex mutex;
  std::unique_ptr<Lane> idle;
};

} // namespace kern::runtime
