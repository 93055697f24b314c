//===- LinkRates.cpp - how fast a GPU is reached --------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/transfer/LinkRates.h"

#include "runtime/array/StridedView.h"
#include "runtime/cache/Cache.h"
#include "runtime/device/cuda/Memory.h"
#include "runtime/device/cuda/MemorySettings.h"
#include "runtime/device/cuda/Stream.h"
#include "runtime/device/host/Cpu.h"
#include "runtime/device/host/Memory.h"
#include "runtime/device/host/ThreadPool.h"
#include "runtime/error/Counted.h"
#include "runtime/transfer/HostCopy.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstring>

using namespace kern::runtime;

namespace {
/// Large enough to outweigh the start of a transfer.
constexpr size_t measuredBytes = size_t(32) << 20;
/// Large enough to leave the caches.
constexpr size_t copiedBytes = size_t(128) << 20;
constexpr size_t smallBytes = 4096;

/// The least seconds that `body` takes of several times, the first apart.
template <typename Body> Expected<double> secondsOf(int times, Body body) {
  double best = 1e30;
  for (int i = 0; i <= times; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    if (Status status = body(); !status)
      return status.error();
    const std::chrono::duration<double> taken =
        std::chrono::steady_clock::now() - begin;
    if (i)
      best = std::min(best, taken.count());
  }
  return std::max(best, 1e-9);
}

/// What is measured on a GPU whose context is current.
class Measurement {
public:
  explicit Measurement(cuda::Context &context) : context(context) {}
  ~Measurement() {
    // A failure may have left something enqueued.
    if (stream.handle())
      (void)stream.synchronize();
    if (there)
      context.driver().cuMemFree(there);
  }
  Measurement(const Measurement &) = delete;
  Measurement &operator=(const Measurement &) = delete;

  Expected<MachineRates> make() {
    const cuda::MemorySettings &settings = context.settings();
    if (settings.isBeyond(context.regions().totals().bytes + measuredBytes))
      return Error(ErrorCode::out_of_memory,
                   {sizeText(measuredBytes), text(context.device())})
          .add(Addition::memory_limit, {sizeText(settings.limit())});
    Expected<cuda::Stream> made = cuda::Stream::create(context);
    if (!made)
      return made.error();
    stream = std::move(*made);
    auto memory = cuda::PinnedMemory::allocate(context, measuredBytes);
    if (!memory)
      return memory.error();
    pinned = std::move(*memory);
    const cuda::Driver &driver = context.driver();
    if (Status status = cuda::check(
            driver, driver.cuMemAlloc(&there, measuredBytes), "cuMemAlloc");
        !status)
      return status.error();
    MachineRates rates;
    const auto bytes = double(measuredBytes);
    auto up = secondsOf(3, [&] { return complete(upload(measuredBytes)); });
    if (!up)
      return up.error();
    auto down = secondsOf(3, [&] { return complete(download(measuredBytes)); });
    if (!down)
      return down.error();
    // A call also checks, plans and launches: about as much again.
    auto both = secondsOf(20, [&]() -> Status {
      if (Status status = complete(upload(smallBytes)); !status)
        return status;
      return complete(download(smallBytes));
    });
    if (!both)
      return both.error();
    Expected<double> copy = copying();
    if (!copy)
      return copy.error();
    rates.toDevice = bytes / *up;
    rates.toHost = bytes / *down;
    rates.copied = double(copiedBytes) / *copy;
    rates.start = 2 * *both;
    return rates;
  }

private:
  Status upload(size_t bytes) const {
    const cuda::Driver &driver = context.driver();
    return cuda::check(
        driver,
        driver.cuMemcpyHtoDAsync(there, pinned.data(), bytes, stream.handle()),
        "cuMemcpyHtoDAsync");
  }
  Status download(size_t bytes) const {
    const cuda::Driver &driver = context.driver();
    return cuda::check(
        driver,
        driver.cuMemcpyDtoHAsync(pinned.data(), there, bytes, stream.handle()),
        "cuMemcpyDtoHAsync");
  }
  Status complete(const Status &enqueued) const {
    return enqueued ? stream.synchronize() : enqueued;
  }
  static Expected<double> copying() {
    Expected<Buffer> from = host::allocate(copiedBytes);
    if (!from)
      return from.error();
    Expected<Buffer> to = host::allocate(copiedBytes);
    if (!to)
      return to.error();
    std::memset(from->data(), 1, copiedBytes); // else it has no memory yet
    auto view = [](const Buffer &memory) {
      return StridedView{DType::U8, memory.data(), hostDevice(),
                         Extents{int64_t(copiedBytes)}, Strides{1}};
    };
    HostCopy copy = {view(*to), view(*from)};
    copy.isStreamed = true;
    // As in a pipeline. Threads that were never used start late, and something
    // else may run.
    const host::ThreadPool::Awake awake(host::ThreadPool::shared());
    return secondsOf(10, [&]() -> Status {
      copyTogether({&copy, 1});
      return {};
    });
  }

