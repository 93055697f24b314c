//===- Optimize.h - LLVM passes for PTX -------------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/diagnostics/Timing.h"
#include "compiler/targets/nvptx/Passes.h"

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace kern::nvptx {

/// Optimises each kernel's scalar body once, before its entry points multiply
/// it by inlining, and then tidies those. `timing` may be NULL. Returns what
/// came out.
CodeFacts optimize(llvm::Module &module, llvm::TargetMachine &machine,
                   Timing *timing);

} // namespace kern::nvptx
