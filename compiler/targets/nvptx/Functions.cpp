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

/// The sine or cosine of f32 that defineSines() defines; "" for others.
static llvm::StringRef
ownSine(const kern::compiler::library::ElementaryFunction &function) {
  using kern::runtime::DType;
  const bool isSine = function.name == "sin";
  if (function.type != DType::F32 || (!isSine && function.name != "cos"))
    return "";
  if (function.half == DType::F16)
    return isSine ? "kern.f16.sin.f32" : "kern.f16.cos.f32";
  if (function.half == DType::BF16)
    return isSine ? "kern.bf16.sin.f32" : "kern.bf16.cos.f32";
  return isSine ? "kern.sin.f32" : "kern.cos.f32";
}

llvm::StringRef kern::compiler::nvptx::functionSymbol(
    const library::ElementaryFunction &function) {
  using kern::runtime::DType;
  if (function.isFast && function.type == DType::F32)
    if (llvm::StringRef fast = approximation(function.name); !fast.empty())
      return fast;
  if (llvm::StringRef own = ownSine(function); !own.empty())
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
