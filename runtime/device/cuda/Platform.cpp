//===- Platform.cpp - the GPUs of this machine ----------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/cuda/Platform.h"

#include <atomic>

using namespace kern::runtime;
using namespace kern::runtime::cuda;

/// The oldest GPUs that the compiler supports.
static constexpr int oldestCapability = 75;

Platform::Platform(Expected<std::shared_ptr<const Driver>> loaded) {
  if (!loaded) {
    reason = loaded.error().message;
    return;
  }
  driver = std::move(*loaded);
  noteUse();
  int count = 0;
  Status status = check(*driver, driver->cuInit(0), "cuInit");
  if (status)
    status =
        check(*driver, driver->cuDeviceGetCount(&count), "cuDeviceGetCount");
  for (int i = 0; i < count && status; ++i) {
    Expected<int> capability = computeCapabilityOf(*driver, i);
    if (capability)
      capabilities.push_back(*capability);
    else
      status = capability.error();
  }
  if (!status) {
    capabilities.clear();
    reason = status.error().message;
  } else if (count == 0) {
    reason = "the NVIDIA driver finds no GPU";
  }
  contexts.resize(capabilities.size());
}

const std::string &Platform::unavailableReason() const {
  static const std::string afterFork =
      Error(ErrorCode::driver_after_fork).message;
  return isForked() ? afterFork : reason;
}

namespace {
struct Current {
  std::mutex mutex;
  std::atomic<uint64_t> generation = 0;
  std::shared_ptr<Platform> platform;
};
} // namespace

static Current &currentPlatform() {
  // Never destroyed: when static destructors run, the driver may have shut
  // down, and arrays may outlive them.
  static Current &current = *std::make_unique<Current>().release();
  return current;
}

std::shared_ptr<Platform> Platform::current() {
  Current &current = currentPlatform();
  std::lock_guard lock(current.mutex);
  if (!current.platform)
    current.platform = std::make_shared<Platform>(loadDriver());
  return current.platform;
}

std::shared_ptr<Platform> Platform::exchange(std::shared_ptr<Platform> other) {
  Current &current = currentPlatform();
  std::lock_guard lock(current.mutex);
  ++current.generation;
  return std::exchange(current.platform, std::move(other));
}

uint64_t Platform::generation() {
  return currentPlatform().generation.load(std::memory_order_relaxed);
}

Expected<std::shared_ptr<Context>> Platform::context(int ordinal) {
  if (ordinal < 0 || ordinal >= deviceCount())
    return Error(ErrorCode::no_such_device,
                 {ordinal, deviceCount() == 0
                               ? unavailableReason()
                               : "there are " + std::to_string(deviceCount())});
  std::lock_guard lock(mutex);
  std::shared_ptr<Context> &context = contexts[size_t(ordinal)];
  if (!context) {
    Expected<std::shared_ptr<Context>> opened =
        Context::open(driver, ordinal, capabilities[size_t(ordinal)]);
    if (!opened)
      return opened.error();
    context = std::move(*opened);
  }
  return context;
}

DLDevice Platform::firstDevice() const {
  for (int i = 0; i < deviceCount(); ++i)
    if (capabilities[size_t(i)] >= oldestCapability)
      return {kDLCUDA, i};
  return hostDevice();
}

Expected<std::vector<std::shared_ptr<Context>>> Platform::all() {
  std::vector<std::shared_ptr<Context>> opened;
  for (int i = 0; i < deviceCount(); ++i) {
    if (capabilities[size_t(i)] < oldestCapability)
      continue;
    Expected<std::shared_ptr<Context>> one = context(i);
    if (!one)
      return one.error();
    opened.push_back(std::move(*one));
  }
  if (opened.empty())
    return context(0).error();
  return opened;
}

int Platform::currentOrdinal() const {
  CUdevice now = 0, device = 0;
  CUcontext current = nullptr;
  if (deviceCount() && driver->cuCtxGetCurrent(&current) == CUDA_SUCCESS &&
      current && current != madeCurrent() &&
      driver->cuCtxGetDevice(&now) == CUDA_SUCCESS)
    for (int i = 0; i < deviceCount(); ++i)
      if (driver->cuDeviceGet(&device, i) == CUDA_SUCCESS && device == now)
        return i;
  const DLDevice first = firstDevice();
  return isHost(first) ? 0 : first.device_id;
}
