//===- Passes.h - what code generation leaves out --------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace kern::nvptx {

/// Of an optimised module.
struct CodeFacts {
  unsigned largest = 0; ///< instructions of the largest function
  /// Whether there are loops beside those that kernels have over elements:
  /// in bodies or in what they call.
  bool bodiesLoop = false;
  bool hasCalls = false; ///< of functions, which no intrinsic is
};

/// LLVM's passes for NVPTX that are left out, by the names that `llc
/// -debug-pass=Arguments` tells.
llvm::SmallVector<llvm::StringLiteral, 32> unwantedPasses(CodeFacts facts);

} // namespace kern::nvptx
