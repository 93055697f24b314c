//===- Functions.cpp - elementary functions on the CPU --------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/targets/host/Functions.h"

#include "llvm/ADT/StringSwitch.h"

#include <cmath>

llvm::StringRef kern::host::functionSymbol(llvm::StringRef function,
                                           llvm::StringRef type) {
  // The host has no approximations.
  function.consume_front("fast.");
  llvm::StringSwitch<llvm::StringRef> f32(function), f64(function);
#define KERN_ELEMENTARY(NAME, INPUTS)                                          \
  f32.Case(#NAME, #NAME "f");                                                  \
  f64.Case(#NAME, #NAME);
#include "compiler/targets/Functions.def"
  return type == "f32" ? f32.Default("") : type == "f64" ? f64.Default("") : "";
}

template <int inputs, typename T> struct Signature {
  using Type = T (*)(T);
};
template <typename T> struct Signature<2, T> {
  using Type = T (*)(T, T);
};

/// The address of a C function; picks one signature of an overloaded name.
template <int inputs, typename T>
static void *address(typename Signature<inputs, T>::Type function) {
  return reinterpret_cast<void *>(function);
}

llvm::ArrayRef<kern::host::FunctionAddress> kern::host::functionAddresses() {
  static const FunctionAddress table[] = {
#define KERN_ELEMENTARY(NAME, INPUTS)                                          \
  {#NAME "f", address<INPUTS, float>(::NAME##f)},                              \
      {#NAME, address<INPUTS, double>(::NAME)},
#include "compiler/targets/Functions.def"
  };
  return table;
}
