//===- StreamUses.cpp - the streams that use one allocation ---------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/cuda/StreamUses.h"

#include <algorithm>
#include <utility>

using namespace kern::runtime;
using namespace kern::runtime::cuda;

void StreamUses::noteWriter(Stream stream) {
  ++turns;
  readers.clear();
  writer = std::move(stream);
  noteSole();
}

Expected<uint64_t> StreamUses::beginBesides(KnownStream &stream,
                                            bool isWritten) {
  std::lock_guard lock(mutex);
  const bool isLastWriter = writer.get() == &stream;
  const bool hasRead =
      std::ranges::find(readers, &stream, &Stream::get) != readers.end();
  if (isWritten ? isLastWriter && readers.empty() : isLastWriter || hasRead)
    return turns.load();
  // What a graph records is ordered where the graph is launched.
  Expected<bool> recorded = stream.isRecorded();
  if (!recorded)
    return recorded.error();
  if (*recorded)
    return 0;
  if (!isWritten)
    readers.reserve(readers.size() + 1);
  if (writer && !isLastWriter && !hasRead)
    if (Status status = writer->precede(stream.handle()); !status)
      return status.error();
  if (!isWritten) {
    readers.push_back(stream.shared_from_this());
    noteSole();
    return turns.load();
  }
  for (const Stream &reader : readers)
    if (reader.get() != &stream)
      if (Status status = reader->precede(stream.handle()); !status)
        return status.error();
  noteWriter(stream.shared_from_this());
  return turns.load();
}

void StreamUses::setWriter(Stream stream) {
  std::lock_guard lock(mutex);
  noteWriter(std::move(stream));
}

bool StreamUses::areElsewhere(unsigned long long id) const {
  std::lock_guard lock(mutex);
  return (writer && writer->id() != id) ||
         std::ranges::any_of(
             readers, [&](const Stream &reader) { return reader->id() != id; });
}

Expected<StreamUses::Stream> StreamUses::captured() const {
  std::lock_guard lock(mutex);
  auto ask = [](const Stream &user) -> Expected<bool> {
    return user && user->isAlive() ? user->isRecorded() : Expected(false);
  };
  Expected<bool> isCaptured = ask(writer);
  if (!isCaptured)
    return isCaptured.error();
  if (*isCaptured)
    return writer;
  for (const Stream &reader : readers) {
    isCaptured = ask(reader);
    if (!isCaptured)
      return isCaptured.error();
    if (*isCaptured)
      return reader;
  }
  return Stream();
}

Status StreamUses::end(CUstream stream) {
  std::lock_guard lock(mutex);
  if (writer)
    if (Status status = writer->precede(stream); !status)
      return status;
  for (const Stream &reader : readers)
    if (Status status = reader->precede(stream); !status)
      return status;
  noteWriter(nullptr);
  return {};
}

void StreamUses::clear() {
  std::lock_guard lock(mutex);
  noteWriter(nullptr);
}
