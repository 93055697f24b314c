//===- Pipeline.cpp - calls over host arrays on GPUs ----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/launch/Pipeline.h"

#include "runtime/device/host/ThreadPool.h"
#include "runtime/error/Counted.h"
#include "runtime/launch/GpuPipeline.h"
#include "runtime/plan/Parts.h"
#include "runtime/space/CudaSpace.h"
#include "runtime/trace/Trace.h"

#include <algorithm>
#include <utility>

using namespace kern::runtime;

namespace {
/// The pipelines of a call, one for each GPU. In each turn every GPU gets a
/// piece; one thread leads them all, and copies for all of them together on the
/// threads of the pool.
class Pipeline {
public:
  Pipeline(CutCall &call, const CallDevice &place) : call(call), place(place) {}

  /// Uploads what all pieces read.
  Status begin();
  Status run(kern_call_report &report, std::string *explanation);

private:
  Status allocate();
  Status runOverlapping(kern_call_report &report, std::string *explanation);
  Status runInTurn(kern_call_report &report, std::string *explanation);
  Status copyOnHost(std::optional<int64_t> gathered,
                    std::optional<int64_t> scattered,
                    const std::function<Status()> &meanwhile) const;
  Status enqueue(int64_t turn, kern_call_report &report,
                 std::string *explanation);
  Expected<bool> haveResults(int64_t turn);
  Status awaitResults(int64_t turn);
  TraceLabel transferLabel(std::optional<int64_t> gathered,
                           std::optional<int64_t> scattered) const;
  Status tell(int64_t finished) const;
  int64_t turns() const {
    return ceilDivide(call.pieces().count(), int64_t(gpus.size()));
  }
  /// Calls `body(gpu, number)` for the pieces of a turn, until one fails.
  template <typename Body> Status inTurn(int64_t turn, const Body &body) const {
    const auto count = int64_t(gpus.size());
    for (int64_t i = 0; i < count; ++i)
      if (const int64_t number = turn * count + i;
          number < call.pieces().count())
        if (Status status = body(*gpus[size_t(i)], number); !status)
          return status;
    return {};
  }

  CutCall &call;
  const CallDevice &place;
  std::vector<std::unique_ptr<GpuPipeline>> gpus;
};
} // namespace

/// Pieces that fit.
Status Pipeline::allocate() {
  auto attempt = [&]() -> Status {
    for (const auto &gpu : gpus)
      if (Status status = gpu->allocate(); !status)
        return status;
    return {};
  };
  for (;;) {
    {
      cuda::ContextScope scope(*place.context);
      if (!scope.status)
        return scope.status;
      call.decideMoves(*place.context);
    }
    Status status = attempt();
    if (status || status.error().status != KERN_ERROR_MEMORY ||
        !call.needLess())
      return status;
    for (const auto &gpu : gpus)
      gpu->release();
  }
}

Status Pipeline::begin() {
  for (const std::shared_ptr<cuda::Context> &context : place.contexts()) {
    auto gpu = GpuPipeline::create(call, context);
    if (!gpu)
      return gpu.error();
    gpus.push_back(std::move(*gpu));
  }
  if (Status status = gpus.front()->markBegin(place.stream); !status)
    return status;
  for (const auto &gpu : gpus)
    if (Status status = gpu->beginAfter(*gpus.front()); !status)
      return status;
  if (Status status = allocate(); !status)
    return status;
  for (const auto &gpu : gpus)
    if (Status status = gpu->uploadKept(); !status)
      return status;
  return {};
}

/// The bytes of the pieces that go up and of those that came down.
TraceLabel Pipeline::transferLabel(std::optional<int64_t> gathered,
                                   std::optional<int64_t> scattered) const {
  uint64_t bytes = 0;
  auto add = [&](std::optional<int64_t> turn, auto counts) {
    if (turn)
      (void)inTurn(*turn, [&](GpuPipeline &, int64_t number) -> Status {
        for (const Travel &travel : call.travels)
          if (counts(travel))
            bytes += distinctBytes(call.hostPart(travel, number));
        return {};
      });
  };
  add(gathered,
      [](const Travel &travel) { return travel.goesUp && !travel.isKept; });
  add(scattered, [](const Travel &travel) { return travel.comesDown; });
  const char *step = !scattered  ? "to device"
                     : !gathered ? "to host"
                                 : "to device and to host";
  return {KERN_TRACE_TRANSFER, step, call.whole().function->name,
          place.context->device(), bytes};
}

/// What the CPU copies in a turn: the elements of its pieces, and the results
/// of an earlier one, which are there. This thread does `meanwhile` first.
Status Pipeline::copyOnHost(std::optional<int64_t> gathered,
                            std::optional<int64_t> scattered,
                            const std::function<Status()> &meanwhile) const {
  std::vector<HostCopy> copies;
  if (scattered)
    (void)inTurn(*scattered, [&](GpuPipeline &gpu, int64_t number) -> Status {
      gpu.addScatters(number, *scattered, copies);
      return {};
    });
  if (gathered)
    (void)inTurn(*gathered, [&](GpuPipeline &gpu, int64_t number) -> Status {
      gpu.addGathers(number, *gathered, copies);
      return {};
    });
  return traced([&] { return transferLabel(gathered, scattered); },
                [&] {
                  Status status;
                  copyTogether(copies, [&] { status = meanwhile(); });
                  return status;
                });
}

