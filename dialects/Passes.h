//===- Passes.h - the passes of Kern ----------------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What mlir-tblgen makes of Passes.td: for each pass its options and
// `create<Pass>()`, and registerKernPasses() for all of them.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "mlir/Pass/Pass.h"

#include <memory>
#include <string>

namespace kern {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "dialects/Passes.h.inc"

} // namespace kern
