//===- KernelAccess.cpp - the width of a kernel's accesses ----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/artefact/KernelAccess.h"

#include <algorithm>

using namespace kern::runtime;

int64_t kern::runtime::contiguousChunk(const KernelInfo &kernel, int64_t widest,
                                       int64_t withScalars) {
  auto chunk = [&](int64_t size) {
    return std::max<int64_t>(1, int64_t(kernel.alignment) / size);
  };
  // More elements per thread than one access holds: the kernel has a path for
  // calls with scalars.
  bool hasPath = int64_t(kernel.elements) > chunk(widest);
  return chunk(hasPath ? withScalars : widest);
}

namespace {
struct AccessOperand {
  bool hasCore = false, isOutput = false;
  int64_t bytes = 0; ///< of an element; 0 for a number
};
} // namespace

static std::vector<AccessOperand> operandsOf(const FunctionInfo &function,
                                             const LoopInfo &loop) {
  std::vector<AccessOperand> operands;
  size_t next = 0;
  for (const OperandInfo &parameter : function.parameters)
    if (!parameter.isDim && next < loop.inputs.size()) {
      ArgType type = loop.inputs[next++];
      operands.push_back({!parameter.core.empty(), parameter.isInout,
                          type.isWeak() ? 0 : int64_t(itemSize(type.dtype))});
    }
  for (size_t i = 0; i < loop.outputs.size(); ++i)
    operands.push_back(
        {i < function.results.size() && !function.results[i].core.empty(), true,
         int64_t(itemSize(loop.outputs[i]))});
  return operands;
}

/// The access to a gufunc's operand, which a reduction along its last dimension
/// can widen.
static Access coreAccess(const KernelInfo &kernel,
                         const AccessOperand &operand) {
  if (!operand.hasCore)
    return {operand.bytes, ObstacleKind::one_for_element};
  if (kernel.elements <= 1 || operand.isOutput)
    return {operand.bytes, ObstacleKind::no_reduction};
  return {kernel.elements * operand.bytes, {}};
}

std::vector<Access> kern::runtime::widestAccesses(const KernelInfo &kernel,
                                                  const FunctionInfo &function,
                                                  const LoopInfo &loop) {
  std::vector<AccessOperand> operands = operandsOf(function, loop);
  int64_t widest = 1, withScalars = 1;
  for (const AccessOperand &operand : operands) {
    widest = std::max(widest, operand.bytes);
    if (operand.isOutput || &operand == &operands.front())
      withScalars = std::max(withScalars, operand.bytes);
  }
  bool isContiguous = kernel.form == Form::Contiguous;
  int64_t chunk = isContiguous ? contiguousChunk(kernel, widest, withScalars)
                               : int64_t(kernel.elements);
  // Of the operands with chunks, the widest chunk.
  int64_t maxBytes = 0;
  for (const AccessOperand &operand : operands)
    maxBytes = std::max(maxBytes, chunk * operand.bytes);
  if (isContiguous)
    maxBytes = std::min<int64_t>(maxBytes, kernel.alignment);

  std::vector<Access> accesses;
  for (const AccessOperand &operand : operands) {
    Access &access = accesses.emplace_back();
    if (operand.bytes == 0)
      continue;
    switch (kernel.form) {
    case Form::Contiguous:
    case Form::Inner:
      access.bytes = std::min(chunk * operand.bytes, maxBytes);
      if (access.bytes < maxBytes)
        access.obstacle = ObstacleKind::wider_operand;
      break;
    case Form::Tiled:
      access = {operand.bytes, ObstacleKind::element_tiles};
      break;
    case Form::Strided:
      access = {operand.bytes, ObstacleKind::elements_anywhere};
      break;
    case Form::General:
      access = coreAccess(kernel, operand);
      break;
    case Form::Streamed: // only on the host
    case Form::Across:   // likewise
      access.bytes = operand.bytes;
      break;
    }
  }
  return accesses;
}
