//===- ChooseKernel.h - the kernel of a planned launch ----------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/plan/Form.h"
#include "runtime/plan/Geometry.h"
#include "runtime/space/Space.h"

namespace kern::runtime {

/// The facts about a launch's operands that decide the form.
std::vector<OperandFacts> factsOf(std::span<const KernelOperand> operands);
inline std::vector<OperandFacts> factsOf(const Launch &launch) {
  return factsOf(launch.operands);
}

/// The kernel that chooseKernel() asks for. On the host, the loop around it
/// converts and applies the mask.
KernelVariant variantOf(const Launch &launch, Form form,
                        const Schedule &schedule, bool onHost);

/// The kernel of form `wanted`, with a mapping and constant extents if it is a
/// gufunc's. `kind` is a ufunc for the flat mapping of an elementwise gufunc. A
/// kernel of a more general form if the loop has no such kernel, or if `facts`
/// do not meet its alignment. KERN_ERROR_SHAPE if a reduction that has no value
/// for an empty range would run over one.
Expected<std::shared_ptr<const LoadedKernel>>
chooseKernel(const Launch &launch, FunctionKind kind, Form wanted,
             const Schedule &schedule, std::span<const OperandFacts> facts,
             const std::shared_ptr<cuda::Context> &context);

} // namespace kern::runtime
