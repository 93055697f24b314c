//===- Passes.h - passes over LLVM IR for PTX -------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In the order in which they run (Codegen.cpp), with what they decide by.
// Between optimize() and code generation come those of defects/.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/diagnostics/Timing.h"
#include "runtime/error/Expected.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace kern::nvptx {

/// Replaces libdevice's sine and cosine of one angle by its sincos, which
/// reduces the angle's range once and gives the same bits. The two calls may
/// be anywhere in a function, as long as one is on every path to the other; an
/// angle that is computed twice counts as one. Runs before libdevice is linked.
void fuseSinCos(llvm::Module &module);

/// The LLVM attribute of functions that linkLibdevice() defines.
inline constexpr llvm::StringLiteral libdeviceAttribute = "kern-libdevice";

/// Links what `module` calls from NVIDIA's libdevice, which is built into this
/// library, optimised, as internal functions. What libdevice asks of the
/// compiler was answered when Kern was built: correctly rounded square roots
/// and divisions, and subnormals kept. Does nothing for a module that calls
/// none. KERN_ERROR_INTERNAL on failure.
Status linkLibdevice(llvm::Module &module);

/// Of a kernel's body, after optimisation.
struct BodyFacts {
  unsigned instructions = 0;
  unsigned values = 0; ///< arguments and results
  unsigned calls = 0;  ///< places that call it, in all forms together
  uint64_t frame = 0;  ///< bytes of memory of its own: local arrays
};

/// Whether the elements of a thread, and all forms, share one copy of the body
/// as a function, instead of having it inlined. A call costs a few moves for
/// each value, which large bodies do not feel; in exchange the driver and
/// code generation see the body once. An inlined body has its local arrays
/// anew at every place, and a GPU reserves them for each thread that it can
/// hold.
bool isOutlined(BodyFacts facts);

/// Of an optimised module.
struct CodeFacts {
  unsigned largest = 0; ///< instructions of the largest function
  /// Whether there are loops beside those that kernels have over elements:
  /// in bodies or in what they call.
  bool bodiesLoop = false;
  bool hasCalls = false; ///< of functions, which no intrinsic is
};

/// Optimises each kernel's scalar body once, before its entry points multiply
/// it by inlining, and then tidies those. `timing` may be NULL. Returns what
/// came out.
CodeFacts optimize(llvm::Module &module, llvm::TargetMachine &machine,
                   Timing *timing);

/// LLVM's passes of code generation that are left out, by the names that `llc
/// -debug-pass=Arguments` tells.
llvm::SmallVector<llvm::StringLiteral, 32> unwantedPasses(CodeFacts facts);

} // namespace kern::nvptx
