//===- ChooseKernel.h - the kernel of a planned launch ----------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/plan/Form.h"
#include "runtime/space/Space.h"

namespace kern {

/// What the choice of a form needs to know of a launch's operands.
std::vector<OperandFacts> factsOf(std::span<const KernelOperand> operands);
inline std::vector<OperandFacts> factsOf(const Launch &launch) {
  return factsOf(launch.operands);
}

/// The kernel of form `wanted`, of a more general one where the loop has no
/// such kernel, or of the next best form where `facts` do not meet its
/// alignment. KERN_ERROR_SHAPE if a reduction without a value for nothing would
/// run over nothing.
Expected<std::shared_ptr<const LoadedKernel>>
chooseKernel(const Launch &launch, Form wanted,
             std::span<const OperandFacts> facts,
             const std::shared_ptr<cuda::Context> &context);

} // namespace kern
