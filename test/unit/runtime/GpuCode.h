//===- GpuCode.h - what tests on a real GPU call ----------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Arrays.h"

#include <dlfcn.h>

namespace kern::test {

using ModulePointer = std::unique_ptr<kern_module, void (*)(kern_module *)>;
/// A compiled file with `add`, of f32, by hand after
/// docs/explanation/kernel-abi.md.
ModulePointer loadAdd();

/// A function of the driver that the library does not use.
template <typename Function> Function driverFunction(const char *name) {
  static void *library = dlopen("libcuda.so.1", RTLD_NOW);
  return reinterpret_cast<Function>(dlsym(library, name));
}

/// Copies there and back.
runtime::ManagedArray newOnDevice(std::vector<float> values);
std::vector<float> onHost(const DLTensor &tensor);

} // namespace kern::test
