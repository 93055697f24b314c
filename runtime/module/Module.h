//===- Module.h - modules of the C interface --------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/code/CodeSource.h"

#include <memory>

namespace kern::runtime {

/// A module of `source`, which kern_module_release() frees. `source` must keep
/// its manifest at one address. May throw std::bad_alloc only.
kern_module *makeModule(std::shared_ptr<CodeSource> source);

} // namespace kern::runtime
