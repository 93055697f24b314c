//===- KnownStream.h - a stream that arrays are used on ---------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/device/cuda/Event.h"

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
class KnownStream {
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
  /// After a call, on a stream of unknown life: marks its end.
  void noteCall() noexcept;
  /// The stream's life is told from now on; it is alive.
  void adopt();
  /// Marks the end of a stream of told life, which is not used any more.
  void retire() noexcept;

private:
  const Driver &driver() const;
  Status mark();
  /// mark(), whose failure is remembered.
  void markAnyway() noexcept;

  const Context &context;
  const CUstream stream;
  const unsigned long long identifier;
  mutable std::mutex mutex;
  StreamLife life;
  bool hasEnded = false;
  bool hasMark = false;
  bool isMarkLost = false; ///< marking failed: only the whole device is known
  Event last;
};

} // namespace kern::runtime::cuda
