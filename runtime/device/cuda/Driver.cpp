//===- Driver.cpp - the CUDA driver as a table of functions ---------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/cuda/Driver.h"

#include <dlfcn.h>

using namespace kern;
using namespace kern::cuda;

// Two steps, so that cuda.h's macros apply before the name becomes a string.
#define KERN_CUDA_STRING(name) #name
#define KERN_CUDA_SYMBOL(name) KERN_CUDA_STRING(name)

Expected<std::shared_ptr<const Driver>> cuda::loadDriver() {
  // Never closed: the driver has threads and exit handlers of its own.
  void *library = ::dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return Error{KERN_ERROR_DEVICE,
                 "the driver library libcuda.so.1 is not installed"};
  auto driver = std::make_shared<Driver>();
  const char *missing = nullptr;
#define KERN_CUDA_LOAD(name)                                                   \
  driver->name = reinterpret_cast<decltype(driver->name)>(                     \
      ::dlsym(library, KERN_CUDA_SYMBOL(name)));
#define KERN_CUDA_NEED(name)                                                   \
  KERN_CUDA_LOAD(name)                                                         \
  if (!driver->name && !missing)                                               \
    missing = KERN_CUDA_SYMBOL(name);
  KERN_CUDA_FUNCTIONS(KERN_CUDA_NEED)
  KERN_CUDA_NEWER_FUNCTIONS(KERN_CUDA_LOAD)
#undef KERN_CUDA_NEED
#undef KERN_CUDA_LOAD
  if (missing)
    return Error{KERN_ERROR_DEVICE, "the NVIDIA driver is too old: it has no " +
                                        std::string(missing) +
                                        " (CUDA 11.2 or later is needed)"};
  return std::shared_ptr<const Driver>(std::move(driver));
}

Status cuda::check(const Driver &driver, CUresult result, const char *call) {
  if (result == CUDA_SUCCESS)
    return {};
  const char *name = nullptr, *meaning = nullptr;
  driver.cuGetErrorName(result, &name);
  driver.cuGetErrorString(result, &meaning);
  std::string message =
      std::string(call) +
      " failed: " + (name ? name : "CUDA error " + std::to_string(int(result)));
  if (meaning)
    message += std::string(" (") + meaning + ")";
  return Error{result == CUDA_ERROR_OUT_OF_MEMORY ? KERN_ERROR_MEMORY
                                                  : KERN_ERROR_DEVICE,
               std::move(message)};
}
