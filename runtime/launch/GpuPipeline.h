//===- GpuPipeline.h - one GPU's part of a call in pieces -------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/launch/CutCall.h"
#include "runtime/transfer/HostCopy.h"
#include "runtime/transfer/Lane.h"

namespace kern::runtime {

/// A lane of a GPU, the device memory that its streams use, and the steps of a
/// piece. Pieces take turns in the lane's slots: `turn` counts them from 0, and
/// `number` is a piece's place in the loop. When this ends, what was enqueued
/// is complete, and the memory is free. Its context is made current for each
/// step.
class GpuPipeline {
public:
  /// `call` must outlive it.
  static Expected<std::unique_ptr<GpuPipeline>>
  create(const CutCall &call, std::shared_ptr<cuda::Context> context);
  /// For create() alone.
  GpuPipeline(const CutCall &call, std::shared_ptr<cuda::Context> context,
              Lanes &lanes, std::unique_ptr<Lane> lane)
      : call(call), context(std::move(context)), lanes(lanes),
        lane(std::move(lane)) {}
  ~GpuPipeline();
  GpuPipeline(const GpuPipeline &) = delete;
  GpuPipeline &operator=(const GpuPipeline &) = delete;

  /// Memory on the device for the pieces on the way and for what is kept, and
  /// staging memory. KERN_ERROR_MEMORY if there is not enough; release() then.
  Status allocate();
  void release();
  /// Nothing is read before what `stream`, of this GPU, does now.
  Status markBegin(CUstream stream);
  Status beginAfter(const GpuPipeline &marked);
  /// Uploads what all pieces read.
  Status uploadKept();

  // Of pieces that overlap one another.

  /// Waits until the results of a piece are in its staging memory.
  Status awaitResults(int64_t turn);
  /// Whether they are there.
  Expected<bool> hasResults(int64_t turn);
  /// The copies that gather a piece.
  void addGathers(int64_t number, int64_t turn,
                  std::vector<HostCopy> &copies) const;
  /// The copies that scatter the results of a piece.
  void addScatters(int64_t number, int64_t turn,
                   std::vector<HostCopy> &copies) const;
  /// Enqueues upload, kernel and download of a piece that was gathered.
  Status enqueue(int64_t number, int64_t turn, kern_call_report &report,
                 std::string *explanation);

  // Of a piece that is the only one.

  /// Uploads a piece and enqueues its kernel.
  Status start(int64_t number, kern_call_report &report,
               std::string *explanation);
  /// Returns when its results are on the host.
  Status finish(int64_t number);

private:
  Status upload(int64_t number, int64_t turn);
  Status compute(int64_t number, int64_t turn, kern_call_report &report,
                 std::string *explanation);
  Status download(int64_t number, int64_t turn);
  Status runKernel(int64_t number, int64_t turn, kern_call_report &report,
                   std::string *explanation);
  /// Makes the context current for `body`, and names in an error of the device
  /// the functions that may have caused it.
  template <typename Body> Status inContext(const Body &body) const {
    cuda::ContextScope scope(*context);
    return context->attribute(scope.status ? body() : scope.status);
  }
  Lane::Slot &slotOf(int64_t turn) const {
    return lane->slots[size_t(turn % Lane::pieces)];
  }
  /// Where the device has the part of each of the call's travels.
  const std::vector<std::byte *> &memoryOf(int64_t turn) const {
    return places[size_t(turn % Lane::pieces)];
  }

  const CutCall &call;
  std::shared_ptr<cuda::Context> context;
  Lanes &lanes;
  std::unique_ptr<Lane> lane;
  std::vector<Buffer> owners;
  std::array<std::vector<std::byte *>, Lane::pieces> places;
};

} // namespace kern::runtime
