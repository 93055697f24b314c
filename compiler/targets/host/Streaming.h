//===- Streaming.h - stores around the caches -------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

namespace llvm {
class Module;
}

namespace kern::host {

/// Makes the stores of functions with LoopToHost's `kern-streams` non-temporal,
/// as that attribute allows, but for those to the function's own memory, and
/// puts a fence before each return: what was written is there for whoever is
/// told so afterwards. To be run after all that makes vectors of loops, since
/// LLVM makes none of stores that are so marked.
void streamStores(llvm::Module &module);

} // namespace kern::host
