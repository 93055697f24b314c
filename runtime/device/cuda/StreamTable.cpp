//===- StreamTable.cpp - the streams of one device ------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/cuda/StreamTable.h"

#include "runtime/device/cuda/Context.h"

#include <array>

using namespace kern::runtime;
using namespace kern::runtime::cuda;

uint64_t StreamTable::nextVersion() {
  static std::atomic<uint64_t> versions = 0;
  return ++versions;
}

// The driver tells nothing of a stream that is captured, and asking spoils the
// graph: only for one that is known not to be.
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
    return findAddedLocked(stream)->shared_from_this();
  if (auto at = added.find(stream); at != added.end()) {
    ++at->second.times;
    return at->second.stream;
  }
  Expected<bool> isRecorded = isCaptured(context.driver(), stream);
  if (!isRecorded)
    return isRecorded.error();
  if (*isRecorded)
    return Error(ErrorCode::stream_is_captured);
  Expected<unsigned long long> id = idOf(stream);
  if (!id)
    return id.error();
  auto known = others.find(*id);
  Stream made = known != others.end()
                    ? known->second
                    : std::make_shared<KnownStream>(context, stream, *id,
                                                    StreamLife::Told);
  added.emplace(stream, Added{made, 1});
  version = nextVersion();
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
  version = nextVersion();
}

namespace {
/// What this thread has found last, by handle.
struct FoundStream {
  uint64_t version = 0; ///< of a table
  CUstream handle = nullptr;
  KnownStream *stream = nullptr;
};
thread_local std::array<FoundStream, 16> found;
} // namespace

KnownStream *StreamTable::findAdded(CUstream stream) {
  FoundStream &entry = found[(wordOf(stream) >> 4) % found.size()];
  if (entry.version == version.load(std::memory_order_acquire) &&
      entry.handle == stream)
    return entry.stream;
  std::lock_guard lock(mutex);
  KnownStream *known = findAddedLocked(stream);
  if (known)
    entry = {version, stream, known};
  return known;
}

KnownStream *StreamTable::findAddedLocked(CUstream stream) {
  if (stream) {
    auto at = added.find(stream);
    return at == added.end() ? nullptr : at->second.stream.get();
  }
  if (!defaultStream)
    defaultStream =
        std::make_shared<KnownStream>(context, stream, 0, StreamLife::Forever);
  return defaultStream.get();
}

StreamTable::Stream StreamTable::unknown(CUstream stream,
                                         unsigned long long id) {
  if (auto at = others.find(id); at != others.end())
    return at->second;
  // Those that no region has any more have probably ended.
  constexpr size_t many = 64;
  if (others.size() >= many)
    std::erase_if(others, [](const auto &entry) {
      return entry.second.use_count() == 1;
    });
  return others
      .emplace(id, std::make_shared<KnownStream>(context, stream, id,
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

Expected<StreamTable::Found> StreamTable::findBesides(CUstream stream) {
  // What a graph records is ordered where the graph is launched.
  Expected<bool> isRecorded = isCaptured(context.driver(), stream);
  if (!isRecorded)
    return isRecorded.error();
  if (*isRecorded)
    return Found{.isCaptured = true};
  std::lock_guard lock(mutex);
  KnownStream *told = findAddedLocked(stream);
  Expected<unsigned long long> id =
      told ? Expected<unsigned long long>(0) : idOf(stream);
  if (!id)
    return id.error();
  const uintptr_t first = only.load();
  if (first == none) {
    mayHaveEnded = !told;
    onlyId = *id;
    only = wordOf(stream);
    return Found{.isOnly = true};
  }
  if (first == wordOf(stream) && onlyId.load() == *id)
    return Found{.isOnly = true};
  if (first != several)
    if (Status status = becomeSeveral(
            mayHaveEnded ? nullptr
                         : findAddedLocked(reinterpret_cast<CUstream>(first)));
        !status)
      return status.error();
  if (told)
    return Found{.stream = told};
  Stream owner = unknown(stream, *id);
  KnownStream *const known = owner.get();
  return Found{.stream = known, .owner = std::move(owner)};
}

// What the stream so far has done was not recorded. If it is known to live, it
// is taken to have written everything; else the device is waited for.
Status StreamTable::becomeSeveral(KnownStream *writer) {
  if (!writer) {
    ContextScope scope(context);
    if (!scope.status)
      return scope.status;
    const Driver &driver = context.driver();
    if (Status status =
            check(driver, synchronizeContext(driver), "cuCtxSynchronize");
        !status)
      return status;
  }
  regions.setWriter(writer ? writer->shared_from_this() : nullptr);
  only.store(several, std::memory_order_release);
  return {};
}

void StreamTable::clear() {
  std::lock_guard lock(mutex);
  added.clear();
  others.clear();
  defaultStream.reset();
  version = nextVersion();
}
