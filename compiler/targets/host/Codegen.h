//===- Codegen.h - machine code from LLVM IR --------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/targets/Target.h"

namespace kern::host {

/// As Target has it. An architecture is a CPU by LLVM's name, which may be a
/// level of the x86-64 ABI ("x86-64-v3"), or "" for this machine's CPU.
Expected<std::unique_ptr<Codegen>> codegen(const CodegenOptions &options);

/// What code for this machine's CPU relies on: its name and, in order and with
/// commas between them, the features that it has, as LLVM calls both. Code runs
/// only where both are the same.
struct CpuText {
  std::string name, features;
};
CpuText cpuText();

} // namespace kern::host
