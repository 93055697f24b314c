//===- StreamTable.cpp - the streams of one device ------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/cuda/StreamTable.h"

#include "runtime/device/cuda/Context.h"

using namespace kern::runtime;
using namespace kern::runtime::cuda;

Expected<unsigned long long> StreamTable::idOf(CUstream stream) const {
  unsigned long long id = 0;
  const Driver &driver = context.driver();
  if (Status status =
          check(driver, driver.cuStreamGetId(stream, &id), "cuStreamGetId");
      !status)
    return status.error();
  return id;
}

Expected<StreamTable::Stream> StreamTable::add(CUstream stream) {
  std::lock_guard lock(mutex);
  if (!stream)
    return atLocked(stream);
  if (auto at = added.find(stream); at != added.end()) {
    ++at->second.times;
    return at->second.stream;
  }
  Expected<unsigned long long> id = idOf(stream);
  if (!id)
    return id.error();
  auto known = others.find(*id);
  Stream made = known != others.end()
                    ? known->second
                    : std::make_shared<KnownStream>(context, stream, *id,
                                                    StreamLife::Told);
  added.emplace(stream, Added{made, 1});
  made->adopt();
  if (only == wordOf(stream) && onlyId == *id) // it lives, and is told of now
    mayHaveEnded = false;
  if (known != others.end())
    others.erase(known);
  return made;
}

void StreamTable::retire(const Stream &stream) noexcept {
  std::lock_guard lock(mutex);
  auto at = added.find(stream->handle());
  if (at == added.end() || at->second.stream != stream || --at->second.times)
    return;
  stream->retire();
  if (only == wordOf(stream->handle()) && !mayHaveEnded) {
    regions.setWriter(stream);
    only = several;
  }
  added.erase(at);
}

Expected<StreamTable::Stream> StreamTable::at(CUstream stream) {
  std::lock_guard lock(mutex);
  return atLocked(stream);
}

Expected<StreamTable::Stream> StreamTable::atLocked(CUstream stream) {
  if (!stream) {
    if (!defaultStream)
      defaultStream = std::make_shared<KnownStream>(context, stream, 0,
                                                    StreamLife::Forever);
    return defaultStream;
  }
  if (auto at = added.find(stream); at != added.end())
    return at->second.stream;
  Expected<unsigned long long> id = idOf(stream);
  if (!id)
    return id.error();
  if (auto at = others.find(*id); at != others.end())
    return at->second;
  // Those that no region has any more have probably ended.
  constexpr size_t many = 64;
  if (others.size() >= many)
    std::erase_if(others, [](const auto &entry) {
      return entry.second.use_count() == 1;
    });
  return others
      .emplace(*id, std::make_shared<KnownStream>(context, stream, *id,
                                                  StreamLife::Unknown))
      .first->second;
}

bool StreamTable::isAlive(CUstream stream, unsigned long long id) const {
  if (!stream)
    return true;
  std::lock_guard lock(mutex);
  auto at = added.find(stream);
  return at != added.end() && at->second.stream->id() == id;
}

Expected<bool> StreamTable::noteStream(CUstream stream) {
  if (hasSeveral())
    return false;
  // What a graph records is ordered where the graph is launched.
  Expected<bool> isRecorded = isCaptured(context.driver(), stream);
  if (!isRecorded)
    return isRecorded.error();
  if (*isRecorded)
    return true;
  std::lock_guard lock(mutex);
  const uintptr_t first = only.load();
  if (first == several)
    return false;
  const bool isTold = !stream || added.contains(stream);
  Expected<unsigned long long> id =
      isTold ? Expected<unsigned long long>(0) : idOf(stream);
  if (!id)
    return id.error();
  if (first == none) {
    mayHaveEnded = !isTold;
    onlyId = *id;
    only = wordOf(stream);
    return true;
  }
  if (first == wordOf(stream) && onlyId.load() == *id)
    return true;
  Stream writer;
  if (!mayHaveEnded) {
    Expected<Stream> known = atLocked(reinterpret_cast<CUstream>(first));
    if (!known)
      return known.error();
    writer = std::move(*known);
  }
  if (Status status = becomeSeveral(writer); !status)
    return status.error();
  return false;
}

// What the stream so far has done was not recorded. If it is known to live, it
// is taken to have written everything; else the device is waited for.
Status StreamTable::becomeSeveral(const Stream &writer) {
  if (!writer) {
    ContextScope scope(context);
    if (!scope.status)
      return scope.status;
    const Driver &driver = context.driver();
    CaptureUndisturbed undisturbed(driver);
    if (Status status =
            check(driver, driver.cuCtxSynchronize(), "cuCtxSynchronize");
        !status)
      return status;
  }
  regions.setWriter(writer);
  only.store(several, std::memory_order_release);
  return {};
}

void StreamTable::clear() {
  std::lock_guard lock(mutex);
  added.clear();
  others.clear();
  defaultStream.reset();
}
