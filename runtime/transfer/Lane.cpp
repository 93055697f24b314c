//===- Lane.cpp - what one pipeline runs in -------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/transfer/Lane.h"

using namespace kern::runtime;

Status StagingArea::reserve(cuda::Context &context, size_t bytes) {
  if (bytes <= size)
    return {};
  memory = {};
  size = 0;
  Expected<cuda::PinnedMemory> larger =
      cuda::PinnedMemory::allocate(context, bytes);
  if (!larger)
    return larger.error();
  memory = std::move(*larger);
  size = bytes;
  return {};
}

Expected<std::unique_ptr<Lane>> Lane::create(cuda::Context &context) {
  auto lane = std::make_unique<Lane>();
  for (cuda::Stream *stream : {&lane->up, &lane->compute, &lane->down}) {
    Expected<cuda::Stream> made = cuda::Stream::create(context);
    if (!made)
      return made.error();
    *stream = std::move(*made);
  }
  auto create = [&](cuda::Event &event) -> Status {
    Expected<cuda::Event> made = cuda::Event::create(context);
    if (!made)
      return made.error();
    event = std::move(*made);
    return {};
  };
  if (Status status = create(lane->begin); !status)
    return status.error();
  for (Slot &slot : lane->slots)
    for (cuda::Event *event :
         {&slot.uploaded, &slot.computed, &slot.downloaded})
      if (Status status = create(*event); !status)
        return status.error();
  return lane;
}

Status Lane::drain() const {
  Status first;
  for (const cuda::Stream *stream : {&up, &compute, &down})
    if (Status status = stream->synchronize(); first && !status)
      first = status;
  return first;
}

Expected<std::unique_ptr<Lane>> Lanes::take() {
  {
    std::lock_guard lock(mutex);
    if (idle)
      return std::move(idle);
  }
  return Lane::create(context);
}

void Lanes::give(std::unique_ptr<Lane> lane) {
  std::lock_guard lock(mutex);
  if (!idle)
    idle = std::move(lane);
}
