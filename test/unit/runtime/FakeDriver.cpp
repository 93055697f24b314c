//===- FakeDriver.cpp - a CUDA driver without a GPU -----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FakeDriver.h"
#include "FakeTable.h"

#include <cstdlib>

using namespace kern::runtime;
using namespace kern::test;

/// Keeps device addresses apart from any that the host may use.
static constexpr int64_t deviceBase = int64_t(1) << 60;

FakeDriver::FakeDriver(Options options) : options(options) {
  // What is measured here is of no use to anybody else.
  ::setenv("KERN_CACHE", "0", 1);
  serveFakeDriver(this);
  previous = cuda::Platform::exchange(std::make_shared<cuda::Platform>(
      Expected<std::shared_ptr<const cuda::Driver>>(
          std::make_shared<const cuda::Driver>(makeFakeTable()))));
}

FakeDriver::~FakeDriver() {
  cuda::Platform::exchange(std::move(previous));
  serveFakeDriver(nullptr);
}

void FakeDriver::failAt(std::string function, int occurrence, CUresult result) {
  failing = std::move(function);
  failOccurrence = occurrence;
  failResult = result;
  calls.clear();
}

void FakeDriver::failCall(int n, CUresult result) {
  callsUntilFailure = n;
  failedFunction.clear();
  failResult = result;
}

void FakeDriver::loseDevice(int n, CUresult result) {
  failCall(n, result);
  losesDevice = true;
}

/// Of the calling thread alone.
static bool isRestoring(const std::string &function) {
  return function == "cuCtxPopCurrent" ||
         function == "cuThreadExchangeStreamCaptureMode";
}

/// Whether a failure leaves what was to be freed or restored.
static bool isFreeing(const std::string &function) {
  static const std::set<std::string> names = {"cuMemFree", "cuMemFreeAsync",
                                              "cuMemHostUnregister"};
  return isRestoring(function) || names.contains(function);
}

CUresult FakeDriver::enter(const std::string &function) {
  int occurrence = ++calls[function];
  const bool isLost = losesDevice && !failedFunction.empty();
  if (isLost && !isRestoring(function))
    return failResult;
  if (callsUntilFailure && !isFreeing(function) && !--callsUntilFailure) {
    failedFunction = function;
    return failResult;
  }
  if (refused.contains(function))
    return CUDA_ERROR_INVALID_VALUE;
  return function == failing && occurrence == failOccurrence ? failResult
                                                             : CUDA_SUCCESS;
}

CUresult FakeDriver::allocate(CUdeviceptr *pointer, size_t bytes,
                              CUcontext owner) {
  if (used + bytes > options.memory)
    return CUDA_ERROR_OUT_OF_MEMORY;
  // Aligned as cuMemAlloc's are.
  std::vector<std::byte> storage(bytes + 256, std::byte(0xcd));
  auto address = int64_t(reinterpret_cast<uintptr_t>(storage.data()));
  address = (address + 255) / 256 * 256 + deviceBase;
  used += bytes;
  memory[address] = std::move(storage);
  owners[address] = owner;
  *pointer = CUdeviceptr(address);
  return CUDA_SUCCESS;
}

CUresult FakeDriver::release(CUdeviceptr pointer) {
  auto at = memory.find(int64_t(pointer));
  if (at == memory.end())
    return CUDA_ERROR_INVALID_VALUE;
  used -= at->second.size() - 256;
  owners.erase(at->first);
  ofGraphs.erase(pointer);
  memory.erase(at);
  pooled.erase(pointer);
  return CUDA_SUCCESS;
}

CUcontext FakeDriver::ownerOf(CUdeviceptr pointer) const {
  auto at = owners.upper_bound(int64_t(pointer));
  return at == owners.begin() ? nullptr : std::prev(at)->second;
}

bool FakeDriver::isRecorded(CUstream stream) const {
  return stream && (captured == stream || streams.isRecording(stream));
}

bool FakeDriver::isDisturbed() {
  const bool isSo = captured && captureMode != CU_STREAM_CAPTURE_MODE_RELAXED;
  isSpoiled |= isSo;
  return isSo;
}

bool FakeDriver::isDisturbed(CUstream stream) {
  const bool isSo = isRecorded(stream);
  isSpoiled |= isSo;
  return isSo;
}

int FakeDriver::total() const {
  int sum = 0;
  for (const auto &[name, count] : calls)
    sum += count;
  return sum;
}

int FakeDriver::live() {
  streams.synchronizeAll();
  return int(memory.size() + pinned.size() + registered.size() +
             modules.size() + launchable.size()) +
         events + graphs + streams.count();
}

void *FakeDriver::resolve(int64_t address, size_t bytes) {
  std::lock_guard lock(mutex);
  auto at = memory.upper_bound(address);
  if (at != memory.begin()) {
    --at;
    int64_t offset = address - at->first;
    if (offset >= 0 && size_t(offset) + bytes <= at->second.size() - 256)
      return reinterpret_cast<void *>(address - deviceBase);
  }
  std::abort();
}
