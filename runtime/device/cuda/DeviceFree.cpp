//===- DeviceFree.cpp - memory that is given back -------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/cuda/DeviceFree.h"

#include "runtime/device/cuda/CallOrder.h"

using namespace kern::runtime;
using namespace kern::runtime::cuda;

namespace {
/// A stream that only waits for others, to free memory after them.
class FreeingStream : public ContextResource {
public:
  explicit FreeingStream(const Context &context) : context(context) {}
  ~FreeingStream() override {
    if (stream)
      context.driver().cuStreamDestroy(stream);
  }
  /// The context must be current.
  Expected<CUstream> get() {
    std::lock_guard lock(mutex);
    const Driver &driver = context.driver();
    if (!stream)
      if (Status status = check(
              driver, driver.cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING),
              "cuStreamCreate");
          !status)
        return status.error();
    return stream;
  }

private:
  const Context &context;
  std::mutex mutex;
  CUstream stream = nullptr;
};
} // namespace

/// Frees a pool's memory after all its uses, wherever they are.
static bool freeAfterUses(Context &context, CUdeviceptr pointer,
                          StreamUses &uses) {
  Expected<CUstream> freeing = context.resource<FreeingStream>().get();
  if (!freeing || !uses.end(*freeing))
    return false;
  context.regions().remove(pointer);
  context.driver().cuMemFreeAsync(pointer, *freeing);
  return true;
}

/// Whether the block is kept until it is known whether its stream is there.
static bool isParked(Context &context, Block block, HomeStream home) noexcept {
  if (context.streams().hasSeveral())
    return false;
  try {
    context.blocks().park(home.id, block);
    return true;
  } catch (...) { // no memory for the list
    return false;
  }
}

static bool isKept(Context &context, Block block, size_t blockSize,
                   HomeStream home) noexcept {
  try {
    return context.blocks().give(home.id, blockSize, block);
  } catch (...) {
    return false;
  }
}

/// Frees memory that nothing on the device uses once it is waited for.
static void freeAfterAll(Context &context, CUdeviceptr pointer) {
  CaptureUndisturbed undisturbed(context.driver());
  context.driver().cuCtxSynchronize();
  context.regions().remove(pointer);
  context.driver().cuMemFree(pointer);
}

/// Whether the block is kept until a stream is no longer captured.
static bool isHeld(Context &context, Block block,
                   unsigned long long stream) noexcept {
  try {
    context.blocks().hold(stream, block);
    return true;
  } catch (...) { // no memory for the list
    return false;
  }
}

/// Frees memory in the order of its home stream, which is there. A graph that
/// is being recorded can only free what it has made.
static bool isFreedAtHome(Context &context, Block block, HomeStream home) {
  if (!home.isRecorded) {
    Expected<bool> isRecorded = isCaptured(context.driver(), home.stream);
    if (!isRecorded)
      return false;
    if (*isRecorded)
      return isHeld(context, block, home.id);
  }
  context.regions().remove(block.pointer);
  context.driver().cuMemFreeAsync(block.pointer, home.stream);
  return true;
}

/// Whether a stream that has used it is captured, until whose end it is held.
static bool isHeldByAUser(Context &context, Block block) {
  Expected<StreamTable::Stream> user = block.region->uses.captured();
  return user && *user && isHeld(context, block, (*user)->id());
}

static void freePooled(Context &context, Block block, HomeStream home) {
  StreamUses &uses = block.region->uses;
  const bool isAtHome =
      !uses.areElsewhere(home.id) &&
      (home.isRecorded || CallOrder::isCalling(context, home.stream) ||
       context.streams().isAlive(home.stream, home.id));
  if (isAtHome && isFreedAtHome(context, block, home))
    return;
  if (!isParked(context, block, home) && !isHeldByAUser(context, block) &&
      !freeAfterUses(context, block.pointer, uses))
    freeAfterAll(context, block.pointer);
}

void cuda::giveBack(Context &context, Block block, size_t blockSize,
                    HomeStream home) noexcept {
  StreamUses &uses = block.region->uses;
  context.regions().renew(*block.region);
  const bool isNoted = context.streams().hasSeveral();
  if (blockSize && !(isNoted && uses.areElsewhere(home.id))) {
    if (isNoted)
      uses.clear();
    if (isKept(context, block, blockSize, home))
      return;
  }
  try {
    ContextScope scope(context);
    if (block.isPooled) {
      freePooled(context, block, home);
      return;
    }
    context.regions().remove(block.pointer);
    CaptureUndisturbed undisturbed(context.driver());
    context.driver().cuMemFree(block.pointer);
  } catch (...) { // no memory for a message: what is left is the wait
    freeAfterAll(context, block.pointer);
  }
}

/// Waits on the host for what other streams do with memory.
static void waitForUses(Context &context, StreamUses &uses) {
  CaptureUndisturbed undisturbed(context.driver());
  Expected<CUstream> freeing = context.resource<FreeingStream>().get();
  if (!freeing || !uses.end(*freeing) ||
      context.driver().cuStreamSynchronize(*freeing) != CUDA_SUCCESS)
    synchronizeContext(context.driver());
}

void cuda::giveBackTo(const kern_memory_allocator &allocator, Context &context,
                      Region &region, std::byte *memory, HomeStream home,
                      bool isOrdered) noexcept {
  try {
    ContextScope scope(context);
    const bool isElsewhere = region.uses.areElsewhere(home.id);
    if (!isOrdered)
      synchronizeContext(context.driver());
    else if (isElsewhere)
      waitForUses(context, region.uses);
  } catch (...) { // no memory for a message: what is left is the wait
    synchronizeContext(context.driver());
  }
  const size_t bytes = region.bytes;
  context.regions().remove(CUdeviceptr(reinterpret_cast<uintptr_t>(memory)));
  allocator.free(allocator.context, memory, bytes, context.device(),
                 home.stream);
}

void cuda::freeParked(Context &context, HomeStream home) {
  // Since there are several streams, nothing uses what was parked before.
  const bool isAny = context.streams().hasSeveral();
  for (Block block : context.blocks().takeParked(
           isAny ? std::nullopt : std::optional(home.id))) {
    context.regions().remove(block.pointer);
    context.driver().cuMemFreeAsync(block.pointer, home.stream);
  }
  for (Block block : context.blocks().takeHeld(home.id))
    freePooled(context, block, home);
}

void cuda::retireStream(Context &context,
                        const StreamTable::Stream &stream) noexcept {
  try {
    ContextScope scope(context);
    context.streams().retire(stream);
    if (context.streams().isAlive(stream->handle(), stream->id()))
      return;
    for (Block block : context.blocks().takeAll(stream->id())) {
      if (!block.isPooled) {
        context.regions().remove(block.pointer);
        CaptureUndisturbed undisturbed(context.driver());
        context.driver().cuMemFree(block.pointer);
        continue;
      }
      // Of a block that was kept nothing is noted.
      if (!block.region->uses.areElsewhere(stream->id()))
        block.region->uses.setWriter(stream);
      freePooled(context, block, {stream->handle(), stream->id()});
    }
  } catch (...) { // no memory for the list: the blocks stay until the end
  }
}
