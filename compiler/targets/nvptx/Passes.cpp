//===- Passes.cpp - what is outlined and left out -------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/targets/nvptx/Passes.h"

bool kern::nvptx::isOutlined(BodyFacts facts) {
  // Measured on an H200, throughput of a called body over that of an inlined
  // one: polar_distance 1.01 and pow 1.01; Black-Scholes 0.95, gaussian_pdf
  // 0.96, gelu of f16 0.89.
  constexpr unsigned perValue = 32;
  // As much as one body may have in the thread's own memory when it is small.
  constexpr uint64_t largestFrames = 4096;
  if (facts.calls > 1 && facts.frame * facts.calls > largestFrames)
    return true;
  // Two copies are no more than a function and its calls.
  return facts.calls > 2 && facts.instructions >= perValue * facts.values;
}

llvm::SmallVector<llvm::StringLiteral, 32>
kern::nvptx::unwantedPasses(CodeFacts facts) {
  // These find nothing to do in Kern's code, whose offsets share no multiples,
  // and which has no calls of the C library and no memcmp: strength reduction
  // alone took a quarter of code generation.
  llvm::SmallVector<llvm::StringLiteral, 32> names = {
      "slsr",
      "nary-reassociate",
      "speculative-execution",
      "mergeicmps",
      "expand-memcmp",
      "partially-inline-libcalls",
      "objc-arc-contract",
      "early-tailduplication",
      "opt-phis"};
  // These are for what no kernel has: garbage collection, exceptions, branching
  // assembly, stack protection, constructors, debug information,
  // instrumentation. Each costs the same for the smallest kernel.
  names.append({"gc-lowering", "shadow-stack-gc-lowering", "gc-analysis",
                "lowerinvoke", "callbrprepare", "safe-stack", "stack-protector",
                "nvptx-lower-ctor-dtor", "livedebugvalues",
                "removeredundantdebugvalues", "debug-ata",
                "fixup-statepoint-caller-saved", "post-inline-ee-instrument",
                "fentry-insert", "xray-instrumentation", "machine-sanmd",
                "machine-opt-remark-emitter", "stack-frame-layout"});
  // A kernel's own loops are over a few elements. Without this pass fewer
  // registers are needed.
  if (!facts.bodiesLoop)
    names.append({"loop-reduce", "canon-freeze"});
  // Moves what only one branch needs into that, one instruction after the
  // other, and looks at the whole block for each. The driver's translator does
  // it as well.
  if (facts.largest >= 4000)
    names.push_back("machine-sink");
  return names;
}
