//===- VectorFunctions.cpp - vector functions of the C library ------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/targets/host/VectorFunctions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

#include <dlfcn.h>

using namespace llvm;
using namespace kern::compiler::host;

VectorUnit
kern::compiler::host::chooseVectorUnit(StringRef cpu,
                                       function_ref<bool(StringRef)> features,
                                       bool callsVectorFunctions) {
  bool hasAvx512 =
      all_of(ArrayRef<StringRef>{"avx512f", "avx512dq", "avx512bw", "avx512vl"},
             features);
  // LLVM prefers 256 bits on all of Intel's servers because older ones lower
  // their clock for wide instructions. Sapphire Rapids was the first with f16
  // arithmetic.
  bool gainsFromWide = callsVectorFunctions && features("avx512fp16");
  bool prefersNarrow =
      cpu == "znver4" || (features("prefer-256-bit") && !gainsFromWide);
  if (hasAvx512 && !prefersNarrow)
    return VectorUnit::Avx512;
  return features("avx2") && features("fma") ? VectorUnit::Avx2
                                             : VectorUnit::Sse;
}

/// libmvec. It is never closed, because compiled code keeps addresses into it.
static void *library() {
  static void *const handle = ::dlopen("libmvec.so.1", RTLD_NOW | RTLD_LOCAL);
  return handle;
}

void *kern::compiler::host::vectorFunctionAddress(StringRef symbol) {
  return library() ? ::dlsym(library(), symbol.str().c_str()) : nullptr;
}

std::optional<VectorFunction>
kern::compiler::host::findVectorFunction(StringRef function, unsigned inputs,
                                         unsigned bytes, VectorUnit unit) {
  // Names of x86's vector function ABI have the unit's letter, N for no mask,
  // the number of lanes, and a v for each argument.
  unsigned registerBytes = 16u << unsigned(unit);
  VectorFunction found;
  found.lanes = registerBytes / bytes;
  found.symbol =
      ("_ZGV" + Twine("bde"[unsigned(unit)]) + "N" + Twine(found.lanes) +
       std::string(inputs, 'v') + "_" + function)
          .str();
  found.address = vectorFunctionAddress(found.symbol);
  if (!found.address)
    return std::nullopt;
  return found;
}
