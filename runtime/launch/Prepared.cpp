//===- Prepared.cpp - prepared calls --------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/launch/Prepared.h"
#include "runtime/launch/Arguments.h"
#include "runtime/launch/CallKey.h"
#include "runtime/launch/NamedArguments.h"

#include <bit>
#include <cstdio>
#include <cstring>

using namespace kern::runtime;

Expected<std::unique_ptr<kern_prepared>>
kern::runtime::makePrepared(const FunctionInfo &function, size_t given,
                            std::shared_ptr<const CallPlan> plan) {
  auto prepared = std::make_unique<kern_prepared>();
  for (const PlannedOperand &operand : plan->operands) {
    std::string number = std::to_string(operand.index + 1);
    switch (operand.source) {
    case PlannedOperand::Source::NewResult:
      return Error(ErrorCode::cannot_prepare_new_result,
                   {function.name, number});
    case PlannedOperand::Source::Mask:
      return Error(ErrorCode::cannot_prepare_where, {function.name});
    case PlannedOperand::Source::Output:
      prepared->labels.push_back("result " + number);
      break;
    default:
      prepared->labels.push_back("argument " + number + " (`" +
                                 function.parameters[operand.index].name +
                                 "`)");
    }
  }
  for (size_t i = 0; i < function.parameters.size(); ++i)
    if (const OperandInfo &parameter = function.parameters[i]; i < given)
      prepared->parameters.push_back(parameter.name);
    else
      prepared->defaults.push_back(valueOf(*parameter.defaultArgument));
  prepared->resultCount = function.results.size();
  prepared->plan = std::move(plan);
  return prepared;
}

Status kern_prepared::checkCounts(size_t inputs, size_t outputs) const {
  if (Status status = checkArgumentCount(plan->function, parameters, inputs);
      !status)
    return status;
  return checkResultCount(plan->function, resultCount, outputs);
}

/// "0x7f12…".
static std::string hexadecimal(uint64_t address) {
  char text[32];
  std::snprintf(text, sizeof text, "0x%llx", (unsigned long long)address);
  return text;
}

const void *kern_prepared::placeOf(size_t k, const void *const *inputs,
                                   void *const *outputs) const {
  const PlannedOperand &operand = plan->operands[k];
  if (operand.source == PlannedOperand::Source::Output)
    return outputs ? outputs[operand.index] : nullptr;
  if (operand.index >= parameters.size())
    return defaults[operand.index - parameters.size()].as.bits;
  return inputs ? inputs[operand.index] : nullptr;
}

std::optional<Mismatch> kern_prepared::gather(const void *const *inputs,
                                              void *const *outputs,
                                              CallOperands &given) const {
  for (size_t k = 0; k < plan->operands.size(); ++k) {
    const PlannedOperand &operand = plan->operands[k];
    if (operand.source == PlannedOperand::Source::Range) {
      given.addresses[k] = std::bit_cast<std::byte *>(operand.first);
      continue;
    }
    const void *place = placeOf(k, inputs, outputs);
    if (!place) {
      if (plan->isEmpty() && !operand.isValue())
        continue; // an empty array may be anywhere
      return Mismatch{ErrorCode::null_pointer, k};
    }
    if (operand.isValue()) {
      if (operand.type.weakness == Weakness::Int) {
        int64_t integer = 0;
        std::memcpy(&integer, place, sizeof integer);
        if (weakIntegerClass(integer) != operand.integerClass)
          return Mismatch{ErrorCode::prepared_integer, k};
      }
      given.values[k] = plan->numberAs(k, place);
      continue;
    }
    uint64_t address = uint64_t(reinterpret_cast<uintptr_t>(place));
    if ((address & operand.addressMask) != operand.lowBits)
      return Mismatch{ErrorCode::prepared_alignment, k};
    given.addresses[k] = static_cast<std::byte *>(const_cast<void *>(place));
  }
  if (const OverlapRelation *broken = plan->brokenBy(given))
    return Mismatch{broken->isDisjoint ? ErrorCode::prepared_disjoint
                                       : ErrorCode::prepared_overlap,
                    broken->first, broken};
  return std::nullopt;
}

Error kern_prepared::errorOf(const Mismatch &mismatch,
                             const void *const *inputs,
                             void *const *outputs) const {
  const std::string &label = labels[mismatch.operand];
  const PlannedOperand &operand = plan->operands[mismatch.operand];
  const void *place = placeOf(mismatch.operand, inputs, outputs);
  auto refuse = [&](std::initializer_list<TextArgument> arguments) {
    return Error(mismatch.code, arguments).in(plan->function);
  };
  if (mismatch.relation)
    return refuse({label, labels[mismatch.relation->second]});
  if (mismatch.code == ErrorCode::prepared_integer) {
    int64_t integer = 0;
    std::memcpy(&integer, place, sizeof integer);
    return refuse({label, integer});
  }
  if (mismatch.code == ErrorCode::null_pointer)
    return refuse({label});
  uint64_t address = uint64_t(reinterpret_cast<uintptr_t>(place));
  return refuse({label, hexadecimal(address), address & operand.addressMask,
                 operand.addressMask + 1, operand.lowBits});
}

Status kern_prepared::launch(const void *const *inputs, void *const *outputs,
                             CUstream stream) const {
  CallOperands given;
  if (std::optional<Mismatch> mismatch = gather(inputs, outputs, given))
    return errorOf(*mismatch, inputs, outputs);
  return plan->run(given, stream, nullptr, {}, nullptr);
}

Expected<bool> kern_prepared::tryLaunch(const void *const *inputs,
                                        void *const *outputs,
                                        CUstream stream) const {
  CallOperands given;
  if (std::optional<Mismatch> mismatch = gather(inputs, outputs, given)) {
    if (mismatch->code == ErrorCode::null_pointer)
      return errorOf(*mismatch, inputs, outputs);
    return false;
  }
  if (Status status = plan->run(given, stream, nullptr, {}, nullptr); !status)
    return status.error();
  return true;
}
