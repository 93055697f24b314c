//===- Functions.cpp - elementary functions on the CPU --------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/targets/host/Functions.h"

#include <cmath>

using kern::compiler::library::ElementaryFunction;
using kern::runtime::DType;

static llvm::StringRef pick(DType type, llvm::StringRef f32,
                            llvm::StringRef f64) {
  return type == DType::F32 ? f32 : type == DType::F64 ? f64 : "";
}

llvm::StringRef
kern::compiler::host::functionSymbol(const ElementaryFunction &function) {
#define KERN_ELEMENTARY(NAME, INPUTS)                                          \
  if (function.name == #NAME)                                                  \
    return pick(function.type, #NAME "f", #NAME);
#include "compiler/targets/Functions.def"
  return "";
}

llvm::StringRef
kern::compiler::host::scalarSymbol(const ElementaryFunction &function) {
#define KERN_ELEMENTARY(NAME, INPUTS)                                          \
  if (function.name == #NAME)                                                  \
    return pick(function.type, "kern.scalar." #NAME "f", "kern.scalar." #NAME);
#include "compiler/targets/Functions.def"
  return "";
}

template <int inputs, typename T> struct Signature {
  using Type = T (*)(T);
};
template <typename T> struct Signature<2, T> {
  using Type = T (*)(T, T);
};

/// The address of a C function. The type selects an overload.
template <int inputs, typename T>
static void *address(typename Signature<inputs, T>::Type function) {
  return reinterpret_cast<void *>(function);
}

llvm::ArrayRef<kern::compiler::host::FunctionAddress>
kern::compiler::host::functionAddresses() {
  static const FunctionAddress table[] = {
#define KERN_ELEMENTARY(NAME, INPUTS)                                          \
  {#NAME "f", address<INPUTS, float>(::NAME##f)},                              \
      {#NAME, address<INPUTS, double>(::NAME)},                                \
      {"kern.scalar." #NAME "f", address<INPUTS, float>(::NAME##f)},           \
      {"kern.scalar." #NAME, address<INPUTS, double>(::NAME)},
#include "compiler/targets/Functions.def"
  };
  return table;
}
