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

Status StreamUses::beginBesides(const Stream &stream, bool isWritten) {
  std::lock_guard lock(mutex);
  const bool isLastWriter = writer == stream;
  const bool hasRead = std::ranges::find(readers, stream) != readers.end();
  if (isWritten ? isLastWriter && readers.empty() : isLastWriter || hasRead)
    return {};
  // What a graph records is ordered where the graph is launched.
  Expected<bool> recorded = stream->isRecorded();
  if (!recorded)
    return recorded.error();
  if (*recorded)
    return {};
  if (!isWritten)
    readers.reserve(readers.size() + 1);
  if (writer && !isLastWriter && !hasRead)
    if (Status status = writer->precede(stream->handle()); !status)
      return status;
  if (!isWritten) {
    readers.push_back(stream);
    noteSole();
    return {};
  }
  for (const Stream &reader : readers)
    if (reader != stream)
      if (Status status = reader->precede(stream->handle()); !status)
        return status;
  readers.clear();
  writer = stream;
  noteSole();
  return {};
}

void StreamUses::setWriter(Stream stream) {
  std::lock_guard lock(mutex);
  readers.clear();
  writer = std::move(stream);
  noteSole();
}

bool StreamUses::areElsewhere(unsigned long long id) const {
  std::lock_guard lock(mutex);
  return (writer && writer->id() != id) ||
         std::ranges::any_of(
             readers, [&](const Stream &reader) { return reader->id() != id; });
}

Status StreamUses::end(CUstream stream) {
  std::lock_guard lock(mutex);
  if (writer)
    if (Status status = writer->precede(stream); !status)
      return status;
  for (const Stream &reader : readers)
    if (Status status = reader->precede(stream); !status)
      return status;
  readers.clear();
  writer.reset();
  noteSole();
  return {};
}

void StreamUses::clear() {
  std::lock_guard lock(mutex);
  readers.clear();
  writer.reset();
  noteSole();
}
