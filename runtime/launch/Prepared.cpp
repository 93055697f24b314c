//===- Prepared.cpp - prepared calls --------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/launch/Prepared.h"
#include "runtime/launch/Arguments.h"
#include "runtime/launch/CallKey.h"

#include <cstdio>
#include <cstring>

using namespace kern;

Expected<std::unique_ptr<kern_prepared>>
kern::makePrepared(const FunctionInfo &function,
                   std::shared_ptr<const CallPlan> plan) {
  auto prepared = std::make_unique<kern_prepared>();
  for (const CallPlan::Operand &operand : plan->operands) {
    std::string number = std::to_string(operand.index + 1);
    switch (operand.source) {
    case CallPlan::Operand::Source::NewResult:
      return Error{KERN_ERROR_ARGUMENT,
                   "`" + function.name +
                       "` cannot be prepared without an array for result " +
                       number};
    case CallPlan::Operand::Source::Mask:
      return Error{KERN_ERROR_ARGUMENT,
                   "`" + function.name + "` cannot be prepared with `where`"};
    case CallPlan::Operand::Source::Output:
      prepared->labels.push_back("result " + number);
      break;
    default:
      prepared->labels.push_back("argument " + number + " (`" +
                                 function.parameters[operand.index].name +
                                 "`)");
    }
  }
  for (const OperandInfo &parameter : function.parameters)
    prepared->parameters.push_back(parameter.name);
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

/// "0x7f12… lies 4 bytes past a multiple of 16, and …".
static std::string misaligned(uint64_t address,
                              const CallPlan::Operand &operand) {
  char hex[32];
  std::snprintf(hex, sizeof hex, "0x%llx", (unsigned long long)address);
  std::string unit = std::to_string(operand.addressMask + 1);
  return std::string(": the address ") + hex + " lies " +
         std::to_string(address & operand.addressMask) +
         " bytes past a multiple of " + unit +
         "; the call was prepared for one that lies " +
         std::to_string(operand.lowBits) + " bytes past one";
}

Status kern_prepared::launch(const void *const *inputs, void *const *outputs,
                             CUstream stream) const {
  CallOperands given;
  auto refuse = [&](kern_status status, size_t operand,
                    const std::string &why) {
    return Error{status, "`" + plan->function + "`: " + labels[operand] + why};
  };
  for (size_t k = 0; k < plan->operands.size(); ++k) {
    const CallPlan::Operand &operand = plan->operands[k];
    bool isOutput = operand.source == CallPlan::Operand::Source::Output;
    const void *place = nullptr;
    if (isOutput ? outputs != nullptr : inputs != nullptr)
      place = isOutput ? outputs[operand.index] : inputs[operand.index];
    if (!place && plan->isEmpty() && !operand.isValue())
      continue; // an empty array may be anywhere
    if (!place)
      return refuse(KERN_ERROR_ARGUMENT, k, " is missing (NULL)");
    if (operand.isValue()) {
      if (operand.type.form == ArgType::Form::WeakInt) {
        int64_t integer = 0;
        std::memcpy(&integer, place, sizeof integer);
        if (weakIntegerClass(integer) != operand.integerClass)
          return refuse(KERN_ERROR_TYPE, k,
                        " is " + std::to_string(integer) +
                            ", which casts to other types than the integer "
                            "that the call was prepared with");
      }
      given.values[k] = plan->numberAs(k, place);
      continue;
    }
    uint64_t address = uint64_t(reinterpret_cast<uintptr_t>(place));
    if ((address & operand.addressMask) != operand.lowBits)
      return refuse(KERN_ERROR_ARGUMENT, k, misaligned(address, operand));
    given.addresses[k] = static_cast<std::byte *>(const_cast<void *>(place));
  }
  if (const CallPlan::Relation *broken = plan->brokenBy(given))
    return refuse(KERN_ERROR_OVERLAP, broken->first,
                  " and " + labels[broken->second] +
                      (broken->isApart
                           ? " overlap; the call was prepared for arrays "
                             "that do not"
                           : " do not overlap in the way that the call was "
                             "prepared for"));
  return plan->run(given, stream, {}, nullptr);
}
