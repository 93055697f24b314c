//===- Kernels.cpp - descriptions of kernels ------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/driver/Kernels.h"

#include "dialects/LoopToLLVM/EmitCheck.h"

namespace kern::compiler {

using runtime::KernelInfo;

static_assert(ir::loop::recordWords == runtime::maxRecordWords,
              "kernels write as many words as a launch gives");

std::vector<KernelInfo> kernelsOf(const std::vector<ir::loop::Entry> &entries,
                                  llvm::StringRef symbol) {
  std::vector<KernelInfo> kernels;
  for (const ir::loop::Entry &entry : entries) {
    if (entry.kernel != symbol)
      continue;
    KernelInfo kernel;
    kernel.form = entry.form;
    kernel.symbol = entry.symbol;
    kernel.mapping = entry.mapping;
    kernel.launches = entry.launches;
    kernel.slicedLaunches = entry.slicedLaunches;
    kernel.block = entry.block;
    kernel.disjoint = entry.disjoint;
    kernel.elements = entry.elements;
    kernel.rows = entry.rows;
    kernel.alignment = entry.alignment;
    kernel.waits = entry.waits;
    kernel.hasDivisors = entry.hasDivisors;
    kernel.work = entry.work;
    kernel.inParts = entry.inParts;
    kernel.sharedExtents = entry.sharedExtents;
    kernel.nonEmpty = entry.nonEmpty;
    kernel.leastExtents = entry.leastExtents;
    for (const ir::loop::Entry::Scratch &scratch : entry.scratch)
      kernel.scratch.push_back({scratch.bytes, scratch.isPerLane,
                                scratch.isPerSlice, scratch.isCleared});
    kernel.checks = entry.checks;
    kernels.push_back(std::move(kernel));
  }
  return kernels;
}

} // namespace kern::compiler
