//===- CompiledSource.cpp - code compiled in advance ----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/code/CompiledSource.h"

#include "runtime/plan/Resolve.h"

using namespace kern::runtime;

Expected<LoopInfo>
CompiledSource::specialise(const FunctionInfo &function,
                           std::span<const ArgType> arguments) {
  Expected<size_t> index = resolveLoop(function, arguments);
  if (!index)
    return index.error();
  return function.loops[*index];
}

Expected<KernelInfo> CompiledSource::pick(const FunctionInfo &function,
                                          const LoopInfo &loop,
                                          const KernelVariant &wanted) const {
  if (loop.kernels.empty())
    return Error(ErrorCode::no_code_for_loop,
                 {name, text(loop), function.name});
  std::optional<size_t> best = bestKernel(loop.kernels, wanted);
  if (!best)
    return Error(ErrorCode::no_kernel_for_layout, {name, function.name});
  return loop.kernels[*best];
}

std::string CompiledSource::sourceText() const {
  return info.source.empty() ? "the source" : "'" + info.source + "'";
}
