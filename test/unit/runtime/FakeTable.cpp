//===- FakeTable.cpp - the functions of a driver's double -----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FakeTable.h"
#include "FakeCopies.h"
#include "FakeEntry.h"

#include <cstring>
#include <span>

using namespace kern::runtime;
using namespace kern::test;

FakeDriver *kern::test::fake = nullptr;

namespace {
/// The stack of contexts of each thread.
thread_local std::vector<CUcontext> current;

constexpr int64_t firstContext = 1000; ///< that of device 0

CUresult runLaunch(CUfunction function, FakeLaunch launch, void **extra) {
  if (current.empty())
    return CUDA_ERROR_INVALID_CONTEXT;
  unsigned threads = launch.blockX * launch.blockY;
  if (launch.grid == 0 || launch.grid > 0x7fffffffu || threads == 0 ||
      threads > 1024)
    return CUDA_ERROR_INVALID_VALUE;
  if (fake->isSpoiled && fake->isRecorded(static_cast<CUstream>(launch.stream)))
    return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  launch.symbol = fake->functions.at(numberOf(function));
  launch.device = int(numberOf(current.back()) - firstContext);
  launch.words.resize(*static_cast<size_t *>(extra[3]) / 8);
  std::memcpy(launch.words.data(), extra[1], launch.words.size() * 8);
  if (fake->keepsLaunches)
    fake->launches.push_back(launch);
  return fake->streams.enqueue(static_cast<CUstream>(launch.stream), [launch] {
    if (!runFakeCopy(launch))
      fakeKernels().at(launch.symbol)(launch);
    return CUDA_SUCCESS;
  });
}
} // namespace

