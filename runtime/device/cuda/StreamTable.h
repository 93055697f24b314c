//===- StreamTable.h - the streams of one device ----------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/device/cuda/Regions.h"

#include <atomic>
#include <cstdint>

namespace kern::runtime::cuda {

/// The streams of a device that Kern knows. As long as all calls come on one
/// stream nothing is recorded: its order is enough. From the first call on
/// another stream on, each region knows who uses it (StreamUses.h).
/// Thread-safe.
class StreamTable {
public:
  using Stream = std::shared_ptr<KnownStream>;

  /// `regions` are those of the same device. Both outlive this.
  StreamTable(const Context &context, Regions &regions)
      : context(context), regions(regions) {}

  /// Whether all calls so far were on that stream, and it lives until it is
  /// retired.
  bool isSurelyOnly(CUstream stream) const {
    return only.load(std::memory_order_acquire) == wordOf(stream) &&
           !mayHaveEnded.load(std::memory_order_relaxed);
  }
  /// Whether all calls so far, and the one that begins on `stream`, are on that
  /// stream. No driver call if that is the default stream or one that was
  /// added.
  Expected<bool> isOnly(CUstream stream) {
    if (isSurelyOnly(stream))
      return true;
    if (only.load(std::memory_order_acquire) == wordOf(stream)) {
      Expected<unsigned long long> id = idOf(stream);
      if (!id)
        return id.error();
      if (*id == onlyId.load(std::memory_order_relaxed))
        return true;
    }
    return noteStream(stream);
  }
  bool hasSeveral() const {
    return only.load(std::memory_order_acquire) == several;
  }

  /// A stream that lives until it is retired, as often as it was added.
  Expected<Stream> add(CUstream stream);
  void retire(const Stream &stream) noexcept;
  /// That stream; one of unknown life if it was not added.
  Expected<Stream> at(CUstream stream);
  /// Whether a stream was added, or is the default stream, and is still there.
  bool isAlive(CUstream stream, unsigned long long id) const;
  /// Releases what is held. The context must be current.
  void clear();

private:
  static constexpr uintptr_t none = ~uintptr_t(0), several = none - 1;
  static uintptr_t wordOf(CUstream stream) {
    return reinterpret_cast<uintptr_t>(stream);
  }
  Expected<bool> noteStream(CUstream stream);
  /// Calls come on another stream than the one so far, `writer`, or NULL if its
  /// life is unknown.
  Status becomeSeveral(const Stream &writer);
  Expected<unsigned long long> idOf(CUstream stream) const;
  Expected<Stream> atLocked(CUstream stream);

  const Context &context;
  Regions &regions;
  std::atomic<uintptr_t> only = none; ///< the stream of all calls
  /// It is of unknown life, so that another one may have its handle by now.
  std::atomic<bool> mayHaveEnded = false;
  std::atomic<unsigned long long> onlyId = 0; ///< its identifier then
  mutable std::mutex mutex;
  struct Added {
    Stream stream;
    int times = 0;
  };
  std::map<CUstream, Added> added;
  std::map<unsigned long long, Stream> others; ///< of unknown life
  Stream defaultStream;
};

} // namespace kern::runtime::cuda
