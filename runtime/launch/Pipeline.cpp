//===- Pipeline.cpp - calls over host arrays on a GPU ---------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/launch/Pipeline.h"

#include "runtime/error/Counted.h"
#include "runtime/launch/CallExecution.h"
#include "runtime/launch/CutCall.h"
#include "runtime/plan/Layout.h"
#include "runtime/plan/Parts.h"
#include "runtime/space/CudaSpace.h"
#include "runtime/trace/Trace.h"
#include "runtime/transfer/HostCopy.h"

#include <algorithm>

using namespace kern::runtime;

namespace {
/// Where operands begin in staging memory, which lies at multiples of it too.
constexpr int64_t alignment = 256;
/// A lane, and the device memory that its streams use. When it ends, what was
/// enqueued is complete, and the memory is free. A lane that fails is not used
/// again.
class LaneLease {
public:
  LaneLease(Lanes &lanes, std::unique_ptr<Lane> lane)
      : lanes(lanes), lane(std::move(lane)) {}
  ~LaneLease() {
    const bool works = bool(lane->drain());
    memory.clear();
    if (works)
      lanes.give(std::move(lane));
  }
  LaneLease(const LaneLease &) = delete;
  LaneLease &operator=(const LaneLease &) = delete;
  Lane &operator*() { return *lane; }

  std::vector<Buffer> memory;

private:
  Lanes &lanes;
  std::unique_ptr<Lane> lane;
};

class Pipeline {
public:
  Pipeline(CutCall &call, std::shared_ptr<cuda::Context> context,
           LaneLease &lease)
      : call(call), context(std::move(context)), lease(lease), lane(*lease) {}

  /// Uploads what all pieces read.
  Status begin(CUstream callerStream);
  Status runPieces(kern_call_report &report, std::string *explanation);

private:
  Status allocate();
  Status upload(int64_t number);
  Status compute(int64_t number, kern_call_report &report,
                 std::string *explanation);
  Status download(int64_t number);
  void addGathers(int64_t number, std::vector<HostCopy> &copies);
  void addScatters(int64_t number, std::vector<HostCopy> &copies);
  Status copyOnHost(std::optional<int64_t> gathered,
                    std::optional<int64_t> scattered);
  TraceLabel transferLabel(std::optional<int64_t> gathered,
                           std::optional<int64_t> scattered) const;
  Lane::Slot &slotOf(int64_t number) {
    return lane.slots[CutCall::slotOf(number)];
  }
  static std::byte *deviceOf(const Travel &travel, int64_t number) {
    return travel.device[CutCall::slotOf(number)];
  }

  CutCall &call;
  std::shared_ptr<cuda::Context> context;
  LaneLease &lease;
  Lane &lane;
};

} // namespace

/// Memory on the device for the pieces on the way and for what is kept, and
/// staging memory.
Status Pipeline::allocate() {
  const auto slots =
      size_t(std::min<int64_t>(call.pieces().count(), Lane::pieces));
  size_t staged = 0;
  for (Travel &travel : call.travels) {
    const size_t bytes =
        distinctBytes(travel.isKept ? travel.host : call.hostPart(travel, 0));
    for (size_t slot = 0; slot < slots; ++slot) {
      if (travel.isKept && slot) {
        travel.device[slot] = travel.device[0];
        continue;
      }
      Expected<Buffer> memory =
          cuda::allocateOrdered(context, bytes, lane.compute.handle());
      if (!memory)
        return memory.error()
            .in(call.whole().function->name)
            .add(Addition::for_operand,
                 {travel.label, text(travel.host.shape)});
      travel.device[slot] = memory->data();
      lease.memory.push_back(std::move(*memory));
    }
    if (travel.isKept || travel.isDirect)
      continue;
    travel.offset = staged;
    staged += size_t(roundUp(int64_t(bytes), alignment));
  }
  for (size_t slot = 0; slot < slots; ++slot)
    if (Status status = lane.slots[slot].staging.reserve(*context, staged);
        !status)
      return status;
  return {};
}

