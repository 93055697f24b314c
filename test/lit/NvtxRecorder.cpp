//===- NvtxRecorder.cpp - a tool that prints ranges of NVTX ---------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A library for NVTX_INJECTION64_PATH, as tools have one. It asks for the
// functions of domains alone, and writes ranges to stderr, indented.
//
//===----------------------------------------------------------------------===//
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>

namespace {
using Function = void (*)();
enum : unsigned { Core2 = 5, PushRange = 4, PopRange = 5, CreateDomain = 12 };
thread_local int depth = 0;

/// nvtxEventAttributes_t as bytes: the payload is at 24, the text at 40.
int push(void *domain, const unsigned char *attributes) {
  uint16_t version = 0, size = 0;
  int32_t payloadType = 0, messageType = 0;
  uint64_t payload = 0;
  const char *message = nullptr;
  std::memcpy(&version, attributes, 2);
  std::memcpy(&size, attributes + 2, 2);
  std::memcpy(&payloadType, attributes + 16, 4);
  std::memcpy(&payload, attributes + 24, 8);
  std::memcpy(&messageType, attributes + 32, 4);
  std::memcpy(&message, attributes + 40, 8);
  std::fprintf(stderr, "%*s%s %u/%u %d <%s> %ld\n", 2 * depth, "",
               static_cast<const char *>(domain), version, size, messageType,
               message, payloadType == 1 ? static_cast<long>(payload) : -1);
  return depth++;
}

int pop(void *) {
  --depth;
  std::fprintf(stderr, "%*send\n", 2 * depth, "");
  return depth;
}

void *create(const char *name) { return const_cast<char *>(name); }
} // namespace

extern "C" [[gnu::visibility("default")]] int
InitializeInjectionNvtx2(const void *(*getExportTable)(uint32_t)) {
  struct Callbacks {
    size_t size;
    int (*getModuleFunctionTable)(unsigned, Function ***, unsigned *);
  };
  auto *callbacks = static_cast<const Callbacks *>(getExportTable(1));
  Function **table = nullptr;
  unsigned size = 0;
  if (!callbacks || callbacks->size < sizeof(Callbacks) ||
      !callbacks->getModuleFunctionTable(Core2, &table, &size) || size != 16)
    return 0;
  *table[PushRange] = reinterpret_cast<Function>(push);
  *table[PopRange] = reinterpret_cast<Function>(pop);
  *table[CreateDomain] = reinterpret_cast<Function>(create);
  return 1;
}
