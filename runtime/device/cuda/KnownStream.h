//===- KnownStream.h - a stream that arrays are used on ---------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/device/cuda/Event.h"

#include <atomic>
#include <memory>
#include <mutex>

namespace kern::runtime::cuda {

/// How long a stream lives.
enum class StreamLife : uint8_t {
  Forever, ///< the default stream
  Told,    ///< until retire()
  Unknown  ///< the caller's: it may end after any call on it
};

/// A stream, and a mark in it that others can wait for, also when the stream
/// has ended. Known by its identifier, which is never used again, as handles
/// are. For a context that outlives it. Thread-safe.
class KnownStream : public std::enable_shared_from_this<KnownStream> {
public:
  KnownStream(const Context &context, CUstream stream, unsigned long long id,
              StreamLife life)
      : context(context), stream(stream), identifier(id), life(life) {}
  ~KnownStream();
  KnownStream(const KnownStream &) = delete;
  KnownStream &operator=(const KnownStream &) = delete;

  CUstream handle() const { return stream; }
  unsigned long long id() const { return identifier; }
  /// Whether work can be enqueued there. Not where that is unknown.
  bool isAlive() const;
  /// Whether what is enqueued there is recorded for a graph. The stream is
  /// alive.
  Expected<bool> isRecorded() const { return isCaptured(driver(), stream); }
  /// What calls have enqueued here comes before what is enqueued on `other`
  /// from now on. On a stream of unknown life that is up to the last
  /// noteCall().
  Status precede(CUstream other);
  /// After a call that was not recorded: marks its end on a stream of unknown
  /// life.
  void noteCall() noexcept {
    if (life.load(std::memory_order_relaxed) == StreamLife::Unknown)
      markCall();
  }
  /// Marks what is enqueued so far, on a stream that is alive and whose graph
  /// is recorded next: no mark can be made meanwhile.
  Status markForGraph();
  /// The stream's life is told from now on; it is alive.
  void adopt();
  /// Marks the end of a stream of told life, which is not used any more.
  void retire() noexcept;

private:
  const Driver &driver() const;
  void markCall() noexcept;
  Status mark();
  /// Marks. That it failed is remembered, as that a graph is recorded there.
  void markAnyway(bool mayBeRecorded) noexcept;

  const Context &context;
  const CUstream stream;
  const unsigned long long identifier;
  mutable std::mutex mutex;
  std::atomic<StreamLife> life; ///< changes under the mutex
  bool hasEnded = false;
  bool hasMark = false;
  bool isMarkLost = false; ///< marking failed: only the whole device is known
  Event last;
};

} // namespace kern::runtime::cuda
