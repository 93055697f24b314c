//===- BuildId.cpp - the build ID of Kern ---------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/cache/CacheKey.h"

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <sys/stat.h>

using namespace kern::runtime;

/// The GNU build ID in the notes of one segment.
static std::string idAmong(const char *notes, size_t bytes) {
  auto padded = [](size_t size) { return (size + 3) / 4 * 4; };
  size_t at = 0;
  while (at + sizeof(ElfW(Nhdr)) <= bytes) {
    ElfW(Nhdr) note;
    std::memcpy(&note, notes + at, sizeof note);
    size_t name = at + sizeof note, text = name + padded(note.n_namesz);
    at = text + padded(note.n_descsz);
    if (at > bytes)
      break;
    if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != 4 ||
        std::memcmp(notes + name, "GNU", 4) != 0)
      continue;
    std::string digits;
    for (size_t i = 0; i < note.n_descsz; ++i) {
      char two[3];
      std::snprintf(two, sizeof two, "%02x", uint8_t(notes[text + i]));
      digits += two;
    }
    return digits;
  }
  return "";
}

namespace {
struct Search {
  uintptr_t code; ///< an address in the wanted object
  std::string id;
};
} // namespace

static int lookAt(dl_phdr_info *object, size_t, void *argument) {
  auto &search = *static_cast<Search *>(argument);
  bool isOurs = false;
  for (unsigned i = 0; i < object->dlpi_phnum; ++i) {
    const auto &segment = object->dlpi_phdr[i];
    uintptr_t begin = object->dlpi_addr + segment.p_vaddr;
    isOurs |= segment.p_type == PT_LOAD && search.code >= begin &&
              search.code < begin + segment.p_memsz;
  }
  if (!isOurs)
    return 0;
  for (unsigned i = 0; i < object->dlpi_phnum && search.id.empty(); ++i) {
    const auto &segment = object->dlpi_phdr[i];
    if (segment.p_type == PT_NOTE)
      search.id = idAmong(
          reinterpret_cast<const char *>(object->dlpi_addr + segment.p_vaddr),
          segment.p_memsz);
  }
  return 1;
}

std::string kern::runtime::buildIdOf(const void *code) {
  Search search{reinterpret_cast<uintptr_t>(code), ""};
  ::dl_iterate_phdr(lookAt, &search);
  if (!search.id.empty())
    return search.id;
  Dl_info info;
  struct stat status;
  if (::dladdr(code, &info) && info.dli_fname &&
      ::stat(info.dli_fname, &status) == 0)
    return std::to_string(status.st_size) + "." +
           std::to_string(status.st_mtim.tv_sec) + "." +
           std::to_string(status.st_mtim.tv_nsec);
  return "unknown";
}

const std::string &kern::runtime::buildId() {
  static const std::string id =
      buildIdOf(reinterpret_cast<const void *>(&lookAt));
  return id;
}
