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
  /// What a call has to note, as far as streams go.
  struct Found {
    bool isOnly = false;     ///< nothing: all calls so far were on its stream
    bool isCaptured = false; ///< nothing: a graph is recorded there
    KnownStream *stream = nullptr; ///< else: it uses arrays on this one
    Stream owner = {};             ///< of one of unknown life
  };
  /// Before a call on `stream`. No driver call if that is the default stream,
  /// or one that was added, but for the first call on it.
  Expected<Found> find(CUstream stream) {
    if (isSurelyOnly(stream))
      return Found{.isOnly = true};
    if (hasSeveral())
      if (KnownStream *added = findAdded(stream))
        return Found{.stream = added};
    return findBesides(stream);
  }
  bool hasSeveral() const {
    return only.load(std::memory_order_acquire) == several;
  }

  /// A stream that lives until it is retired, as often as it was added.
  /// KERN_ERROR_ARGUMENT for one that is captured: the driver does not tell
  /// which one it is.
  Expected<Stream> add(CUstream stream);
  void retire(const Stream &stream) noexcept;
  /// The default stream, or one that was added and is still there; else NULL.
  KnownStream *findAdded(CUstream stream);
  /// Whether a stream was added, or is the default stream, and is still there.
  bool isAlive(CUstream stream, unsigned long long id) const;
  /// Releases what is held. The context must be current.
  void clear();

private:
  static constexpr uintptr_t none = ~uintptr_t(0), several = none - 1;
  static uintptr_t wordOf(CUstream stream) {
    return reinterpret_cast<uintptr_t>(stream);
  }
  KnownStream *findAddedLocked(CUstream stream);
  Expected<Found> findBesides(CUstream stream);
  /// Calls come on another stream than the one so far, `writer`, or NULL if its
  /// life is unknown.
  Status becomeSeveral(KnownStream *writer);
  Expected<unsigned long long> idOf(CUstream stream) const;
  /// A stream of unknown life. Locked.
  Stream unknown(CUstream stream, unsigned long long id);
  static uint64_t nextVersion();

  const Context &context;
  Regions &regions;
  std::atomic<uintptr_t> only = none; ///< the stream of all calls
  /// It is of unknown life, so that another one may have its handle by now.
  std::atomic<bool> mayHaveEnded = false;
  std::atomic<unsigned long long> onlyId = 0; ///< its identifier then
  /// Changes with what was added. No two tables have the same.
  std::atomic<uint64_t> version = nextVersion();
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
