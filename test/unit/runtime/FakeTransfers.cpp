//===- FakeTransfers.cpp - pinned memory and copies of a driver's double --===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FakeEntry.h"
#include "FakeTable.h"

#include <cstring>
#include <thread>

using namespace kern::runtime;
using namespace kern::test;

void kern::test::addFakeTransfers(cuda::Driver &t) {
  t.cuPointerGetAttributes = [](unsigned count, CUpointer_attribute *attributes,
                                void **values, CUdeviceptr pointer) {
    FAKE_ENTER("cuPointerGetAttributes");
    auto address = reinterpret_cast<std::byte *>(pointer);
    auto at = fake->pinned.upper_bound(address);
    bool isKnown =
        at != fake->pinned.begin() &&
        address < std::prev(at)->second.data() + std::prev(at)->second.size();
    for (unsigned i = 0; i < count; ++i)
      if (attributes[i] == CU_POINTER_ATTRIBUTE_MEMORY_TYPE)
        *static_cast<CUmemorytype *>(values[i]) =
            isKnown ? CU_MEMORYTYPE_HOST : CUmemorytype();
      else if (attributes[i] == CU_POINTER_ATTRIBUTE_RANGE_START_ADDR)
        *static_cast<void **>(values[i]) =
            isKnown ? std::prev(at)->first : nullptr;
      else if (attributes[i] == CU_POINTER_ATTRIBUTE_RANGE_SIZE)
        *static_cast<size_t *>(values[i]) =
            isKnown ? std::prev(at)->second.size() : 0;
      else
        return CUDA_ERROR_INVALID_VALUE;
    return CUDA_SUCCESS;
  };
  t.cuMemHostAlloc = [](void **pointer, size_t bytes, unsigned) {
    FAKE_ENTER("cuMemHostAlloc");
    FAKE_UNSUPPORTED_IF(fake->isDisturbed())
    if (bytes > fake->options.hostMemory)
      return CUDA_ERROR_OUT_OF_MEMORY;
    std::vector<std::byte> storage(bytes);
    *pointer = storage.data();
    fake->pinned[*pointer] = std::move(storage);
    return CUDA_SUCCESS;
  };
  t.cuMemFreeHost = [](void *pointer) {
    FAKE_LOCK()
    FAKE_UNSUPPORTED_IF(fake->isDisturbed())
    fake->pinned.erase(pointer);
    return CUDA_SUCCESS;
  };
  t.cuMemHostRegister = [](void *memory, size_t bytes, unsigned) {
    FAKE_ENTER("cuMemHostRegister");
    FAKE_UNSUPPORTED_IF(fake->isDisturbed())
    return fake->registered.emplace(memory, bytes).second
               ? CUDA_SUCCESS
               : CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
  };
  t.cuMemHostUnregister = [](void *memory) {
    FAKE_ENTER("cuMemHostUnregister");
    FAKE_UNSUPPORTED_IF(fake->isDisturbed())
    return fake->registered.erase(memory)
               ? CUDA_SUCCESS
               : CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
  };
  t.cuMemcpyHtoDAsync = [](CUdeviceptr to, const void *from, size_t bytes,
                           CUstream stream) {
    FAKE_ENTER("cuMemcpyHtoDAsync");
    if (!from)
      return CUDA_ERROR_INVALID_VALUE;
    if (fake->isRecorded(stream))
      return CUDA_SUCCESS;
    return fake->streams.enqueue(stream, [=] {
      std::this_thread::sleep_for(fake->options.transferTime);
      std::memcpy(fake->resolve(int64_t(to), bytes), from, bytes);
      return CUDA_SUCCESS;
    });
  };
  t.cuMemcpyDtoHAsync = [](void *to, CUdeviceptr from, size_t bytes,
                           CUstream stream) {
    FAKE_ENTER("cuMemcpyDtoHAsync");
    if (!to)
      return CUDA_ERROR_INVALID_VALUE;
    if (fake->isRecorded(stream))
      return CUDA_SUCCESS;
    return fake->streams.enqueue(stream, [=] {
      std::this_thread::sleep_for(fake->options.transferTime);
      std::memcpy(to, fake->resolve(int64_t(from), bytes), bytes);
      return CUDA_SUCCESS;
    });
  };
  t.cuMemsetD8Async = [](CUdeviceptr to, unsigned char value, size_t bytes,
                         CUstream stream) {
    FAKE_ENTER("cuMemsetD8Async");
    return fake->streams.enqueue(stream, [=] {
      std::memset(fake->resolve(int64_t(to), bytes), value, bytes);
      return CUDA_SUCCESS;
    });
  };
  t.cuMemcpyDtoDAsync = [](CUdeviceptr to, CUdeviceptr from, size_t bytes,
                           CUstream stream) {
    FAKE_ENTER("cuMemcpyDtoDAsync");
    return fake->streams.enqueue(stream, [=] {
      std::memcpy(fake->resolve(int64_t(to), bytes),
                  fake->resolve(int64_t(from), bytes), bytes);
      return CUDA_SUCCESS;
    });
  };
  t.cuMemcpyPeerAsync = [](CUdeviceptr to, CUcontext toContext,
                           CUdeviceptr from, CUcontext fromContext,
                           size_t bytes, CUstream stream) {
    FAKE_ENTER("cuMemcpyPeerAsync");
    if (fake->ownerOf(to) != toContext || fake->ownerOf(from) != fromContext)
      return CUDA_ERROR_INVALID_VALUE;
    return fake->streams.enqueue(stream, [=] {
      std::memcpy(fake->resolve(int64_t(to), bytes),
                  fake->resolve(int64_t(from), bytes), bytes);
      return CUDA_SUCCESS;
    });
  };
}
