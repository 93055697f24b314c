//===- SizedStruct.cpp - structs that say their size ----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/capi/SizedStruct.h"

#include <algorithm>
#include <cstring>

using namespace kern;

/// No version of any struct will be larger: a greater size was never set.
static constexpr size_t mostBytes = 4096;

static size_t sizeAt(const void *given) {
  size_t size = 0;
  std::memcpy(&size, given, sizeof size);
  return size;
}

Status kern::checkSizedPlace(const StructVersions &versions,
                             const void *place) {
  size_t size = sizeAt(place);
  bool isLater = size > versions.sizes.back() && size <= mostBytes;
  if (isLater ||
      std::ranges::find(versions.sizes, size) != versions.sizes.end())
    return {};
  std::string name = versions.name;
  return Error{KERN_ERROR_ARGUMENT, "the size in " + name + " is " +
                                        std::to_string(size) +
                                        ", which no version of it has; set "
                                        "it to sizeof(" +
                                        name + ")"};
}

Status kern::readSized(const StructVersions &versions, const void *given,
                       void *known) {
  if (Status status = checkSizedPlace(versions, given); !status)
    return status;
  const size_t size = sizeAt(given), knownSize = versions.sizes.back();
  const auto *bytes = static_cast<const unsigned char *>(given);
  for (size_t i = knownSize; i < size; ++i)
    if (bytes[i])
      return Error{KERN_ERROR_ARGUMENT, std::string(versions.name) +
                                            " is of a later version of "
                                            "Kern and asks for something "
                                            "that " +
                                            kern_version() +
                                            " does not know (byte " +
                                            std::to_string(i) + " is not 0)"};
  std::memset(known, 0, knownSize);
  std::memcpy(known, given, std::min(size, knownSize));
  return {};
}

void kern::writeSized(const StructVersions &versions, const void *known,
                      void *place) {
  const size_t size = sizeAt(place), knownSize = versions.sizes.back();
  std::memset(place, 0, size);
  std::memcpy(place, known, std::min(size, knownSize));
  std::memcpy(place, &size, sizeof size);
}
