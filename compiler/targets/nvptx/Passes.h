//===- Passes.h - passes over LLVM IR for PTX -------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The passes in the order in which they run (Codegen.cpp), with the facts that
// they use. The passes of defects/ run between optimize() and code generation.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/diagnostics/Timing.h"
#include "runtime/error/Expected.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace llvm {
class CallInst;
class Function;
class Module;
class TargetMachine;
} // namespace llvm

namespace kern::compiler::nvptx {

/// Replaces the sine and the cosine of one angle by one function of both, which
/// reduces the angle once and gives the same bits. One of the two calls must
/// dominate the other. An angle that is computed twice counts as one. Runs
/// before defineSines(), and before libdevice is linked.
void fuseSinCos(llvm::Module &module);

/// Defines the sines and cosines of f32 that `module` declares
/// (functionSymbol(), in Codegen.h). Runs before libdevice is linked.
void defineSines(llvm::Module &module);

/// Defines the logarithms of f16 and bf16 that `module` declares.
void defineLogarithms(llvm::Module &module);

/// Defines the quotients and remainders of floats that `module` declares
/// (compiler/targets/FloatDivision.h). Those of the same operands become one
/// function. Runs before libdevice is linked.
void defineDivisions(llvm::Module &module);

/// The LLVM attribute of the functions that linkLibdevice() adds.
inline constexpr llvm::StringLiteral libdeviceAttribute = "kern-libdevice";

/// Links the functions of NVIDIA's libdevice that `module` calls, as internal
/// functions. libdevice is built into this library, already optimised, with
/// correctly rounded square roots and divisions, and with subnormals. Does
/// nothing for a module without such calls. KERN_ERROR_INTERNAL on failure.
runtime::Status linkLibdevice(llvm::Module &module);

/// Makes products and sums one operation in the functions of libdevice and of
/// Kern's library, but for products that others need as well. Other products of
/// the module are rounded.
void contractProducts(llvm::Module &module);

/// The facts about a kernel's body after optimisation.
struct BodyFacts {
  unsigned instructions = 0;
  unsigned values = 0;      ///< arguments and results
  unsigned calls = 0;       ///< call sites, in all forms together
  uint64_t frame = 0;       ///< bytes of its local arrays
  unsigned hintedCalls = 0; ///< those of one kernel that have inline hints
};

/// Whether all elements of a thread, and all forms, call one copy of the body
/// instead of inlining it. A call costs a few moves for each value, which is
/// little for a large body. In exchange, code generation and the driver compile
/// the body once. An inlined body has its own local arrays at every call site,
/// and a GPU reserves them for each resident thread.
bool isOutlined(BodyFacts facts);

/// Whether an outlined body is inlined at calls that have inline hints: what is
/// left of it serves the rests of arrays.
bool isInlinedByHint(BodyFacts facts);

/// Whether a body that is inlined stays a function for calls that ask for it.
bool isKeptForFew(BodyFacts facts);

/// A copy of a body without its rare paths, which are calls behind branches
/// that are hardly taken. It has one more parameter, a pointer to an i1 that it
/// sets: whether such a path was needed, and its results are wrong. Null if the
/// body has no such path, or effects of its own.
llvm::Function *withoutRarePaths(llvm::Function &body);

/// Has `quick`, which withoutRarePaths() made of the body, compute what calls
/// of the body do. After those of one block that do not need each other, the
/// body computes all their results again if one of them was wrong.
void joinRarePaths(llvm::ArrayRef<llvm::CallInst *> calls, llvm::Function &body,
                   llvm::Function &quick);

/// Computes the reciprocal of a number once, where a function divides by it
/// several times or in a loop, with the bits of IEEE division. Runs last: it
/// adds branches that keep other passes from moving code.
void shareReciprocals(llvm::Function &function);

/// Computes quotients of f16 and bf16 without branches, with the bits of IEEE
/// division.
void divideHalves(llvm::Function &function);

/// Likewise for square roots.
void takeRootsOfHalves(llvm::Function &function);

/// Leaves out the code for subnormal numbers around approximate roots,
/// logarithms and divisions of f32 by what cannot be subnormal.
void shortenApproximations(llvm::Function &function);

/// Makes the rounding of an f32 to bf16 and back one instruction, if the GPU
/// has one that rounds two numbers (from sm_80 on), and reads a bf16 in a
/// vector from the register that it is in.
void widenBF16(llvm::Function &function, bool hasPackedRounding);

/// Whether a function's operations on halves are searched for pairs. The search
/// takes long in long code, where pairs save little.
bool isPaired(unsigned halves, unsigned instructions);

/// The facts about an optimised module.
struct CodeFacts {
  unsigned largest = 0; ///< instructions of the largest function
  /// Whether bodies, or functions that they call, have loops. Kernels' loops
  /// over elements do not count.
  bool bodiesLoop = false;
  bool hasCalls = false; ///< of functions other than intrinsics
};

/// Optimises each kernel's body once, before its entry points inline it many
/// times. Then cleans up the entry points. `timing` may be null. Returns the
/// facts about the result.
CodeFacts optimize(llvm::Module &module, llvm::TargetMachine &machine,
                   Timing *timing);

/// The code generation passes of LLVM that are disabled, with the names that
/// `llc -debug-pass=Arguments` prints.
llvm::SmallVector<llvm::StringLiteral, 32> unwantedPasses(CodeFacts facts);

} // namespace kern::compiler::nvptx