cuda::Driver kern::test::makeFakeTable() {
  cuda::Driver t;
  addFakeTransfers(t);
  t.cuGetErrorName = [](CUresult result, const char **text) {
    *text = result == CUDA_ERROR_OUT_OF_MEMORY ? "CUDA_ERROR_OUT_OF_MEMORY"
            : result == CUDA_ERROR_ILLEGAL_ADDRESS
                ? "CUDA_ERROR_ILLEGAL_ADDRESS"
            : result == CUDA_ERROR_NO_DEVICE ? "CUDA_ERROR_NO_DEVICE"
                                             : "CUDA_ERROR_UNKNOWN";
    return CUDA_SUCCESS;
  };
  t.cuGetErrorString = [](CUresult, const char **text) {
    *text = "injected";
    return CUDA_SUCCESS;
  };
  t.cuDriverGetVersion = [](int *version) {
    FAKE_ENTER("cuDriverGetVersion");
    *version = fake->options.version;
    return CUDA_SUCCESS;
  };
  t.cuInit = [](unsigned) {
    FAKE_ENTER("cuInit");
    return fake->options.initResult;
  };
  t.cuDeviceGetCount = [](int *count) {
    FAKE_ENTER("cuDeviceGetCount");
    *count = fake->options.devices;
    return CUDA_SUCCESS;
  };
  t.cuDeviceGet = [](CUdevice *device, int ordinal) {
    FAKE_ENTER("cuDeviceGet");
    *device = ordinal;
    return CUDA_SUCCESS;
  };
  t.cuDeviceGetName = [](char *name, int length, CUdevice) {
    FAKE_ENTER("cuDeviceGetName");
    std::strncpy(name, "Fake GPU", size_t(length));
    return CUDA_SUCCESS;
  };
  t.cuDeviceGetUuid = [](CUuuid *uuid, CUdevice device) {
    FAKE_ENTER("cuDeviceGetUuid");
    *uuid = {};
    uuid->bytes[0] = char(device);
    return CUDA_SUCCESS;
  };
  t.cuDeviceGetAttribute = [](int *value, CUdevice_attribute attribute,
                              CUdevice) {
    FAKE_ENTER("cuDeviceGetAttribute");
    switch (attribute) {
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR:
      *value = 9;
      break;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR:
      *value = 0;
      break;
    case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT:
      *value = 4;
      break;
    default:
      *value = fake->options.hasPools;
    }
    return CUDA_SUCCESS;
  };
  t.cuDeviceTotalMem = [](size_t *bytes, CUdevice) {
    *bytes = fake->options.memory;
    return CUDA_SUCCESS;
  };
  t.cuDevicePrimaryCtxRetain = [](CUcontext *context, CUdevice device) {
    FAKE_ENTER("cuDevicePrimaryCtxRetain");
    ++fake->contexts;
    *context = handleOf<CUcontext>(firstContext + device);
    return CUDA_SUCCESS;
  };
  t.cuDevicePrimaryCtxRelease = [](CUdevice) {
    FAKE_LOCK()
    --fake->contexts;
    return CUDA_SUCCESS;
  };
  t.cuCtxPushCurrent = [](CUcontext context) {
    FAKE_ENTER("cuCtxPushCurrent");
    current.push_back(context);
    ++fake->pushed;
    return CUDA_SUCCESS;
  };
  t.cuCtxPopCurrent = [](CUcontext *context) {
    FAKE_ENTER("cuCtxPopCurrent");
    *context = current.back();
    current.pop_back();
    --fake->pushed;
    return CUDA_SUCCESS;
  };
  t.cuCtxGetCurrent = [](CUcontext *context) {
    FAKE_ENTER("cuCtxGetCurrent");
    *context = current.empty() ? nullptr : current.back();
    return CUDA_SUCCESS;
  };
  t.cuCtxSetCurrent = [](CUcontext context) {
    FAKE_ENTER("cuCtxSetCurrent");
    current = {context};
    return CUDA_SUCCESS;
  };
  t.cuCtxGetDevice = [](CUdevice *device) {
    FAKE_ENTER("cuCtxGetDevice");
    if (current.empty())
      return CUDA_ERROR_INVALID_CONTEXT;
    *device = CUdevice(numberOf(current.back()) - firstContext);
    return CUDA_SUCCESS;
  };
  t.cuDeviceCanAccessPeer = [](int *can, CUdevice, CUdevice) {
    FAKE_ENTER("cuDeviceCanAccessPeer");
    *can = fake->options.hasPeers;
    return CUDA_SUCCESS;
  };
  t.cuCtxEnablePeerAccess = [](CUcontext, unsigned) {
    FAKE_ENTER("cuCtxEnablePeerAccess");
    FAKE_UNSUPPORTED_IF(fake->isDisturbed())
    return CUDA_SUCCESS;
  };
  t.cuMemPoolSetAccess = [](CUmemoryPool, const CUmemAccessDesc *, size_t) {
    FAKE_ENTER("cuMemPoolSetAccess");
    return CUDA_SUCCESS;
  };
  t.cuCtxSynchronize = [] {
    FAKE_ENTER("cuCtxSynchronize");
    FAKE_UNSUPPORTED_IF(fake->isDisturbed())
    fake->streams.synchronizeAll();
    return CUDA_SUCCESS;
  };
  t.cuMemGetInfo = [](size_t *free, size_t *total) {
    FAKE_ENTER("cuMemGetInfo");
    *total = fake->options.memory;
    *free = *total - fake->used;
    return CUDA_SUCCESS;
  };
  t.cuMemAlloc = [](CUdeviceptr *pointer, size_t bytes) {
    FAKE_ENTER("cuMemAlloc");
    FAKE_UNSUPPORTED_IF(fake->isDisturbed())
    return fake->allocate(pointer, bytes, current.back());
  };
  t.cuMemFree = [](CUdeviceptr pointer) {
    FAKE_ENTER("cuMemFree");
    FAKE_UNSUPPORTED_IF(fake->isDisturbed())
    if (!fake->pooled.contains(pointer)) // it waits for the device
      fake->streams.synchronizeAll();
    return fake->release(pointer);
  };
  t.cuMemPoolCreate = [](CUmemoryPool *pool, const CUmemPoolProps *) {
    FAKE_ENTER("cuMemPoolCreate");
    ++fake->pools;
    *pool = handleOf<CUmemoryPool>(2000);
    return CUDA_SUCCESS;
  };
  t.cuMemPoolDestroy = [](CUmemoryPool) {
    FAKE_LOCK()
    --fake->pools;
    return CUDA_SUCCESS;
  };
  t.cuMemPoolSetAttribute = [](CUmemoryPool, CUmemPool_attribute, void *) {
    FAKE_ENTER("cuMemPoolSetAttribute");
    return CUDA_SUCCESS;
  };
  t.cuMemPoolGetAttribute = [](CUmemoryPool, CUmemPool_attribute attribute,
                               void *value) {
    FAKE_ENTER("cuMemPoolGetAttribute");
    cuuint64_t bytes =
        attribute == CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT ? fake->poolKeeps : 0;
    for (CUdeviceptr pointer : fake->pooled)
      bytes += fake->memory.at(int64_t(pointer)).size() - 256;
    *static_cast<cuuint64_t *>(value) = bytes;
    return CUDA_SUCCESS;
  };
  t.cuMemPoolTrimTo = [](CUmemoryPool, size_t) {
    FAKE_ENTER("cuMemPoolTrimTo");
    FAKE_UNSUPPORTED_IF(fake->isDisturbed())
    fake->poolKeeps = 0;
    return CUDA_SUCCESS;
  };
  t.cuMemAllocFromPoolAsync = [](CUdeviceptr *pointer, size_t bytes,
                                 CUmemoryPool, CUstream stream) {
    FAKE_ENTER("cuMemAllocFromPoolAsync");
    CUresult result = fake->allocate(pointer, bytes, current.back());
    if (result == CUDA_SUCCESS)
      fake->pooled.insert(*pointer);
    if (result == CUDA_SUCCESS && fake->isRecorded(stream))
      fake->ofGraphs.insert(*pointer);
    return result;
  };
  t.cuMemFreeAsync = [](CUdeviceptr pointer, CUstream stream) {
    FAKE_ENTER("cuMemFreeAsync");
    if (!fake->pooled.contains(pointer))
      return CUDA_ERROR_INVALID_VALUE;
    if (!fake->ofGraphs.contains(pointer) && fake->isDisturbed(stream))
      return CUDA_ERROR_INVALID_VALUE; // a graph frees what it has made
    if (fake->keepsLaunches)
      fake->freedOn.push_back(stream);
    return fake->streams.enqueue(stream,
                                 [=] { return fake->release(pointer); });
  };
  t.cuModuleLoadDataEx = [](CUmodule *module, const void *image, unsigned count,
                            CUjit_option *, void **values) {
    FAKE_ENTER("cuModuleLoadDataEx");
    FAKE_UNSUPPORTED_IF(fake->isDisturbed())
    std::string text = static_cast<const char *>(image);
    if (text == fake->badPtx) {
      if (count)
        std::strcpy(static_cast<char *>(values[0]), "line 1: syntax error\n");
      return CUDA_ERROR_INVALID_PTX;
    }
    int64_t handle = fake->nextHandle++;
    fake->modules[handle] = text;
    *module = handleOf<CUmodule>(handle);
    return CUDA_SUCCESS;
  };
  t.cuModuleUnload = [](CUmodule module) {
    FAKE_LOCK()
    FAKE_UNSUPPORTED_IF(fake->isDisturbed())
    fake->modules.erase(numberOf(module));
    return CUDA_SUCCESS;
  };
  t.cuModuleGetFunction = [](CUfunction *function, CUmodule module,
                             const char *symbol) {
    FAKE_ENTER("cuModuleGetFunction");
    const std::string &text = fake->modules.at(numberOf(module));
    bool isCopy =
        text.find(std::string(".entry ") + symbol + "(") != std::string::npos;
    if (!isCopy && !fakeKernels().count(symbol))
      return CUDA_ERROR_NOT_FOUND;
    int64_t handle = fake->nextHandle++;
    fake->functions[handle] = symbol;
    *function = handleOf<CUfunction>(handle);
    return CUDA_SUCCESS;
  };
  t.cuLaunchKernel = [](CUfunction function, unsigned gx, unsigned gy,
                        unsigned gz, unsigned bx, unsigned by, unsigned bz,
                        unsigned, CUstream stream, void **, void **extra) {
    FAKE_ENTER("cuLaunchKernel");
    if (gy != 1 || gz != 1 || bz != 1)
      return CUDA_ERROR_INVALID_VALUE;
    return runLaunch(function, {fake, {}, gx, bx, by, stream, {}}, extra);
  };
  t.cuLaunchKernelEx = [](const CUlaunchConfig *config, CUfunction function,
                          void **, void **extra) {
    FAKE_ENTER("cuLaunchKernelEx");
    const CUlaunchConfig &c = *config;
    if (c.gridDimY != 1 || c.gridDimZ != 1 || c.blockDimZ != 1)
      return CUDA_ERROR_INVALID_VALUE;
    FakeLaunch launch = {fake,        {},        c.gridDimX, c.blockDimX,
                         c.blockDimY, c.hStream, {}};
    for (const CUlaunchAttribute &attribute : std::span(c.attrs, c.numAttrs))
      launch.isEarly |=
          attribute.id ==
              CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION &&
          attribute.value.programmaticStreamSerializationAllowed;
    return runLaunch(function, launch, extra);
  };
  addFakeStreamFunctions(t);
  return t;
}

void kern::test::serveFakeDriver(FakeDriver *driver) {
  fake = driver;
  if (driver)
    current.clear();
}