/// Uploads what is kept. Nothing is read before what the caller's stream does,
/// and no memory used before it is allocated.
Status Pipeline::begin(CUstream callerStream) {
  if (Status status = lane.begin.record(callerStream); !status)
    return status;
  for (CUstream stream : {lane.compute.handle(), lane.up.handle()})
    if (Status status = lane.begin.precede(stream); !status)
      return status;
  // Pieces that fit.
  for (;;) {
    call.decideMoves(*context);
    Status status = allocate();
    if (status)
      break;
    if (status.error().status != KERN_ERROR_MEMORY || !call.halve())
      return status;
    lease.memory.clear();
  }
  CudaSpace there(context, lane.compute.handle());
  for (const Travel &travel : call.travels)
    if (travel.isKept) {
      const StridedView once = distinct(travel.host);
      if (Status status = there.copy(
              packed(once, travel.device[0], context->device()), once);
          !status)
        return status;
    }
  if (Status status = lane.begin.record(lane.compute.handle()); !status)
    return status;
  return lane.begin.precede(lane.up.handle());
}

//===----------------------------------------------------------------------===//
// On the way
//===----------------------------------------------------------------------===//

/// The bytes of a piece that goes up and of one that came down.
TraceLabel Pipeline::transferLabel(std::optional<int64_t> gathered,
                                   std::optional<int64_t> scattered) const {
  uint64_t bytes = 0;
  for (const Travel &travel : call.travels) {
    if (gathered && travel.goesUp && !travel.isKept)
      bytes += distinctBytes(call.hostPart(travel, *gathered));
    if (scattered && travel.comesDown)
      bytes += distinctBytes(call.hostPart(travel, *scattered));
  }
  const char *step = !scattered  ? "to device"
                     : !gathered ? "to host"
                                 : "to device and to host";
  return {KERN_TRACE_TRANSFER, step, call.whole().function->name,
          context->device(), bytes};
}

/// The copies that gather a piece.
void Pipeline::addGathers(int64_t number, std::vector<HostCopy> &copies) {
  for (const Travel &travel : call.travels) {
    if (!travel.goesUp || travel.isKept || travel.isDirect)
      continue;
    const StridedView part = distinct(call.hostPart(travel, number));
    std::byte *staged = slotOf(number).staging.data() + travel.offset;
    copies.push_back({packed(part, staged, hostDevice()), part});
  }
}

