//===- SlowPaths.h - what few arguments need --------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// libdevice's sine, cosine and tangent of f32 reduce large angles by a loop
// over 192 bits of 2/π, in an array of the thread. That is two thirds of their
// code, for angles that hardly occur. As a function of its own it is there
// once, and what is left is short enough to be inlined for each element of a
// thread.
//
//===----------------------------------------------------------------------===//
#pragma once

namespace llvm {
class Module;
} // namespace llvm

namespace kern::cli {

/// Makes the reduction of large angles in each function of an optimised
/// libdevice a function that is called.
void outlineSlowPaths(llvm::Module &library);

} // namespace kern::cli
