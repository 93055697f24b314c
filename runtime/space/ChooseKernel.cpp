//===- ChooseKernel.cpp - the kernel of a planned launch ------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/space/ChooseKernel.h"
#include "runtime/artefact/Dimension.h"
#include "runtime/plan/Schedule.h"

using namespace kern::runtime;

std::vector<OperandFacts>
kern::runtime::factsOf(std::span<const KernelOperand> operands) {
  std::vector<OperandFacts> facts;
  bool isMasked = hasMask(operands);
  for (const KernelOperand &operand : operands) {
    const bool isRange = operand.rangeStep.has_value();
    facts.push_back({operand.isScalar,
                     isRange ? 0 : uint64_t(wordOf(operand.data)),
                     size_t(operand.denseStride()), operand.isOutput,
                     passesBuffer(operand, isMasked), isRange});
  }
  return facts;
}

KernelVariant kern::runtime::variantOf(const Launch &launch, Form form,
                                       const Schedule &schedule, bool onHost) {
  KernelVariant variant = {form, launch.disjoint};
  if (onHost)
    return variant;
  variant.mapping = schedule.mapping;
  variant.constants = schedule.constants;
  if (form == Form::General && launch.loop->makesVariants()) {
    variant.loopDims = loopDimsFor(launch.layout.rank(), schedule.mapping);
    variant.groups = groupsFor(schedule);
  }
  variant.masked = hasMask(launch.operands);
  bool converts = false;
  for (const KernelOperand &operand : launch.operands) {
    if (operand.isMask)
      continue;
    if (operand.rangeStep)
      variant.ranges |= uint64_t(1) << variant.stored.size();
    variant.stored.push_back(operand.inMemory());
    converts |= operand.stored.has_value();
  }
  if (!converts)
    variant.stored.clear();
  return variant;
}

Expected<std::shared_ptr<const LoadedKernel>>
kern::runtime::chooseKernel(const Launch &launch, FunctionKind kind,
                            Form wanted, const Schedule &schedule,
                            std::span<const OperandFacts> facts,
                            const std::shared_ptr<cuda::Context> &context) {
  for (;;) {
    auto kernel = launch.loop->kernel(
        variantOf(launch, wanted, schedule, !context), context);
    if (!kernel)
      return kernel.error();
    const KernelInfo &info = (*kernel)->code->kernel;
    // The width of a contiguous kernel's accesses is known only once it exists.
    if (context && info.form == Form::Contiguous &&
        !isAligned(facts, info.alignment)) {
      wanted = wantedCudaForm(kind, launch.layout, facts, info.alignment);
      continue;
    }
    if (Status status = checkExtents(info, *launch.function, launch.dims);
        !status)
      return status.error();
    return kernel;
  }
}