/// The copies that scatter the results of a piece.
void Pipeline::addScatters(int64_t number, std::vector<HostCopy> &copies) {
  for (const Travel &travel : call.travels) {
    if (!travel.comesDown || travel.isDirect)
      continue;
    const StridedView to = call.hostPart(travel, number);
    std::byte *staged = slotOf(number).staging.data() + travel.offset;
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

/// Enqueues the upload of a piece that was gathered.
Status Pipeline::upload(int64_t number) {
  const cuda::Driver &driver = context->driver();
  for (const Travel &travel : call.travels) {
    if (!travel.goesUp || travel.isKept)
      continue;
    const StridedView part = call.hostPart(travel, number);
    const std::byte *source =
        travel.isDirect ? part.data
                        : slotOf(number).staging.data() + travel.offset;
    const auto to =
        CUdeviceptr(reinterpret_cast<uintptr_t>(deviceOf(travel, number)));
    if (Status status =
            cuda::check(driver,
                        driver.cuMemcpyHtoDAsync(
                            to, source, distinctBytes(part), lane.up.handle()),
                        "cuMemcpyHtoDAsync");
        !status)
      return status;
  }
  return slotOf(number).uploaded.record(lane.up.handle());
}

Status Pipeline::compute(int64_t number, kern_call_report &report,
                         std::string *explanation) {
  Lane::Slot &slot = slotOf(number);
  if (Status status = slot.uploaded.precede(lane.compute.handle()); !status)
    return status;
  CudaSpace there(context, lane.compute.handle());
  for (const Travel &travel : call.travels)
    if (travel.isCleared)
      if (Status status =
              there.clear(deviceOf(travel, number),
                          distinctBytes(call.hostPart(travel, number)));
          !status)
        return status;
  const PieceCall piece = call.callOf(number);
  auto results = execute(piece.call, there, report, explanation);
  if (!results)
    return results.error();
  return slot.computed.record(lane.compute.handle());
}

/// Enqueues the download of a piece.
Status Pipeline::download(int64_t number) {
  Lane::Slot &slot = slotOf(number);
  const cuda::Driver &driver = context->driver();
  if (Status status = slot.computed.precede(lane.down.handle()); !status)
    return status;
  for (const Travel &travel : call.travels) {
    if (!travel.comesDown)
      continue;
    const StridedView part = call.hostPart(travel, number);
    std::byte *to =
        travel.isDirect ? part.data : slot.staging.data() + travel.offset;
    const auto from =
        CUdeviceptr(reinterpret_cast<uintptr_t>(deviceOf(travel, number)));
    if (Status status =
            cuda::check(driver,
                        driver.cuMemcpyDtoHAsync(to, from, distinctBytes(part),
                                                 lane.down.handle()),
                        "cuMemcpyDtoHAsync");
        !status)
      return status;
  }
  return slot.downloaded.record(lane.down.handle());
}

/// What the CPU copies before piece `number` is enqueued: its elements, and the
/// results of an earlier one, which it waits for.
Status Pipeline::copyOnHost(std::optional<int64_t> gathered,
                            std::optional<int64_t> scattered) {
  std::vector<HostCopy> copies;
  if (scattered) {
    if (Status status = slotOf(*scattered).downloaded.wait(); !status)
      return status;
    addScatters(*scattered, copies);
  }
  if (gathered)
    addGathers(*gathered, copies);
  copyTogether(copies);
  return {};
}

Status Pipeline::runPieces(kern_call_report &report, std::string *explanation) {
  constexpr int64_t ahead = Lane::pieces - 1;
  const int64_t count = call.pieces().count();
  for (int64_t k = 0; k < count + ahead; ++k) {
    const auto gathered = k < count ? std::optional(k) : std::nullopt;
    const auto scattered = k < ahead ? std::nullopt : std::optional(k - ahead);
    if (Status status =
            traced([&] { return transferLabel(gathered, scattered); },
                   [&] { return copyOnHost(gathered, scattered); });
        !status)
      return status;
    if (!gathered)
      continue;
    kern_call_report ofPiece = {};
    if (Status status = upload(k); !status)
      return status;
    if (Status status =
            compute(k, k ? ofPiece : report, k ? nullptr : explanation);
        !status)
      return status;
    if (Status status = download(k); !status)
      return status;
  }
  report.elements = 1;
  for (int64_t extent : call.whole().shapes.loopShape)
    report.elements *= extent;
  if (explanation)
    *explanation += counted(size_t(count), "piece") + " of " +
                    counted(size_t(call.pieces()[0].count()), "loop element") +
                    ", brought to " + text(context->device()) + " and back\n";
  return {};
}

Expected<std::optional<std::vector<ManagedArray>>>
kern::runtime::executeInPieces(const BoundCall &bound, const CallDevice &place,
                               kern_call_report &report,
                               std::string *explanation) {
  using Results = std::optional<std::vector<ManagedArray>>;
  if (!place.context || !bound.resultsOnHost)
    return Results();
  CudaSpace space(place.context, place.stream);
  CutCall call(bound, space);
  Expected<bool> isCut = call.plan();
  if (!isCut)
    return isCut.error();
  if (!*isCut)
    return Results();
  cuda::Context &context = *place.context;
  context.ensureCurrentOnce();
  cuda::ContextScope scope(context);
  if (!scope.status)
    return scope.status.error();
  if (Status status = call.makeResults(); !status)
    return status.error();
  Lanes &lanes = context.resource<Lanes>();
  Expected<std::unique_ptr<Lane>> lane = lanes.take();
  if (!lane)
    return context.attribute(lane.error()).error();
  LaneLease lease(lanes, std::move(*lane));
  Pipeline pipeline(call, place.context, lease);
  if (Status status = pipeline.begin(place.stream); !status)
    return context.attribute(status).error();
  if (Status status = pipeline.runPieces(report, explanation); !status)
    return context.attribute(status).error();
  return Results(call.takeResults());
}
