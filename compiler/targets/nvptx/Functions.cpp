//===- Functions.cpp - elementary functions on the GPU --------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/targets/nvptx/Functions.h"

#include "llvm/ADT/StringSwitch.h"

llvm::StringRef kern::nvptx::functionSymbol(llvm::StringRef function,
                                            llvm::StringRef type) {
  llvm::StringSwitch<llvm::StringRef> f32(function), f64(function);
#define KERN_ELEMENTARY(NAME, INPUTS)                                          \
  f32.Case(#NAME, "__nv_" #NAME "f");                                          \
  f64.Case(#NAME, "__nv_" #NAME);
#include "compiler/targets/Functions.def"
  return type == "f32" ? f32.Default("") : type == "f64" ? f64.Default("") : "";
}
