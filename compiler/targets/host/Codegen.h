//===- Codegen.h - machine code from LLVM IR --------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/targets/Target.h"

namespace kern::compiler::host {

/// Implements Target::codegen(). An architecture is LLVM's name of a CPU or of
/// an x86-64 level ("x86-64-v3"), or "" for this machine's CPU.
runtime::Expected<std::unique_ptr<Codegen>>
codegen(const CodegenOptions &options);

/// What code for this machine's CPU requires: the CPU's name, and its features
/// in order, separated by commas. Both use LLVM's names. Code runs only on a
/// machine where both are the same.
struct CpuText {
  std::string name, features;
};
CpuText cpuText();

} // namespace kern::compiler::host
