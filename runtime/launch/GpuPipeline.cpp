//===- GpuPipeline.cpp - one GPU's part of a call in pieces ---------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/launch/GpuPipeline.h"

#include "runtime/launch/CallExecution.h"
#include "runtime/plan/Parts.h"
#include "runtime/space/CudaSpace.h"

#include <algorithm>

using namespace kern::runtime;

Expected<std::unique_ptr<GpuPipeline>>
GpuPipeline::create(const CutCall &call,
                    std::shared_ptr<cuda::Context> context) {
  cuda::ContextScope scope(*context);
  if (!scope.status)
    return scope.status.error();
  Lanes &lanes = context->resource<Lanes>();
  Expected<std::unique_ptr<Lane>> lane = lanes.take();
  if (!lane)
    return context->attribute(lane.error()).error();
  return std::make_unique<GpuPipeline>(call, std::move(context), lanes,
                                       std::move(*lane));
}

/// A lane that fails is not used again.
GpuPipeline::~GpuPipeline() {
  cuda::ContextScope scope(*context);
  const bool works = bool(lane->drain());
  owners.clear();
  if (works && scope.status)
    lanes.give(std::move(lane));
  else
    lane.reset();
}

//===----------------------------------------------------------------------===//
// Before the first piece
//===----------------------------------------------------------------------===//

Status GpuPipeline::allocate() {
  return inContext([&]() -> Status {
    const auto slots =
        size_t(call.goesInTurn
                   ? 1
                   : std::min<int64_t>(call.pieces().count(), Lane::pieces));
    for (const Travel &travel : call.travels) {
      const size_t bytes =
          distinctBytes(travel.isKept ? travel.host : call.hostPart(travel, 0));
      for (size_t slot = 0; slot < slots; ++slot) {
        if (travel.isKept && slot) {
          places[slot].push_back(places[0].back());
          continue;
        }
        Expected<Buffer> memory =
            cuda::allocateOrdered(context, bytes, lane->compute.handle());
        if (!memory)
          return memory.error()
              .in(call.whole().function->name)
              .add(Addition::for_operand,
                   {travel.label, text(travel.host.shape)});
        places[slot].push_back(memory->data());
        owners.push_back(std::move(*memory));
      }
    }
    for (size_t slot = 0; slot < slots && !call.goesInTurn; ++slot)
      if (Status status =
              lane->slots[slot].staging.reserve(*context, call.staged);
          !status)
        return status;
    return {};
  });
}

void GpuPipeline::release() {
  owners.clear();
  for (std::vector<std::byte *> &slot : places)
    slot.clear();
}

Status GpuPipeline::markBegin(CUstream stream) {
  return inContext([&] { return lane->begin.record(stream); });
}

Status GpuPipeline::beginAfter(const GpuPipeline &marked) {
  return inContext([&]() -> Status {
    for (CUstream stream : {lane->compute.handle(), lane->up.handle()})
      if (Status status = marked.lane->begin.precede(stream); !status)
        return status;
    return {};
  });
}

/// Also lets uploads wait for the allocation of their memory.
Status GpuPipeline::uploadKept() {
  return inContext([&]() -> Status {
    CudaSpace there(context, lane->compute.handle());
    for (size_t i = 0; i < call.travels.size(); ++i) {
      const Travel &travel = call.travels[i];
      if (!travel.isKept)
        continue;
      const StridedView once = distinct(travel.host);
      if (Status status =
              there.copy(packed(once, places[0][i], context->device()), once);
          !status)
        return status;
    }
    if (Status status = lane->begin.record(lane->compute.handle()); !status)
      return status;
    return lane->begin.precede(lane->up.handle());
  });
}

//===----------------------------------------------------------------------===//
// Pieces that overlap one another
//===----------------------------------------------------------------------===//

Status GpuPipeline::awaitResults(int64_t turn) {
  return inContext([&] { return slotOf(turn).downloaded.wait(); });
}

Expected<bool> GpuPipeline::hasResults(int64_t turn) {
  bool isThere = false;
  Status status = inContext([&]() -> Status {
    Expected<bool> said = slotOf(turn).downloaded.isComplete();
    if (!said)
      return said.error();
    isThere = *said;
    return {};
  });
  if (!status)
    return status.error();
  return isThere;
}

void GpuPipeline::addGathers(int64_t number, int64_t turn,
                             std::vector<HostCopy> &copies) const {
  for (const Travel &travel : call.travels) {
    if (!travel.isGathered())
      continue;
    const StridedView part = distinct(call.hostPart(travel, number));
    std::byte *staged = slotOf(turn).staging.data() + travel.offset;
    copies.push_back({packed(part, staged, hostDevice()), part});
  }
}

