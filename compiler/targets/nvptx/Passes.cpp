//===- Passes.cpp - outlined bodies, pairs and disabled passes ------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/targets/nvptx/Passes.h"

/// All copies together may have local arrays of the size of one private array
/// (privateLimit in Locals.cpp).
static constexpr uint64_t largestFrames = 4096;

bool kern::compiler::nvptx::isOutlined(BodyFacts facts) {
  // The throughput of a called body relative to an inlined one, measured on an
  // H200: polar_distance 1.01, pow 1.01, Black-Scholes 0.95, gaussian_pdf 0.96,
  // gelu of f16 0.89.
  constexpr unsigned perValue = 32;
  if (facts.calls > 1 && facts.frame * facts.calls > largestFrames)
    return true;
  // Two copies are no larger than a function and its calls.
  return facts.calls > 2 && facts.instructions >= perValue * facts.values;
}

bool kern::compiler::nvptx::isInlinedByHint(BodyFacts facts) {
  // The driver takes about 40 ms for so many instructions.
  constexpr unsigned mostInstructions = 1000;
  return facts.instructions * facts.hintedCalls <= mostInstructions &&
         facts.frame * facts.hintedCalls <= largestFrames;
}

bool kern::compiler::nvptx::isKeptForFew(BodyFacts facts) {
  // A call and its moves are about as long.
  constexpr unsigned shortest = 16;
  return facts.instructions >= shortest;
}

bool kern::compiler::nvptx::isPaired(unsigned halves, unsigned instructions) {
  // The search takes 0.05 ms for each instruction: 30 ms for a kernel of eight
  // elements with one operation in 30, of which pairs save half.
  constexpr unsigned shortCode = 400, perHalf = 24;
  return halves > 0 && instructions <= std::max(shortCode, perHalf * halves);
}

llvm::SmallVector<llvm::StringLiteral, 32>
kern::compiler::nvptx::unwantedPasses(CodeFacts facts) {
  // These find nothing to do in Kern's code: its offsets share no multiples,
  // and it has no calls of the C library and no memcmp. Strength reduction
  // alone took a quarter of the time of code generation.
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
  // These handle features that no kernel has: garbage collection, exceptions,
  // branching assembly, stack protection, constructors, debug information,
  // instrumentation. Each has a fixed cost, even for the smallest kernel.
  names.append({"gc-lowering", "shadow-stack-gc-lowering", "gc-analysis",
                "lowerinvoke", "callbrprepare", "safe-stack", "stack-protector",
                "nvptx-lower-ctor-dtor", "livedebugvalues",
                "removeredundantdebugvalues", "debug-ata",
                "fixup-statepoint-caller-saved", "post-inline-ee-instrument",
                "fentry-insert", "xray-instrumentation", "machine-sanmd",
                "machine-opt-remark-emitter", "stack-frame-layout"});
  // A kernel's own loops run over a few elements. Without this pass they need
  // fewer registers.
  if (!facts.bodiesLoop)
    names.append({"loop-reduce", "canon-freeze"});
  // This pass sinks instructions into the branch that needs them. It takes
  // quadratic time in the size of a block, and the driver's PTX compiler does
  // it as well.
  if (facts.largest >= 4000)
    names.push_back("machine-sink");
  return names;
}
