//===- Captures.h - graphs that are being recorded --------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/device/cuda/Context.h"

#include <map>
#include <vector>

namespace kern::runtime::cuda {

/// What a graph of Kern's needs for its launches: the memory of arrays that
/// were made while it was recorded, the code of its kernels, and which arrays
/// it uses. Lives as long as the graph and as these arrays. Thread-safe.
class Capture : public std::enable_shared_from_this<Capture> {
public:
  struct Use {
    const std::byte *address = nullptr;
    uint64_t serial = 0; ///< of its region (Regions.h)
    bool isWritten = false;
  };

  explicit Capture(std::shared_ptr<Context> context)
      : context(std::move(context)) {}
  /// Memory for an array or a temporary. Once that has ended, what is recorded
  /// later may have it.
  Expected<Buffer> allocate(size_t bytes);
  /// Given by Buffers of allocate(). `memory` is of `bytes`.
  void give(size_t bytes, Buffer memory) noexcept;
  void keep(const std::shared_ptr<Module> &module);
  /// Notes an array that the graph uses, if its memory is Kern's.
  void use(const std::byte *address, bool isWritten);
  /// Nothing is recorded any more.
  void end();
  const std::vector<Use> &uses() const { return used; }

private:
  std::shared_ptr<Context> context;
  std::mutex mutex;
  bool hasEnded = false;
  std::vector<Buffer> memory;
  std::multimap<size_t, Buffer> idle; ///< by size
  std::vector<std::shared_ptr<Module>> modules;
  std::vector<Use> used; ///< each region once
};

/// The captures of one device, by stream. Thread-safe.
class Captures {
public:
  /// One load while nothing is recorded.
  bool areAny() const { return count.load(std::memory_order_relaxed) != 0; }
  /// NULL for a stream that is not recorded for a graph of Kern's.
  std::shared_ptr<Capture> of(CUstream stream) const;
  void begin(CUstream stream, std::shared_ptr<Capture> capture);
  void end(CUstream stream);
  /// Keeps the code of a kernel that is launched on `stream`, if that is
  /// recorded.
  void keep(CUstream stream, const std::shared_ptr<Module> &module) const {
    if (areAny())
      if (std::shared_ptr<Capture> capture = of(stream))
        capture->keep(module);
  }

private:
  std::atomic<int> count = 0;
  mutable std::mutex mutex;
  std::map<CUstream, std::shared_ptr<Capture>> captures;
};

} // namespace kern::runtime::cuda
