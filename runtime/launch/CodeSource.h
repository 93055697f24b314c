//===- CodeSource.h - where the runtime gets code ---------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The small interface between compiler and runtime: "give me code for this
// specialisation". A compiled file implements it by looking into its manifest
// and the JIT by compiling; the runtime does not know which.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/artefact/Manifest.h"

#include <memory>
#include <span>

namespace kern {

/// What to make code for.
struct CodeTarget {
  enum class Kind : uint8_t { Host, Cuda } kind = Kind::Host;
  int computeCapability = 0; ///< 90 for sm_90; Cuda only
  bool operator==(const CodeTarget &) const = default;
};

/// Code for one loop on one target. Immutable and shared.
struct LoopCode {
  LoopInfo loop; ///< with its kernels
  /// Cuda: PTX text that holds all of the loop's symbols (zero-terminated).
  std::shared_ptr<const std::string> ptx;
  /// Host: one entry point for each of `loop.kernels`, in order:
  /// `void (*)(const int64_t *words)` as docs/kernel-abi.md says.
  std::vector<void (*)(const int64_t *)> entries;
  /// Keeps the memory behind `entries` alive.
  std::shared_ptr<void> keepAlive;
};

/// Implementations are safe to call from several threads at once; a loop asked
/// for twice at once is made once.
class CodeSource {
public:
  virtual ~CodeSource() = default;
  /// Functions and signatures. `loops` of a function lists the declared loops,
  /// whether or not code for them exists yet.
  virtual const Manifest &manifest() const = 0;
  /// Code for `function.loops[index]`.
  virtual Expected<std::shared_ptr<const LoopCode>>
  loop(const FunctionInfo &function, size_t index, CodeTarget target) = 0;
  /// Code of a generic function for exactly these argument types, one for each
  /// parameter that is not a `dim`.
  virtual Expected<std::shared_ptr<const LoopCode>>
  specialise(const FunctionInfo &function, std::span<const ArgType> arguments,
             CodeTarget target) = 0;
};

} // namespace kern
