//===- CallOrder.cpp - the order of calls on several streams --------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/cuda/CallOrder.h"

#include <array>

using namespace kern::runtime;
using namespace kern::runtime::cuda;

static thread_local CallOrder *innermost = nullptr;

void CallOrder::enter() {
  outer = innermost;
  innermost = this;
}

void CallOrder::leave() {
  if (!isAlone)
    innermost = outer;
  if (known && hasUsed)
    known->noteCall();
  if (!isOnly || !context.streams().hasSeveral())
    return;
  // Another stream's first call came meanwhile, and knows nothing of this one.
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  const Driver &driver = context.driver();
  ContextScope scope(context);
  const bool isAsked =
      !stream || driver.cuStreamIsCapturing(stream, &status) == CUDA_SUCCESS;
  CaptureUndisturbed undisturbed(driver);
  if (scope.status && isAsked && status == CU_STREAM_CAPTURE_STATUS_NONE)
    driver.cuStreamSynchronize(stream);
}

Status CallOrder::beginBesides() {
  if (context.captures().areAny()) {
    recorded = context.captures().of(stream);
    if (recorded) { // its launches are ordered
      isOnly = false;
      return {};
    }
  }
  Expected<StreamTable::Found> found = context.streams().find(stream);
  if (!found)
    return context.attribute(found.error());
  isOnly = found->isOnly;
  known = found->stream;
  owner = std::move(found->owner);
  return {};
}

namespace {
/// A use of an array on a stream, as this thread has found it last.
struct RememberedUse {
  uint64_t regions = 0; ///< whose
  const std::byte *address = nullptr;
  const KnownStream *stream = nullptr;
  Region *region = nullptr; ///< NULL: memory that is not Kern's
  uint64_t serial = 0;      ///< of the region, or else the regions' version
  uint64_t turn = 0;        ///< of its uses in which the stream has read

  bool isStill(const Regions &now, const std::byte *at,
               const KnownStream *on) const {
    return address == at && stream == on && regions == now.identity() &&
           serial == (region ? region->serial.load(std::memory_order_acquire)
                             : now.version());
  }
  void find(Regions &now, const std::byte *at, const KnownStream *on) {
    const uint64_t version = now.version(); // before the search
    Region *const found =
        now.find(CUdeviceptr(reinterpret_cast<uintptr_t>(at)));
    *this = {now.identity(), at, on, found,
             found ? found->serial.load() : version};
  }
};

RememberedUse &remembered(const std::byte *address, const KnownStream *stream) {
  static thread_local std::array<RememberedUse, 64> uses;
  const uintptr_t both = (reinterpret_cast<uintptr_t>(address) >> 9) +
                         (reinterpret_cast<uintptr_t>(stream) >> 5);
  return uses[(both ^ both >> 6) % uses.size()];
}
} // namespace

Status CallOrder::use(const std::byte *address, bool isWritten) {
  if (recorded)
    recorded->use(address, isWritten);
  if (!known)
    return {};
  Regions &regions = context.regions();
  RememberedUse &use = remembered(address, known);
  if (!use.isStill(regions, address, known))
    use.find(regions, address, known);
  if (!use.region)
    return {};
  hasUsed = true;
  StreamUses &uses = use.region->uses;
  if (!isWritten && use.turn == uses.turn())
    return {};
  Expected<uint64_t> turn = uses.begin(*known, isWritten);
  if (!turn)
    return context.attribute(turn.error());
  use.turn = *turn;
  return {};
}

bool CallOrder::isCalling(const Context &context, CUstream stream) {
  return innermost && &innermost->context == &context &&
         innermost->stream == stream;
}

void CallOrder::noteAllocation(Context &context, Region &region,
                               CUstream stream) {
  if (!isCalling(context, stream) || !innermost->known)
    return;
  region.uses.setWriter(innermost->known->shared_from_this());
  innermost->hasUsed = true;
}
