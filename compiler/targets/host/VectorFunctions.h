//===- VectorFunctions.h - vector functions of the C library ----*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The C library's vector functions (libmvec of glibc 2.22 and later). They are
// looked up at first use. A process also runs without them, with scalar
// functions alone.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace kern::compiler::host {

/// The vector registers to use.
enum class VectorUnit : uint8_t {
  Sse,    ///< 16 bytes; every x86-64 CPU
  Avx2,   ///< 32 bytes, with FMA
  Avx512, ///< 64 bytes
};

/// The unit to use on `cpu` with `features`, both by LLVM's names. It is the
/// widest that the CPU has, with two exceptions that use 32 bytes:
/// - CPUs for which LLVM prefers 32 bytes. But from Sapphire Rapids on, code
///   that `callsVectorFunctions` uses 64 bytes: it is limited by arithmetic,
///   and those instructions do twice as much of it.
/// - Zen 4. Its 64-byte accesses were measured to be 10 % slower if arrays do
///   not begin at cache lines, and its vector functions were no faster.
VectorUnit chooseVectorUnit(llvm::StringRef cpu,
                            llvm::function_ref<bool(llvm::StringRef)> features,
                            bool callsVectorFunctions);

/// The address of a vector function in this process; null if libmvec is absent
/// or lacks it.
void *vectorFunctionAddress(llvm::StringRef symbol);

struct VectorFunction {
  std::string symbol; ///< "_ZGVdN8v_expf"
  void *address = nullptr;
  unsigned lanes = 1; ///< of each argument and the result
};

/// The vector function for a C function ("expf") of `inputs` floats of `bytes`
/// each. Nothing if libmvec is absent, lacks it, or is not accurate enough.
std::optional<VectorFunction> findVectorFunction(llvm::StringRef function,
                                                 unsigned inputs,
                                                 unsigned bytes,
                                                 VectorUnit unit);

} // namespace kern::compiler::host
