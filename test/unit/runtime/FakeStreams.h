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
#include <set>
#include <vector>

namespace kern::test {

class FakeStreams {
public:
  using Work = std::function<CUresult()>;

  /// A stream, which may have the handle of one that has ended.
  void create(CUstream stream);
  /// What is enqueued there still runs. Who uses the stream later crashes.
  void destroy(CUstream stream);
  /// Never used again, as handles are.
  unsigned long long idOf(CUstream stream) const;
  bool isComplete(CUstream stream) const;
  /// True if nothing was recorded.
  bool isComplete(CUevent event) const;
  /// The marks made between two of them; 0 if one marks nothing.
  float between(CUevent begin, CUevent end) const;
  int count() const { return int(streams.size()); }
  /// Runs `work` now or later. Only work that runs now can fail.
  CUresult enqueue(CUstream stream, Work work);
  /// What is enqueued on the stream from here on is kept instead. One at a
  /// time.
  void beginRecording(CUstream stream);
  std::vector<Work> endRecording();
  bool isRecording(CUstream stream) const {
    return stream && recording == stream;
  }
  void record(CUevent event, CUstream stream);
  void waitFor(CUevent event, CUstream stream);
  void synchronize(CUevent event);
  void synchronize(CUstream stream);
  void synchronizeAll();

private:
  struct Stream {
    std::deque<Work> waiting;
    int64_t enqueued = 0;
    unsigned long long id = 0;
    int64_t done() const { return enqueued - int64_t(waiting.size()); }
  };
  /// A place in a stream.
  struct Mark {
    CUstream stream = nullptr;
    int64_t position = 0;
    unsigned long long id = 0; ///< of the stream
    int64_t number = 0;        ///< among all marks
  };
  bool isComplete(const Mark &mark) const;
  /// Crashes for one that has ended.
  void expectAlive(CUstream stream) const;
  void complete(Mark mark);

  std::map<CUstream, Stream> streams;
  std::set<CUstream> ended;
  CUstream recording = nullptr;
  std::vector<Work> recorded;
  std::map<CUevent, Mark> marks;
  int64_t markCount = 0;
  unsigned long long nextId = 1 << 20;
};

} // namespace kern::test
