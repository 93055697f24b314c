//===- Passes.h - the passes of Kern ----------------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The code that mlir-tblgen generates from Passes.td: the options and
// `create<Pass>()` of each pass, and registerKernPasses() for all of them.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "mlir/Pass/Pass.h"

#include <memory>
#include <string>

namespace kern::ir {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "dialects/Passes.h.inc"

} // namespace kern::ir
