//===- Optimize.h - LLVM passes for the CPU ---------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace kern::host {

/// LLVM's O3 with the loop vectoriser, for the machine's CPU, with vector
/// functions in place of scalar ones.
void optimize(llvm::Module &module, llvm::TargetMachine &machine);

} // namespace kern::host
