//===- FakeStreams.h - work that is done as late as it may be ---*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Streams of a driver's double. What is enqueued on one that was created runs
// only when somebody waits for it, so that code which forgets to wait finds old
// data. Other streams, the default one among them, run everything at once.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>
#include <cuda.h>
#include <deque>
#include <functional>
#include <map>

namespace kern::test {

class FakeStreams {
public:
  using Work = std::function<CUresult()>;

  void create(CUstream stream) { streams[stream]; }
  /// What is enqueued there still runs.
  void destroy(CUstream stream);
  int count() const { return int(streams.size()); }
  /// Runs `work` now or later. Only work that runs now can fail.
  CUresult enqueue(CUstream stream, Work work);
  void record(CUevent event, CUstream stream);
  void waitFor(CUevent event, CUstream stream);
  void synchronize(CUevent event);
  void synchronize(CUstream stream);
  void synchronizeAll();

private:
  struct Stream {
    std::deque<Work> waiting;
    int64_t enqueued = 0;
    int64_t done() const { return enqueued - int64_t(waiting.size()); }
  };
  /// A place in a stream.
  struct Mark {
    CUstream stream = nullptr;
    int64_t position = 0;
  };
  void complete(Mark mark);

  std::map<CUstream, Stream> streams;
  std::map<CUevent, Mark> marks;
};

} // namespace kern::test
