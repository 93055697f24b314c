//===- DeviceClock.cpp - times on a device --------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/bench/DeviceClock.h"

#include "runtime/device/cuda/Driver.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <dlfcn.h>
#include <thread>
#include <vector>

namespace kern::cli {

using runtime::Expected;
using runtime::Status;

namespace {

constexpr unsigned copies = 7;

//===----------------------------------------------------------------------===//
// The CPU
//===----------------------------------------------------------------------===//

class HostClock : public DeviceClock {
public:
  explicit HostClock(unsigned threads) : threads(threads) {}

  Expected<double> time(const std::function<Status()> &call,
                        unsigned count) override {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point begin = Clock::now();
    for (unsigned i = 0; i < count; ++i)
      if (Status status = call(); !status)
        return status.error();
    return std::chrono::duration<double, std::milli>(Clock::now() - begin)
               .count() /
           count;
  }

  Expected<double> copyRate() override {
    constexpr size_t size = size_t(128) << 20;
    std::vector<unsigned char> from(size, 1), to(size, 2);
    const size_t part = size / threads;
    auto copy = [&]() -> Status {
      std::vector<std::jthread> workers;
      for (unsigned t = 0; t < threads; ++t)
        workers.emplace_back([&, t] {
          std::memcpy(to.data() + t * part, from.data() + t * part, part);
        });
      return {};
    };
    std::vector<double> times;
    for (unsigned i = 0; i < copies; ++i)
      times.push_back(*time(copy, 1));
    return 2.0 * double(part) * threads / summarise(times).median;
  }

private:
  unsigned threads;
};

//===----------------------------------------------------------------------===//
// A GPU
//===----------------------------------------------------------------------===//

/// cuda.h of CUDA 13 means a version of cuEventElapsedTime that older drivers
/// lack; every driver has the first.
using ElapsedTime = CUresult (*)(float *, CUevent, CUevent);

class GpuClock : public DeviceClock {
public:
  GpuClock(std::shared_ptr<const runtime::cuda::Driver> driver, CUdevice device)
      : driver(std::move(driver)), device(device) {}
  ~GpuClock() override {
    for (CUevent event : {begin, end})
      if (event)
        driver->cuEventDestroy(event);
    if (context) {
      CUcontext popped;
      driver->cuCtxPopCurrent(&popped);
      driver->cuDevicePrimaryCtxRelease(device);
    }
  }

  Status open() {
    elapsedTime = reinterpret_cast<ElapsedTime>(
        ::dlsym(::dlopen("libcuda.so.1", RTLD_NOW), "cuEventElapsedTime"));
    if (!elapsedTime)
      return runtime::Error{KERN_ERROR_DEVICE,
                            "the driver has no cuEventElapsedTime"};
    CUcontext primary = nullptr;
    if (Status s = check(driver->cuDevicePrimaryCtxRetain(&primary, device),
                         "cuDevicePrimaryCtxRetain");
        !s)
      return s;
    if (Status s = check(driver->cuCtxPushCurrent(primary), "cuCtxPushCurrent");
        !s) {
      driver->cuDevicePrimaryCtxRelease(device);
      return s;
    }
    context = primary;
    if (Status s = check(driver->cuEventCreate(&begin, CU_EVENT_DEFAULT),
                         "cuEventCreate");
        !s)
      return s;
    return check(driver->cuEventCreate(&end, CU_EVENT_DEFAULT),
                 "cuEventCreate");
  }

  Expected<double> time(const std::function<Status()> &call,
                        unsigned count) override {
    if (Status s = record(begin); !s)
      return s.error();
    for (unsigned i = 0; i < count; ++i)
      if (Status status = call(); !status)
        return status.error();
    if (Status s = record(end); !s)
      return s.error();
    if (Status s = check(driver->cuEventSynchronize(end), "cuEventSynchronize");
        !s)
      return s.error();
    float milliseconds = 0;
    if (Status s =
            check(elapsedTime(&milliseconds, begin, end), "cuEventElapsedTime");
        !s)
      return s.error();
    return double(milliseconds) / count;
  }

  Expected<double> copyRate() override {
    constexpr size_t size = size_t(512) << 20;
    CUdeviceptr from = 0, to = 0;
    Status status = check(driver->cuMemAlloc(&from, size), "cuMemAlloc");
    if (status)
      status = check(driver->cuMemAlloc(&to, size), "cuMemAlloc");
    std::vector<double> times;
    for (unsigned i = 0; status && i < copies; ++i) {
      Expected<double> taken = time(
          [&] {
            return check(driver->cuMemcpyDtoDAsync(to, from, size, nullptr),
                         "cuMemcpyDtoDAsync");
          },
          10);
      if (taken)
        times.push_back(*taken);
      else
        status = taken.error();
    }
    for (CUdeviceptr memory : {from, to})
      if (memory)
        driver->cuMemFree(memory);
    if (!status)
      return status.error();
    return 2.0 * double(size) / summarise(times).median;
  }

private:
  Status check(CUresult result, const char *call) const {
    return runtime::cuda::check(*driver, result, call);
  }
  Status record(CUevent event) const {
    return check(driver->cuEventRecord(event, nullptr), "cuEventRecord");
  }

  std::shared_ptr<const runtime::cuda::Driver> driver;
  CUdevice device;
  ElapsedTime elapsedTime = nullptr;
  CUcontext context = nullptr;
  CUevent begin = nullptr, end = nullptr;
};

} // namespace

Expected<std::unique_ptr<DeviceClock>> DeviceClock::make(kern_device device) {
  if (device.device_type == kDLCPU) {
    kern_device_info info{};
    info.size = sizeof info;
    const bool isKnown = kern_device_describe(device, &info) == KERN_OK;
    const int threads = isKnown ? info.multiprocessors : 1;
    return std::unique_ptr<DeviceClock>(
        std::make_unique<HostClock>(unsigned(threads < 1 ? 1 : threads)));
  }
  Expected<std::shared_ptr<const runtime::cuda::Driver>> driver =
      runtime::cuda::loadDriver();
  if (!driver)
    return driver.error();
  CUdevice ordinal = 0;
  CUresult result = (*driver)->cuInit(0);
  if (result == CUDA_SUCCESS)
    result = (*driver)->cuDeviceGet(&ordinal, device.device_id);
  if (Status s = runtime::cuda::check(**driver, result, "cuDeviceGet"); !s)
    return s.error();
  auto clock = std::make_unique<GpuClock>(std::move(*driver), ordinal);
  if (Status s = clock->open(); !s)
    return s.error();
  return std::unique_ptr<DeviceClock>(std::move(clock));
}

static double quantile(const std::vector<double> &sorted, double share) {
  const double at = share * double(sorted.size() - 1);
  const auto below = size_t(at);
  const size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], at - double(below));
}

Summary summarise(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  Summary summary;
  summary.median = quantile(values, 0.5);
  summary.shortest = values.front();
  summary.longest = values.back();
  if (summary.median > 0)
    summary.spread =
        (quantile(values, 0.75) - quantile(values, 0.25)) / summary.median;
  return summary;
}

unsigned repetitions(double once, double wanted, unsigned max) {
  // Also where a time is zero, because the clock is too coarse for it.
  if (!(once * double(max) > wanted))
    return max;
  return std::max(1u, unsigned(wanted / once));
}

} // namespace kern::cli
