//===- CallOrder.cpp - the order of calls on several streams --------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/cuda/CallOrder.h"

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
  Expected<bool> only = context.streams().isOnly(stream);
  if (!only)
    return context.attribute(only.error());
  isOnly = *only;
  if (isOnly)
    return {};
  Expected<StreamTable::Stream> found = context.streams().at(stream);
  if (!found)
    return context.attribute(found.error());
  known = std::move(*found);
  return {};
}

Status CallOrder::use(const std::byte *address, bool isWritten) {
  if (recorded)
    recorded->use(address, isWritten);
  if (!known)
    return {};
  Region *region =
      context.regions().find(CUdeviceptr(reinterpret_cast<uintptr_t>(address)));
  if (!region)
    return {};
  hasUsed = true;
  Status status = region->uses.begin(known, isWritten);
  return status ? Status() : context.attribute(std::move(status));
}

bool CallOrder::isCalling(const Context &context, CUstream stream) {
  return innermost && &innermost->context == &context &&
         innermost->stream == stream;
}

void CallOrder::noteAllocation(Context &context, Region &region,
                               CUstream stream) {
  if (!isCalling(context, stream) || !innermost->known)
    return;
  region.uses.setWriter(innermost->known);
  innermost->hasUsed = true;
}
