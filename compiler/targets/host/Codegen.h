//===- Codegen.h - machine code from lowered kernels ------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/error/Expected.h"

#include "mlir/IR/BuiltinOps.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace kern::host {

struct Options {
  /// Forbids the contraction of `a * b + c`.
  bool isPrecise = false;
};

/// `void kernel(const int64_t *words)`, as docs/kernel-abi.md says.
using EntryPoint = void (*)(const int64_t *);

/// Code of one module in this process. Entry points are valid while it lives;
/// it may be used and destroyed by any thread.
class Code {
public:
  virtual ~Code() = default;
  /// The entry point of a symbol; KERN_ERROR_NOT_FOUND if there is none.
  virtual Expected<EntryPoint> find(std::string_view symbol) = 0;
};

/// Compiles a module that LoopToHost has lowered, which is consumed, for this
/// machine's CPU. Safe to call from several threads on modules of different
/// contexts. Failures are KERN_ERROR_INTERNAL.
Expected<std::shared_ptr<Code>> compile(mlir::ModuleOp module,
                                        const Options &options);

/// The same as text: optimised LLVM IR, or assembly.
Expected<std::string> emitLLVM(mlir::ModuleOp module, const Options &options);
Expected<std::string> emitAssembly(mlir::ModuleOp module,
                                   const Options &options);

/// The name of this machine's CPU, as LLVM has it.
std::string cpuName();

} // namespace kern::host