  cuda::Context &context;
  cuda::Stream stream;
  cuda::PinnedMemory pinned;
  CUdeviceptr there = 0;
};

Expected<CacheKey> keyOf(const cuda::Context &context, unsigned threads) {
  const cuda::Driver &driver = context.driver();
  char name[128] = {};
  CUdevice device = 0;
  int version = 0;
  Status status = cuda::check(
      driver, driver.cuDeviceGet(&device, context.ordinal()), "cuDeviceGet");
  if (status)
    status =
        cuda::check(driver, driver.cuDeviceGetName(name, sizeof name, device),
                    "cuDeviceGetName");
  if (status)
    status = cuda::check(driver, driver.cuDriverGetVersion(&version),
                         "cuDriverGetVersion");
  if (!status)
    return status.error();
  std::string id;
  if (CUuuid uuid = {}; driver.cuDeviceGetUuid &&
                        driver.cuDeviceGetUuid(&uuid, device) == CUDA_SUCCESS)
    for (const char byte : uuid.bytes) {
      std::array<char, 3> digits = {};
      std::snprintf(digits.data(), digits.size(), "%02x",
                    unsigned(byte) & 0xff);
      id += digits.data();
    }
  // Another way of measuring needs another number.
  return CacheKey("rates")
      .add("method", "2")
      .add("gpu", name)
      .add("uuid", id)
      .add("driver", std::to_string(version))
      .add("cpu", host::describeCpu().name)
      .add("threads", std::to_string(threads));
}

std::string encode(const MachineRates &rates) {
  std::array<char, 128> out = {};
  std::snprintf(out.data(), out.size(), "%.6g %.6g %.6g %.6g", rates.toDevice,
                rates.toHost, rates.copied, rates.start);
  return out.data();
}

std::optional<MachineRates> parse(const std::string &text) {
  MachineRates rates;
  const bool isWhole =
      std::sscanf(text.c_str(), "%lf %lf %lf %lf", &rates.toDevice,
                  &rates.toHost, &rates.copied, &rates.start) == 4;
  const bool isSound = rates.toDevice > 0 && rates.toHost > 0 &&
                       rates.copied > 0 && rates.start > 0;
  return isWhole && isSound ? std::optional(rates) : std::nullopt;
}
} // namespace

Expected<std::optional<MachineRates>> LinkRates::lookUp() {
  const unsigned now = host::ThreadPool::shared().size();
  if (rates && threads == now)
    return rates;
  Expected<CacheKey> key = keyOf(context, now);
  if (!key)
    return key.error();
  rates.reset();
  threads = now;
  if (auto stored = Cache::shared().find(*key))
    rates = parse(*stored);
  return rates;
}

Expected<std::optional<MachineRates>> LinkRates::known() {
  std::lock_guard lock(mutex);
  return lookUp();
}

Expected<MachineRates> LinkRates::get() {
  std::lock_guard lock(mutex);
  auto found = lookUp();
  if (!found)
    return found.error();
  if (*found)
    return **found;
  cuda::ContextScope scope(context);
  if (!scope.status)
    return scope.status.error();
  cuda::CaptureUndisturbed undisturbed(context.driver());
  Expected<MachineRates> measured = Measurement(context).make();
  if (!measured)
    return measured;
  Expected<CacheKey> key = keyOf(context, threads);
  if (!key)
    return key.error();
  rates = *measured;
  Cache::shared().store(*key, encode(*measured));
  return measured;
}
