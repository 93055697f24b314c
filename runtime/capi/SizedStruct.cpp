//===- SizedStruct.cpp - structs that begin with their size ---------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/capi/SizedStruct.h"
#include "kern/threads.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

using namespace kern::runtime;

/// No version of any struct will be larger. A greater size is uninitialised.
static constexpr size_t maxBytes = 4096;

static size_t sizeAt(const void *given) {
  size_t size = 0;
  std::memcpy(&size, given, sizeof size);
  return size;
}

Status kern::runtime::checkSizedPlace(const StructVersions &versions,
                                      const void *place) {
  size_t size = sizeAt(place);
  bool isLater = size > versions.sizes.back() && size <= maxBytes;
  if (isLater ||
      std::ranges::find(versions.sizes, size) != versions.sizes.end())
    return {};
  return Error(ErrorCode::struct_size, {versions.name, size});
}

Status kern::runtime::readSized(const StructVersions &versions,
                                const void *given, void *known) {
  if (Status status = checkSizedPlace(versions, given); !status)
    return status;
  const size_t size = sizeAt(given), knownSize = versions.sizes.back();
  const auto *bytes = static_cast<const unsigned char *>(given);
  for (size_t i = knownSize; i < size; ++i)
    if (bytes[i])
      return Error(ErrorCode::struct_of_later_version,
                   {versions.name, kern_version(), i});
  std::memset(known, 0, knownSize);
  std::memcpy(known, given, std::min(size, knownSize));
  return {};
}

void kern::runtime::writeSized(const StructVersions &versions,
                               const void *known, void *place) {
  const size_t size = sizeAt(place), knownSize = versions.sizes.back();
  std::memset(place, 0, size);
  std::memcpy(place, known, std::min(size, knownSize));
  std::memcpy(place, &size, sizeof size);
}

static constexpr size_t optionsSizes[] = {
    sizeof(kern_call_options),
    offsetof(kern_call_request, allocator),
    offsetof(kern_call_request, threads),
    offsetof(kern_call_request, shape),
    offsetof(kern_call_request, progress),
    offsetof(kern_call_request, sharded_where),
    sizeof(kern_call_request)};
static constexpr StructVersions optionsVersions = {"kern_call_options",
                                                   optionsSizes};
Expected<std::optional<kern_call_request>>
kern::runtime::readOptions(const kern_call_options *given, bool isOverParts) {
  if (!given)
    return std::optional<kern_call_request>();
  kern_call_request options = {};
  if (Status status = readSized(optionsVersions, given, &options); !status)
    return status.error();
  if (options.threads < 0 || options.threads > KERN_MAX_THREADS)
    return Error(ErrorCode::thread_count, {KERN_MAX_THREADS, options.threads});
  if (options.sharded_where && !isOverParts)
    return Error(ErrorCode::for_parts_alone, {"sharded_where"});
  if (options.sharded_where && options.where)
    return Error(ErrorCode::two_masks);
  return std::optional(options);
}
