//===- MachineCode.cpp - what the driver makes of PTX ---------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/cuda/MachineCode.h"

#include "runtime/cache/CacheFile.h"

using namespace kern;
using namespace kern::cuda;

/// Which driver this is, to the build; "" if it does not say.
static std::string driverName(const Driver &driver) {
  int version = 0;
  if (driver.cuDriverGetVersion(&version) != CUDA_SUCCESS)
    return "";
  std::string name = std::to_string(version);
  // Linux names the build; where it does not, the version has to do.
  if (CacheFile file = CacheFile::open("/proc/driver/nvidia/version"))
    name += " " + contentHash(file.read(1024));
  return name;
}

/// The machine code of a PTX text; "" if the driver makes none, whose reasons
/// loading the text will tell.
static std::string link(const Context &context, const std::string &ptx) {
  ContextScope scope(context);
  if (!scope.status)
    return "";
  const Driver &driver = context.driver();
  CUlinkState state = nullptr;
  if (driver.cuLinkCreate(0, nullptr, nullptr, &state) != CUDA_SUCCESS)
    return "";
  void *code = nullptr;
  size_t bytes = 0;
  std::string out;
  // The text's end belongs to it. The driver does not write to it.
  if (driver.cuLinkAddData(state, CU_JIT_INPUT_PTX,
                           const_cast<char *>(ptx.c_str()), ptx.size() + 1,
                           "kern", 0, nullptr, nullptr) == CUDA_SUCCESS &&
      driver.cuLinkComplete(state, &code, &bytes) == CUDA_SUCCESS)
    out.assign(static_cast<const char *>(code), bytes); // the state's own
  driver.cuLinkDestroy(state);
  return out;
}

Expected<ModuleHandle> cuda::loadByMachineCode(const Context &context,
                                               const std::string &ptx,
                                               Cache &cache) {
  std::string driver = cache.isOn() ? driverName(context.driver()) : "";
  if (driver.empty())
    return ModuleHandle::load(context, ptx.c_str());
  CacheKey key =
      CacheKey("cubin")
          .add("ptx", contentHash(ptx))
          .add("target", "sm_" + std::to_string(context.computeCapability()))
          .add("driver", driver);
  std::shared_ptr<const std::string> code = cache.find(key);
  if (!code)
    if (std::string made = link(context, ptx); !made.empty())
      code = cache.store(key, std::move(made));
  if (code) {
    if (auto module = ModuleHandle::load(context, code->c_str()))
      return module;
    cache.remove(key);
  }
  return ModuleHandle::load(context, ptx.c_str());
}
