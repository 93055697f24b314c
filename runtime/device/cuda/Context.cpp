//===- Context.cpp - one GPU's context ------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/cuda/Context.h"
#include "runtime/device/cuda/Platform.h"

#include "runtime/device/cuda/Captures.h"
#include "runtime/device/cuda/MemorySettings.h"
#include "runtime/device/cuda/PinnedPool.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <string_view>

using namespace kern::runtime;
using namespace kern::runtime::cuda;

Expected<int> cuda::computeCapabilityOf(const Driver &driver, int ordinal) {
  CUdevice device = 0;
  int major = 0, minor = 0;
  if (Status status =
          check(driver, driver.cuDeviceGet(&device, ordinal), "cuDeviceGet");
      !status)
    return status.error();
  for (auto [attribute, value] :
       {std::pair(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, &major),
        std::pair(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, &minor)})
    if (Status status =
            check(driver, driver.cuDeviceGetAttribute(value, attribute, device),
                  "cuDeviceGetAttribute");
        !status)
      return status.error();
  return major * 10 + minor;
}

static std::string nextKey(int ordinal) {
  static std::atomic<unsigned> counter{0};
  return "cuda:" + std::to_string(ordinal) + "/" + std::to_string(counter++);
}

Context::Context(std::shared_ptr<const Driver> driver, int ordinal,
                 int capability)
    : table(std::move(driver)), index(ordinal), capability(capability),
      name(nextKey(ordinal)), asked(std::make_unique<MemorySettings>()),
      pinnedPool(std::make_unique<PinnedPool>(*this)),
      recordings(std::make_unique<Captures>()) {}

Expected<std::shared_ptr<Context>>
Context::open(std::shared_ptr<const Driver> driver, int ordinal,
              int capability) {
  auto out = std::make_shared<Context>(std::move(driver), ordinal, capability);
  const Driver &d = out->driver();
  int poolsSupported = 0, version = 0;
  Status status =
      check(d, d.cuDeviceGet(&out->deviceHandle, ordinal), "cuDeviceGet");
  if (status)
    status = check(d, d.cuDriverGetVersion(&version), "cuDriverGetVersion");
  if (status)
    status =
        check(d,
              d.cuDeviceGetAttribute(&out->processors,
                                     CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT,
                                     out->deviceHandle),
              "cuDeviceGetAttribute");
  if (status)
    status = check(d,
                   d.cuDeviceGetAttribute(
                       &out->sharedBytes,
                       CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR,
                       out->deviceHandle),
                   "cuDeviceGetAttribute");
  if (status)
    status =
        check(d,
              d.cuDeviceGetAttribute(&poolsSupported,
                                     CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED,
                                     out->deviceHandle),
              "cuDeviceGetAttribute");
  if (status)
    status =
        check(d, d.cuDevicePrimaryCtxRetain(&out->context, out->deviceHandle),
              "cuDevicePrimaryCtxRetain");
  if (!status)
    return status.error();
  // Since CUDA 12.3 graphs can capture such launches too.
  const char *setting = std::getenv("KERN_EARLY_LAUNCH");
  out->early = d.cuLaunchKernelEx && version >= 12030 &&
               !(setting && std::string_view(setting) == "0");
  if (!poolsSupported)
    return out;

  ContextScope scope(*out);
  if (!scope.status)
    return scope.status.error();
  CUmemPoolProps props = {};
  props.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  props.handleTypes = CU_MEM_HANDLE_TYPE_NONE;
  props.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  props.location.id = ordinal;
  status =
      check(d, d.cuMemPoolCreate(&out->memoryPool, &props), "cuMemPoolCreate");
  // The pool keeps freed memory, so that results cost no driver allocation.
  // allocate() returns it when memory runs out.
  cuuint64_t keep = UINT64_MAX;
  if (status)
    status =
        check(d,
              d.cuMemPoolSetAttribute(out->memoryPool,
                                      CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &keep),
              "cuMemPoolSetAttribute");
  if (!status)
    return status.error();
  return out;
}

Context::~Context() {
  if (!context)
    return;
  {
    ContextScope scope(*this);
    resources.clear();
    freeKept();
    pinnedPool->trim();
    streamTable->clear();
    if (memoryPool)
      table->cuMemPoolDestroy(memoryPool);
  }
  table->cuDevicePrimaryCtxRelease(deviceHandle);
}

ContextResource &
Context::resource(std::type_index type,
                  std::unique_ptr<ContextResource> (*make)(Context &)) {
  std::lock_guard lock(resourceMutex);
  for (auto &[known, resource] : resources)
    if (known == type)
      return *resource;
  return *resources.emplace_back(type, make(*this)).second;
}

const std::string *Context::intern(std::string_view function) {
  std::lock_guard lock(nameMutex);
  auto at = names.find(function);
  return &*(at == names.end() ? names.emplace(function).first : at);
}

Status Context::attribute(Status status) {
  if (status || status.error().status != KERN_ERROR_DEVICE ||
      status.error().namesCause)
    return status;
  std::vector<const std::string *> suspects;
  for (size_t i = 0; i < launched.size(); ++i)
    if (const std::string *function =
            launched[(nextLaunched + i) % launched.size()];
        function && std::ranges::find(suspects, function) == suspects.end())
      suspects.push_back(function);
  if (suspects.empty())
    return status;
  std::string names;
  for (const std::string *function : suspects)
    names += (names.empty() ? "" : "`, `") + *function;
  status.error().add(suspects.size() == 1 ? Addition::caused_by
                                          : Addition::caused_by_one_of,
                     {names});
  status.error().namesCause = true;
  return status;
}

void Context::freeKept() {
  CaptureUndisturbed undisturbed(*table);
  for (Block block : kept.drain()) {
    memoryRegions->remove(block.pointer);
    table->cuMemFree(block.pointer);
  }
}

Status Context::releaseUnused() {
  if (Status status =
          check(*table, synchronizeContext(*table), "cuCtxSynchronize");
      !status)
    return status;
  freeKept();
  if (!memoryPool)
    return {};
  CaptureUndisturbed undisturbed(*table);
  return check(*table, table->cuMemPoolTrimTo(memoryPool, 0),
               "cuMemPoolTrimTo");
}

static thread_local CUcontext ensuredHere = nullptr;

CUcontext cuda::madeCurrent() { return ensuredHere; }

void Context::ensureCurrent() const {
  CUcontext now = nullptr;
  if (table->cuCtxGetCurrent(&now) == CUDA_SUCCESS && !now &&
      table->cuCtxSetCurrent(context) == CUDA_SUCCESS)
    ensuredHere = context;
}

Status Context::synchronize() {
  ContextScope scope(*this);
  if (!scope.status)
    return scope.status;
  Status status =
      attribute(check(*table, synchronizeContext(*table), "cuCtxSynchronize"));
  if (status)
    for (auto &function : launched)
      function = nullptr;
  return status;
}

ContextScope::ContextScope(const Context &context) : driver(context.driver()) {
  status = check(driver, driver.cuCtxPushCurrent(context.handle()),
                 "cuCtxPushCurrent");
}

ContextScope::~ContextScope() {
  CUcontext popped = nullptr;
  if (status)
    driver.cuCtxPopCurrent(&popped);
}