Status Pipeline::enqueue(int64_t turn, kern_call_report &report,
                         std::string *explanation) {
  return inTurn(turn, [&](GpuPipeline &gpu, int64_t number) {
    kern_call_report ofPiece = {};
    return gpu.enqueue(number, turn, number ? ofPiece : report,
                       number ? nullptr : explanation);
  });
}

Expected<bool> Pipeline::haveResults(int64_t turn) {
  bool all = true;
  Status status = inTurn(turn, [&](GpuPipeline &gpu, int64_t) -> Status {
    Expected<bool> has = gpu.hasResults(turn);
    if (!has)
      return has.error();
    all = all && *has;
    return {};
  });
  if (!status)
    return status.error();
  return all;
}

Status Pipeline::awaitResults(int64_t turn) {
  return inTurn(
      turn, [&](GpuPipeline &gpu, int64_t) { return gpu.awaitResults(turn); });
}

/// Tells the caller that so many pieces are complete. KERN_ERROR_CANCELLED if
/// it ends the call.
Status Pipeline::tell(int64_t finished) const {
  const kern_progress *progress = call.whole().progress;
  if (!progress || !progress->step)
    return {};
  const uint64_t all = call.bytesInAll();
  const int64_t count = call.pieces().count();
  const auto done =
      uint64_t((unsigned __int128)all * uint64_t(std::min(finished, count)) /
               uint64_t(count));
  if (progress->step(progress->context, done, all) == 0)
    return {};
  return Error(ErrorCode::cancelled, {sizeText(done), sizeText(all)})
      .in(call.whole().function->name);
}

Status Pipeline::runOverlapping(kern_call_report &report,
                                std::string *explanation) {
  constexpr int64_t ahead = Lane::pieces - 1;
  // A turn that was gathered is enqueued in the next one. In between, its event
  // would say that its results are there, as events do that nothing recorded.
  static_assert(ahead >= 2);
  const host::ThreadPool::Awake awake(host::ThreadPool::shared());
  const bool gathers = std::ranges::any_of(call.travels, &Travel::isGathered);
  // A turn whose pieces are there, but not enqueued: that is done while the
  // other threads copy for the next turn, or while there is nothing to copy.
  std::optional<int64_t> waiting;
  auto enqueueWaiting = [&]() -> Status {
    const auto turn = std::exchange(waiting, std::nullopt);
    return turn ? enqueue(*turn, report, explanation) : Status();
  };
  for (int64_t turn = 0; turn < turns() + ahead; ++turn) {
    const auto gathered = turn < turns() ? std::optional(turn) : std::nullopt;
    const auto scattered =
        turn < ahead ? std::nullopt : std::optional(turn - ahead);
    if (scattered) {
      const Expected<bool> isThere = haveResults(*scattered);
      if (!isThere)
        return isThere.error();
      if (!*isThere)
        if (Status status = enqueueWaiting(); !status)
          return status;
      if (Status status = awaitResults(*scattered); !status)
        return status;
    }
    if (gathered && !gathers)
      waiting = gathered;
    if (Status status = copyOnHost(gathered, scattered, enqueueWaiting);
        !status)
      return status;
    if (gathered && gathers)
      waiting = gathered;
    if (scattered)
      if (Status status = tell((*scattered + 1) * int64_t(gpus.size()));
          !status)
        return status;
  }
  return {};
}

Status Pipeline::runInTurn(kern_call_report &report, std::string *explanation) {
  for (int64_t turn = 0; turn < turns(); ++turn) {
    if (Status status =
            inTurn(turn,
                   [&](GpuPipeline &gpu, int64_t number) {
                     kern_call_report ofPiece = {};
                     return gpu.start(number, number ? ofPiece : report,
                                      number ? nullptr : explanation);
                   });
        !status)
      return status;
    if (Status status =
            inTurn(turn, [](GpuPipeline &gpu,
                            int64_t number) { return gpu.finish(number); });
        !status)
      return status;
    if (Status status = tell((turn + 1) * int64_t(gpus.size())); !status)
      return status;
  }
  return {};
}

Status Pipeline::run(kern_call_report &report, std::string *explanation) {
  if (Status status = tell(0); !status)
    return status;
  if (Status status = call.goesInTurn ? runInTurn(report, explanation)
                                      : runOverlapping(report, explanation);
      !status)
    return status;
  report.elements = 1;
  for (int64_t extent : call.whole().shapes.loopShape)
    report.elements *= extent;
  if (explanation)
    *explanation += counted(size_t(call.pieces().count()), "piece") + " of " +
                    counted(size_t(call.pieces()[0].count()), "loop element") +
                    ", brought to " +
                    (gpus.size() == 1 ? text(place.context->device())
                                      : counted(gpus.size(), "GPU")) +
                    " and back\n";
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
  place.context->ensureCurrentOnce();
  if (Status status = call.makeResults(); !status)
    return status.error();
  // Another thread may capture a graph.
  cuda::CaptureUndisturbed undisturbed(place.context->driver());
  Pipeline pipeline(call, place);
  if (Status status = pipeline.begin(); !status)
    return status.error();
  if (Status status = pipeline.run(report, explanation); !status)
    return status.error();
  return Results(call.takeResults());
}
