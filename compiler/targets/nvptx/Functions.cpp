//===- Functions.cpp - elementary functions on the GPU --------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/targets/nvptx/Codegen.h"

#include "llvm/ADT/StringSwitch.h"

/// The libdevice approximation of an f32 function: one instruction of the
/// special function unit, and at most one product.
static llvm::StringRef approximation(llvm::StringRef function) {
  return llvm::StringSwitch<llvm::StringRef>(function)
      .Case("cos", "__nv_fast_cosf")
      .Case("exp", "__nv_fast_expf")
      .Case("log", "__nv_fast_logf")
      .Case("log10", "__nv_fast_log10f")
      .Case("log2", "__nv_fast_log2f")
      .Case("sin", "__nv_fast_sinf")
      .Case("tan", "__nv_fast_tanf")
      .Default("");
}

/// The function of f32 that defineSines() or defineLogarithms() defines; "" for
/// others.
static llvm::StringRef
ownSymbol(const kern::compiler::library::ElementaryFunction &function) {
  using kern::runtime::DType;
  if (function.type != DType::F32)
    return "";
  llvm::StringSwitch<llvm::StringRef> f32(function.name), f16(function.name),
      bf16(function.name);
  f32.Case("sin", "kern.sin.f32").Case("cos", "kern.cos.f32");
#define KERN_OF_HALVES(NAME)                                                   \
  f16.Case(#NAME, "kern.f16." #NAME ".f32");                                   \
  bf16.Case(#NAME, "kern.bf16." #NAME ".f32");
  KERN_OF_HALVES(sin)
  KERN_OF_HALVES(cos)
  KERN_OF_HALVES(tan)
  KERN_OF_HALVES(log)
  KERN_OF_HALVES(log1p)
  KERN_OF_HALVES(log2)
  KERN_OF_HALVES(log10)
#undef KERN_OF_HALVES
  return function.half == DType::F16    ? f16.Default("")
         : function.half == DType::BF16 ? bf16.Default("")
                                        : f32.Default("");
}

llvm::StringRef kern::compiler::nvptx::functionSymbol(
    const library::ElementaryFunction &function) {
  using kern::runtime::DType;
  if (function.isFast && function.type == DType::F32)
    if (llvm::StringRef fast = approximation(function.name); !fast.empty())
      return fast;
  if (llvm::StringRef own = ownSymbol(function); !own.empty())
    return own;
  llvm::StringSwitch<llvm::StringRef> f32(function.name), f64(function.name);
#define KERN_ELEMENTARY(NAME, INPUTS)                                          \
  f32.Case(#NAME, "__nv_" #NAME "f");                                          \
  f64.Case(#NAME, "__nv_" #NAME);
#include "compiler/targets/Functions.def"
  return function.type == DType::F32   ? f32.Default("")
         : function.type == DType::F64 ? f64.Default("")
                                       : "";
}
