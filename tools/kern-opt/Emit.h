//===- Emit.h - target code as the last pass --------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

namespace kern {

/// `kern-emit{as=… sm=…}`: replaces a module that LoopToGPU or LoopToHost has
/// lowered by nothing and prints what the target makes of it: `ptx`, `llvm`
/// (for the GPU), `host-llvm` or `host-asm`.
void registerEmitPass();

} // namespace kern
