//===- Nvtx.cpp - ranges for a profiler -----------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What NVTX 3's own headers do in a program that includes them (nvtxInit.h,
// nvtxTypes.h of NVIDIA/NVTX): the program has tables of pointers to functions,
// all NULL. It loads the tool's library and calls InitializeInjectionNvtx2()
// there, which asks for the tables and fills in what it wants to be told of.
//
//===----------------------------------------------------------------------===//
#include "runtime/trace/Nvtx.h"

#include <cstddef>
#include <cstdlib>
#include <dlfcn.h>
#include <iterator>

using namespace kern::runtime;

namespace {
using Function = void (*)();

/// nvtxEventAttributes_t.
struct Attributes {
  uint16_t version = 3, size = sizeof(Attributes);
  uint32_t category = 0;
  int32_t colorType = 0;
  uint32_t color = 0;
  int32_t payloadType = 0; ///< 1: of 64 bits without a sign
  int32_t reserved = 0;
  uint64_t payload = 0;
  int32_t messageType = 1; ///< char
  const char *message = nullptr;
};
static_assert(sizeof(Attributes) == 48);

/// NvtxExportTableCallbacks.
struct Callbacks {
  size_t size;
  int (*getModuleFunctionTable)(unsigned module, Function ***table,
                                unsigned *size);
};

/// NvtxExportTableVersionInfo.
struct VersionInfo {
  size_t size;
  uint32_t version, reserved;
  void (*setInjectionVersion)(uint32_t version);
};

/// NvtxCallbackModule: how many functions each has, and 1 (NVTX_CBID_…_SIZE).
constexpr unsigned moduleSizes[] = {0, 16, 9, 15, 7, 16, 7};
constexpr unsigned core2 = 5;
/// NvtxCallbackIdCore2.
enum Core2 : unsigned { PushRange = 4, PopRange = 5, CreateDomain = 12 };

constexpr unsigned modules = std::size(moduleSizes), maxFunctions = 16;
/// What the tool fills in, and the pointers to it by which it does.
Function functions[modules][maxFunctions];
Function *tables[modules][maxFunctions];

int getModuleFunctionTable(unsigned module, Function ***table, unsigned *size) {
  if (module == 0 || module >= modules)
    return 0;
  for (unsigned i = 1; i < moduleSizes[module]; ++i)
    tables[module][i] = &functions[module][i];
  if (table)
    *table = tables[module];
  if (size)
    *size = moduleSizes[module];
  return 1;
}

const void *getExportTable(uint32_t id) {
  static constexpr Callbacks callbacks = {sizeof callbacks,
                                          getModuleFunctionTable};
  static constexpr VersionInfo version = {sizeof version, 3, 0,
                                          [](uint32_t) {}};
  enum : uint32_t { CallbacksId = 1, VersionInfoId = 3 };
  return id == CallbacksId     ? static_cast<const void *>(&callbacks)
         : id == VersionInfoId ? static_cast<const void *>(&version)
                               : nullptr;
}

/// The tool's function, as what it is.
template <typename Type> Type *toolFunction(Core2 id) {
  return reinterpret_cast<Type *>(functions[core2][id]);
}
} // namespace

const Nvtx *Nvtx::load() {
  const char *path = std::getenv("NVTX_INJECTION64_PATH");
  void *library = path ? dlopen(path, RTLD_LAZY | RTLD_LOCAL) : nullptr;
  if (!library)
    return nullptr;
  using Initialise = int(const void *(*getExportTable)(uint32_t));
  auto *initialise = reinterpret_cast<Initialise *>(
      dlsym(library, "InitializeInjectionNvtx2"));
  if (!initialise || !initialise(getExportTable)) {
    dlclose(library);
    return nullptr;
  }
  auto *create = toolFunction<void *(const char *)>(CreateDomain);
  if (!create || !functions[core2][PushRange] || !functions[core2][PopRange])
    return nullptr;
  static Nvtx nvtx;
  nvtx.domain = create("kern");
  return &nvtx;
}

const Nvtx *Nvtx::shared() {
  static const Nvtx *const nvtx = load();
  return nvtx;
}

void Nvtx::push(const std::string &name, uint64_t amount) const {
  Attributes attributes;
  attributes.message = name.c_str();
  attributes.payloadType = amount != 0;
  attributes.payload = amount;
  toolFunction<int(void *, const Attributes *)>(PushRange)(domain, &attributes);
}

void Nvtx::pop() const { toolFunction<int(void *)>(PopRange)(domain); }
