//===- Launcher.cpp - chains of kernels -----------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/space/Launcher.h"

#include <algorithm>

using namespace kern::runtime;

Expected<std::vector<Launcher>>
kern::runtime::makeLaunchers(const std::shared_ptr<cuda::Context> &context,
                             CUstream stream, const Launch &launch) {
  size_t inputs = size_t(std::ranges::count_if(
      launch.operands, [](const KernelOperand &k) { return !k.isOutput; }));
  constexpr size_t maxInputs = 64; // bits of a word
  if (inputs > maxInputs)
    return Error(ErrorCode::too_many_gpu_parameters,
                 {launch.function->name, inputs, maxInputs});
  const GpuFacts gpu = GpuFacts::of(*context);
  std::vector<Launcher> chain;
  auto add = [&](MappedLaunch mapped) -> Status {
    auto chosen = mapped.choose(context);
    if (!chosen)
      return chosen.error();
    Expected<std::vector<ScratchSize>> scratch =
        scratchSizes(launch, (*chosen)->code->kernel);
    if (!scratch)
      return scratch.error();
    chain.emplace_back(context, stream, std::move(mapped), std::move(*chosen),
                       std::move(*scratch));
    return {};
  };
  Expected<MappedLaunch> whole = MappedLaunch::make(launch, gpu);
  if (!whole)
    return whole.error();
  Expected<unsigned> phases = whole->phases();
  if (!phases)
    return phases.error();
  if (!*phases) {
    if (Status status = add(std::move(*whole)); !status)
      return status.error();
    return chain;
  }
  for (unsigned phase = 1; phase <= *phases; ++phase) {
    Expected<MappedLaunch> mapped = MappedLaunch::make(launch, gpu, phase);
    if (!mapped)
      return mapped.error();
    if (Status status = add(std::move(*mapped)); !status)
      return status.error();
  }
  return chain;
}

const Launcher &kern::runtime::mainOf(const std::vector<Launcher> &chain) {
  return *std::ranges::max_element(chain, {}, &Launcher::items);
}