void GpuPipeline::addScatters(int64_t number, int64_t turn,
                              std::vector<HostCopy> &copies) const {
  for (const Travel &travel : call.travels) {
    if (!travel.comesDown || travel.isDirect)
      continue;
    const StridedView to = call.hostPart(travel, number);
    std::byte *staged = slotOf(turn).staging.data() + travel.offset;
    HostCopy copy = {to, packed(to, staged, hostDevice())};
    copy.isStreamed = true;
    if (call.whole().mask && !travel.isCleared) {
      copy.mask = call.hostPart(call.travels.back(), number);
      copy.mask->strides =
          broadcastStrides(copy.mask->shape, copy.mask->strides, to.shape);
      copy.mask->shape = to.shape;
    }
    copies.push_back(std::move(copy));
  }
}

Status GpuPipeline::upload(int64_t number, int64_t turn) {
  const cuda::Driver &driver = context->driver();
  for (size_t i = 0; i < call.travels.size(); ++i) {
    const Travel &travel = call.travels[i];
    const StridedView part = call.hostPart(travel, number);
    const size_t bytes = distinctBytes(part);
    if (!travel.goesUp || travel.isKept || bytes == 0)
      continue;
    const std::byte *source = travel.isDirect
                                  ? part.data
                                  : slotOf(turn).staging.data() + travel.offset;
    const auto to = CUdeviceptr(reinterpret_cast<uintptr_t>(memoryOf(turn)[i]));
    if (Status status = cuda::check(
            driver,
            driver.cuMemcpyHtoDAsync(to, source, bytes, lane->up.handle()),
            "cuMemcpyHtoDAsync");
        !status)
      return status;
  }
  return slotOf(turn).uploaded.record(lane->up.handle());
}

Status GpuPipeline::runKernel(int64_t number, int64_t turn,
                              kern_call_report &report,
                              std::string *explanation) {
  CudaSpace there(context, lane->compute.handle());
  for (size_t i = 0; i < call.travels.size(); ++i)
    if (call.travels[i].isCleared)
      if (Status status = there.clear(
              memoryOf(turn)[i],
              distinctBytes(call.hostPart(call.travels[i], number)));
          !status)
        return status;
  const PieceCall piece =
      call.callOf(number, context->device(), memoryOf(turn));
  auto results = execute(piece.call, there, report, explanation);
  return results ? Status() : results.error();
}

Status GpuPipeline::compute(int64_t number, int64_t turn,
                            kern_call_report &report,
                            std::string *explanation) {
  Lane::Slot &slot = slotOf(turn);
  const CUstream stream = lane->compute.handle();
  if (Status status = slot.uploaded.precede(stream); !status)
    return status;
  if (Status status = runKernel(number, turn, report, explanation); !status)
    return status;
  return slot.computed.record(stream);
}

Status GpuPipeline::download(int64_t number, int64_t turn) {
  Lane::Slot &slot = slotOf(turn);
  const cuda::Driver &driver = context->driver();
  if (Status status = slot.computed.precede(lane->down.handle()); !status)
    return status;
  for (size_t i = 0; i < call.travels.size(); ++i) {
    const Travel &travel = call.travels[i];
    const StridedView part = call.hostPart(travel, number);
    const size_t bytes = distinctBytes(part);
    if (!travel.comesDown || bytes == 0)
      continue;
    std::byte *to =
        travel.isDirect ? part.data : slot.staging.data() + travel.offset;
    const auto from =
        CUdeviceptr(reinterpret_cast<uintptr_t>(memoryOf(turn)[i]));
    if (Status status = cuda::check(
            driver,
            driver.cuMemcpyDtoHAsync(to, from, bytes, lane->down.handle()),
            "cuMemcpyDtoHAsync");
        !status)
      return status;
  }
  return slot.downloaded.record(lane->down.handle());
}

Status GpuPipeline::enqueue(int64_t number, int64_t turn,
                            kern_call_report &report,
                            std::string *explanation) {
  return inContext([&]() -> Status {
    if (Status status = upload(number, turn); !status)
      return status;
    if (Status status = compute(number, turn, report, explanation); !status)
      return status;
    return download(number, turn);
  });
}

//===----------------------------------------------------------------------===//
// A piece that is the only one
//===----------------------------------------------------------------------===//

Status GpuPipeline::start(int64_t number, kern_call_report &report,
                          std::string *explanation) {
  return inContext([&]() -> Status {
    CudaSpace there(context, lane->compute.handle());
    for (size_t i = 0; i < call.travels.size(); ++i) {
      const Travel &travel = call.travels[i];
      if (!travel.goesUp || travel.isKept)
        continue;
      const StridedView part = distinct(call.hostPart(travel, number));
      if (Status status =
              there.copy(packed(part, places[0][i], context->device()), part);
          !status)
        return status;
    }
    return runKernel(number, /*turn=*/0, report, explanation);
  });
}

Status GpuPipeline::finish(int64_t number) {
  return inContext([&]() -> Status {
    CudaSpace there(context, lane->compute.handle());
    for (size_t i = 0; i < call.travels.size(); ++i) {
      const Travel &travel = call.travels[i];
      if (!travel.comesDown)
        continue;
      const StridedView part = call.hostPart(travel, number);
      if (Status status =
              there.copy(part, packed(part, places[0][i], context->device()));
          !status)
        return status;
    }
    return {};
  });
}
