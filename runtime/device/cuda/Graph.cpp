//===- Graph.cpp - recorded work that is launched again -------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/cuda/Graph.h"

#include "runtime/device/cuda/CallOrder.h"

using namespace kern::runtime;
using namespace kern::runtime::cuda;

Expected<std::unique_ptr<Graph>>
Graph::begin(const std::shared_ptr<Context> &context, CUstream stream) {
  if (!stream)
    return Error(ErrorCode::graph_of_default_stream);
  const Driver &driver = context->driver();
  Expected<bool> isRecorded = isCaptured(driver, stream);
  if (!isRecorded)
    return isRecorded.error();
  if (*isRecorded)
    return Error(ErrorCode::graph_stream_in_use);
  // What was enqueued before: no mark can be made while it is recorded.
  if (KnownStream *known = context->streams().findAdded(stream))
    if (Status status = known->markForGraph(); !status)
      return status.error();
  auto graph = std::make_unique<Graph>(context);
  graph->capture = std::make_shared<Capture>(context);
  context->captures().begin(stream, graph->capture);
  graph->recording = stream;
  // Other threads may allocate and load code meanwhile, and so may this one.
  if (Status status = check(
          driver,
          driver.cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED),
          "cuStreamBeginCapture");
      !status) {
    context->captures().end(stream);
    graph->recording = nullptr;
    return status.error();
  }
  return graph;
}

Status Graph::endRecording(CUgraph &recorded) {
  context->captures().end(recording);
  capture->end();
  const Driver &driver = context->driver();
  return check(
      driver,
      driver.cuStreamEndCapture(std::exchange(recording, nullptr), &recorded),
      "cuStreamEndCapture");
}

Graph::~Graph() {
  const Driver &driver = context->driver();
  ContextScope scope(*context);
  CUgraph recorded = nullptr;
  if (recording && endRecording(recorded) && recorded)
    driver.cuGraphDestroy(recorded);
  if (!ready)
    return;
  driver.cuGraphExecDestroy(ready);
  // Its last launch may still run, with memory and code that end here.
  synchronizeContext(driver);
}

Status Graph::end() {
  if (!recording)
    return Error(ErrorCode::graph_complete);
  const Driver &driver = context->driver();
  CUgraph recorded = nullptr;
  if (Status status = endRecording(recorded); !status)
    return status;
  Status status = check(driver, driver.cuGraphInstantiate(&ready, recorded, 0),
                        "cuGraphInstantiate");
  if (!status)
    ready = nullptr;
  driver.cuGraphDestroy(recorded);
  return status;
}

/// Whether the arrays that the graph uses have the memory that they had.
Status Graph::checkArrays() const {
  for (const Capture::Use &use : capture->uses()) {
    const Region *region = context->regions().find(
        CUdeviceptr(reinterpret_cast<uintptr_t>(use.address)));
    if (!region || region->serial != use.serial)
      return Error(ErrorCode::graph_array_ended);
  }
  return {};
}

Status Graph::launch(CUstream stream) {
  std::lock_guard lock(mutex); // the driver does not
  if (!ready)
    return Error(ErrorCode::graph_not_complete);
  if (Status status = checkArrays(); !status)
    return status;
  CallOrder order(*context, stream);
  if (Status status = order.begin(); !status)
    return status;
  if (order.isNeeded())
    for (const Capture::Use &use : capture->uses())
      if (Status status = order.use(use.address, use.isWritten); !status)
        return status;
  const Driver &driver = context->driver();
  return check(driver, driver.cuGraphLaunch(ready, stream), "cuGraphLaunch");
}
