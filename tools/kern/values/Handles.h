//===- Handles.h - owners of what the C interface gives ------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "kern/kern.h"

#include <memory>

namespace kern::cli {

struct ModuleRelease {
  void operator()(kern_module *module) const { kern_module_release(module); }
};
using Module = std::unique_ptr<kern_module, ModuleRelease>;

struct ArrayRelease {
  void operator()(DLManagedTensor *array) const {
    if (array->deleter)
      array->deleter(array);
  }
};
using Array = std::unique_ptr<DLManagedTensor, ArrayRelease>;

} // namespace kern::cli
