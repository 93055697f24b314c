//===- FakeStreams.cpp - work that is done as late as it may be -----------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FakeStreams.h"

#include <cstdlib>
#include <utility>

using namespace kern::test;

void FakeStreams::create(CUstream stream) {
  ended.erase(stream);
  streams[stream].id = nextId++;
}

void FakeStreams::expectAlive(CUstream stream) const {
  if (ended.contains(stream))
    std::abort();
}

unsigned long long FakeStreams::idOf(CUstream stream) const {
  expectAlive(stream);
  auto at = streams.find(stream);
  return at == streams.end() ? reinterpret_cast<uintptr_t>(stream)
                             : at->second.id;
}

bool FakeStreams::isComplete(CUstream stream) const {
  expectAlive(stream);
  auto at = streams.find(stream);
  return at == streams.end() || at->second.waiting.empty();
}

bool FakeStreams::isComplete(const Mark &mark) const {
  auto at = streams.find(mark.stream);
  return at == streams.end() || at->second.id != mark.id ||
         at->second.done() >= mark.position;
}

bool FakeStreams::isComplete(CUevent event) const {
  auto at = marks.find(event);
  return at == marks.end() || isComplete(at->second);
}

float FakeStreams::between(CUevent begin, CUevent end) const {
  auto first = marks.find(begin), last = marks.find(end);
  return first == marks.end() || last == marks.end()
             ? 0
             : float(last->second.number - first->second.number);
}

void FakeStreams::beginRecording(CUstream stream) {
  expectAlive(stream);
  recording = stream;
}

std::vector<FakeStreams::Work> FakeStreams::endRecording() {
  recording = nullptr;
  return std::exchange(recorded, {});
}

CUresult FakeStreams::enqueue(CUstream stream, Work work) {
  expectAlive(stream);
  if (isRecording(stream)) {
    recorded.push_back(std::move(work));
    return CUDA_SUCCESS;
  }
  auto at = streams.find(stream);
  if (at == streams.end())
    return work();
  at->second.waiting.push_back(std::move(work));
  ++at->second.enqueued;
  return CUDA_SUCCESS;
}

void FakeStreams::complete(Mark mark) {
  auto at = streams.find(mark.stream);
  if (at == streams.end() || (mark.id && at->second.id != mark.id))
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
  const unsigned long long id = idOf(stream);
  auto at = streams.find(stream);
  marks[event] = {stream, at == streams.end() ? 0 : at->second.enqueued, id,
                  ++markCount};
}

void FakeStreams::waitFor(CUevent event, CUstream stream) {
  enqueue(stream, [this, mark = marks[event]] {
    complete(mark);
    return CUDA_SUCCESS;
  });
}

void FakeStreams::synchronize(CUevent event) { complete(marks[event]); }

void FakeStreams::synchronize(CUstream stream) {
  expectAlive(stream);
  complete({stream, streams.contains(stream) ? streams[stream].enqueued : 0});
}

void FakeStreams::synchronizeAll() {
  for (auto &[stream, queue] : streams)
    complete({stream, queue.enqueued});
}

void FakeStreams::destroy(CUstream stream) {
  synchronize(stream);
  streams.erase(stream);
  ended.insert(stream);
}
