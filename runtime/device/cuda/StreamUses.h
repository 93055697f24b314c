//===- StreamUses.h - the streams that use one allocation -------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/device/cuda/KnownStream.h"

#include <atomic>
#include <memory>
#include <vector>

namespace kern::runtime::cuda {

/// Who wrote an allocation last, and who has read it since. A reader comes
/// after the writer, a writer after all of them. Thread-safe.
class StreamUses {
public:
  using Stream = std::shared_ptr<KnownStream>;

  /// Before a use on `stream`, which is alive: orders it after those that it
  /// depends on. Does nothing while the stream is recorded for a graph. As long
  /// as turn() is what this returns, if not 0, the stream may read again
  /// without begin().
  Expected<uint64_t> begin(KnownStream &stream, bool isWritten) {
    if (sole.load(std::memory_order_acquire) == &stream)
      return 0;
    return beginBesides(stream, isWritten);
  }
  /// Changes when those who have read no longer have: never 0.
  uint64_t turn() const { return turns.load(std::memory_order_acquire); }
  /// Without ordering anything: `stream` has written all of it.
  void setWriter(Stream stream);
  /// Whether a stream of another identifier uses it.
  bool areElsewhere(unsigned long long id) const;
  /// A stream that uses it and is captured, so that nothing can be ordered
  /// after what was enqueued there before; NULL if there is none.
  Expected<Stream> captured() const;
  /// Orders `stream` after all uses. There are none then.
  Status end(CUstream stream);
  void clear();

private:
  Expected<uint64_t> beginBesides(KnownStream &stream, bool isWritten);
  void noteSole() { sole = readers.empty() ? writer.get() : nullptr; }
  /// Nobody else has used it since.
  void noteWriter(Stream stream);

  /// The writer if nobody has read since.
  std::atomic<const KnownStream *> sole = nullptr;
  std::atomic<uint64_t> turns = 1;
  mutable std::mutex mutex;
  Stream writer;
  std::vector<Stream> readers; ///< each once, all of them after `writer`
};

} // namespace kern::runtime::cuda
