//===- FakeStreamTable.cpp - a double's streams and events ----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FakeEntry.h"
#include "FakeTable.h"

using namespace kern::runtime;
using namespace kern::test;

void kern::test::addFakeStreamFunctions(cuda::Driver &t) {
  t.cuStreamCreate = [](CUstream *stream, unsigned) {
    FAKE_ENTER("cuStreamCreate");
    *stream = handleOf<CUstream>(fake->nextHandle++);
    fake->streams.create(*stream);
    return CUDA_SUCCESS;
  };
  t.cuStreamDestroy = [](CUstream stream) {
    FAKE_LOCK()
    fake->streams.destroy(stream);
    return CUDA_SUCCESS;
  };
  t.cuStreamWaitEvent = [](CUstream stream, CUevent event, unsigned) {
    FAKE_ENTER("cuStreamWaitEvent");
    // What is recorded and what is not would wait for each other.
    if (fake->isRecorded(stream) != fake->capturedEvents.contains(event)) {
      fake->isSpoiled = true;
      return CUDA_ERROR_STREAM_CAPTURE_ISOLATION;
    }
    fake->streams.waitFor(event, stream);
    return CUDA_SUCCESS;
  };
  t.cuStreamGetId = [](CUstream stream, unsigned long long *id) {
    FAKE_ENTER("cuStreamGetId");
    FAKE_UNSUPPORTED_IF(fake->isDisturbed(stream))
    *id = fake->streams.idOf(stream);
    return CUDA_SUCCESS;
  };
  t.cuStreamQuery = [](CUstream stream) {
    FAKE_ENTER("cuStreamQuery");
    FAKE_UNSUPPORTED_IF(fake->isDisturbed(stream) || fake->isDisturbed())
    return fake->streams.isComplete(stream) ? CUDA_SUCCESS
                                            : CUDA_ERROR_NOT_READY;
  };
  t.cuEventQuery = [](CUevent event) {
    FAKE_ENTER("cuEventQuery");
    FAKE_UNSUPPORTED_IF(fake->isDisturbed())
    if (fake->capturedEvents.contains(event))
      return CUDA_ERROR_CAPTURED_EVENT;
    return fake->streams.isComplete(event) ? CUDA_SUCCESS
                                           : CUDA_ERROR_NOT_READY;
  };
  t.cuEventElapsedTime = [](float *milliseconds, CUevent begin, CUevent end) {
    FAKE_ENTER("cuEventElapsedTime");
    if (!fake->streams.isComplete(begin) || !fake->streams.isComplete(end))
      return CUDA_ERROR_NOT_READY;
    *milliseconds = fake->streams.between(begin, end);
    return CUDA_SUCCESS;
  };
  t.cuStreamIsCapturing = [](CUstream stream, CUstreamCaptureStatus *status) {
    FAKE_ENTER("cuStreamIsCapturing");
    *status = !fake->isRecorded(stream) ? CU_STREAM_CAPTURE_STATUS_NONE
              : fake->isSpoiled         ? CU_STREAM_CAPTURE_STATUS_INVALIDATED
                                        : CU_STREAM_CAPTURE_STATUS_ACTIVE;
    return CUDA_SUCCESS;
  };
  t.cuThreadExchangeStreamCaptureMode = [](CUstreamCaptureMode *mode) {
    FAKE_ENTER("cuThreadExchangeStreamCaptureMode");
    std::swap(*mode, fake->captureMode);
    return CUDA_SUCCESS;
  };
  t.cuStreamSynchronize = [](CUstream stream) {
    FAKE_ENTER("cuStreamSynchronize");
    FAKE_UNSUPPORTED_IF(fake->isDisturbed(stream) || fake->isDisturbed())
    fake->streams.synchronize(stream);
    return CUDA_SUCCESS;
  };
  t.cuEventCreate = [](CUevent *event, unsigned) {
    FAKE_ENTER("cuEventCreate");
    ++fake->events;
    *event = handleOf<CUevent>(fake->nextHandle++);
    return CUDA_SUCCESS;
  };
  t.cuEventDestroy = [](CUevent) {
    FAKE_LOCK()
    --fake->events;
    return CUDA_SUCCESS;
  };
  t.cuEventRecord = [](CUevent event, CUstream stream) {
    FAKE_ENTER("cuEventRecord");
    if (fake->isRecorded(stream))
      fake->capturedEvents.insert(event);
    else
      fake->capturedEvents.erase(event);
    fake->streams.record(event, stream);
    return CUDA_SUCCESS;
  };
  t.cuEventSynchronize = [](CUevent event) {
    FAKE_ENTER("cuEventSynchronize");
    FAKE_UNSUPPORTED_IF(fake->isDisturbed())
    if (fake->capturedEvents.contains(event))
      return CUDA_ERROR_CAPTURED_EVENT;
    fake->streams.synchronize(event);
    return CUDA_SUCCESS;
  };
  t.cuStreamBeginCapture = [](CUstream stream, CUstreamCaptureMode mode) {
    FAKE_ENTER("cuStreamBeginCapture");
    if (mode != CU_STREAM_CAPTURE_MODE_RELAXED)
      return CUDA_ERROR_INVALID_VALUE; // others are not doubled
    fake->isSpoiled = false;
    fake->streams.beginRecording(stream);
    return CUDA_SUCCESS;
  };
  t.cuStreamEndCapture = [](CUstream, CUgraph *graph) {
    AllocationPause pause;
    std::vector<FakeStreams::Work> work = fake->streams.endRecording();
    FAKE_ENTER("cuStreamEndCapture");
    if (fake->isSpoiled)
      return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    ++fake->graphs;
    *graph = handleOf<CUgraph>(fake->nextHandle++);
    fake->launchable[handleOf<CUgraphExec>(numberOf(*graph))] = std::move(work);
    return CUDA_SUCCESS;
  };
  t.cuGraphInstantiate = [](CUgraphExec *ready, CUgraph graph,
                            unsigned long long) {
    FAKE_ENTER("cuGraphInstantiate");
    *ready = handleOf<CUgraphExec>(fake->nextHandle++);
    fake->launchable[*ready] =
        fake->launchable.at(handleOf<CUgraphExec>(numberOf(graph)));
    return CUDA_SUCCESS;
  };
  t.cuGraphDestroy = [](CUgraph graph) {
    FAKE_LOCK()
    --fake->graphs;
    fake->launchable.erase(handleOf<CUgraphExec>(numberOf(graph)));
    return CUDA_SUCCESS;
  };
  t.cuGraphExecDestroy = [](CUgraphExec ready) {
    FAKE_LOCK()
    fake->launchable.erase(ready);
    return CUDA_SUCCESS;
  };
  t.cuGraphLaunch = [](CUgraphExec ready, CUstream stream) {
    FAKE_ENTER("cuGraphLaunch");
    for (const FakeStreams::Work &work : fake->launchable.at(ready))
      if (CUresult result = fake->streams.enqueue(stream, work);
          result != CUDA_SUCCESS)
        return result;
    return CUDA_SUCCESS;
  };
}
