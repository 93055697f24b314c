//===- FakeStreams.cpp - work that is done as late as it may be -----------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FakeStreams.h"

#include <cstdlib>

using namespace kern::test;

CUresult FakeStreams::enqueue(CUstream stream, Work work) {
  auto at = streams.find(stream);
  if (at == streams.end())
    return work();
  at->second.waiting.push_back(std::move(work));
  ++at->second.enqueued;
  return CUDA_SUCCESS;
}

void FakeStreams::complete(Mark mark) {
  auto at = streams.find(mark.stream);
  if (at == streams.end())
    return;
  Stream &stream = at->second;
  while (stream.done() < mark.position) {
    Work work = std::move(stream.waiting.front());
    stream.waiting.pop_front();
    if (work() != CUDA_SUCCESS)
      std::abort();
  }
}

void FakeStreams::record(CUevent event, CUstream stream) {
  auto at = streams.find(stream);
  marks[event] = {stream, at == streams.end() ? 0 : at->second.enqueued};
}

void FakeStreams::waitFor(CUevent event, CUstream stream) {
  enqueue(stream, [this, mark = marks[event]] {
    complete(mark);
    return CUDA_SUCCESS;
  });
}

void FakeStreams::synchronize(CUevent event) { complete(marks[event]); }

void FakeStreams::synchronize(CUstream stream) {
  complete({stream, streams.contains(stream) ? streams[stream].enqueued : 0});
}

void FakeStreams::synchronizeAll() {
  for (auto &[stream, queue] : streams)
    complete({stream, queue.enqueued});
}

void FakeStreams::destroy(CUstream stream) {
  synchronize(stream);
  streams.erase(stream);
}
