//===- VectorFunctions.h - elementary functions of vectors ------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The C library's vector functions (libmvec of glibc 2.22 and later), looked
// for when first asked for: a process runs without them as well, on the scalar
// functions alone.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace kern::host {

/// What the machine's vector registers are good for.
enum class VectorUnit : uint8_t {
  Sse,    ///< 16 bytes; every x86-64 CPU
  Avx2,   ///< 32 bytes, with FMA
  Avx512, ///< 64 bytes
};

/// The unit to use on `cpu` (LLVM's name) with `features` (LLVM's names of what
/// it has): the widest, but 32 bytes where LLVM says that the CPU prefers them,
/// and on Zen 4, whose 64-byte accesses were measured to be 10 % slower where
/// arrays do not begin at cache lines, and its vector functions no faster.
/// Code that `callsVectorFunctions` has 64 bytes from Sapphire Rapids on all
/// the same: it is limited by arithmetic, of which those do twice as much.
VectorUnit chooseVectorUnit(llvm::StringRef cpu,
                            llvm::function_ref<bool(llvm::StringRef)> features,
                            bool callsVectorFunctions);

/// Where this process has a vector function of that name; NULL if libmvec is
/// absent or lacks it.
void *vectorFunctionAddress(llvm::StringRef symbol);

struct VectorFunction {
  std::string symbol; ///< "_ZGVdN8v_expf"
  void *address = nullptr;
  unsigned lanes = 1; ///< of each argument and of the result
};

/// The vector function for a C function ("expf") of `inputs` floats of `bytes`
/// each; nothing where libmvec is absent, lacks it, or is not accurate enough.
std::optional<VectorFunction> findVectorFunction(llvm::StringRef function,
                                                 unsigned inputs,
                                                 unsigned bytes,
                                                 VectorUnit unit);

} // namespace kern::host
