//===- Arguments.cpp - the arguments of a call ----------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/launch/Arguments.h"
#include "runtime/device/host/Memory.h"
#include "runtime/error/Counted.h"
#include "runtime/error/LastError.h"

#include <algorithm>
#include <array>
#include <cstring>

using namespace kern::runtime;

std::string kern::runtime::describe(const Argument &argument) {
  return "argument " + std::to_string(argument.position) + " (`" +
         argument.parameter->name + "`)";
}

Status
kern::runtime::checkArgumentCount(const std::string &function,
                                  std::span<const std::string> parameters,
                                  size_t given) {
  const size_t wanted = parameters.size();
  if (given == wanted)
    return {};
  std::string names;
  for (const std::string &parameter : parameters)
    names += (names.empty() ? "" : ", ") + parameter;
  return Error(ErrorCode::argument_count,
               {function, counted(wanted, "argument"), names,
                std::to_string(given) + (given == 1 ? " was" : " were")});
}

Error kern::runtime::wrongArgumentCount(const FunctionInfo &function,
                                        size_t given) {
  const size_t most = function.parameters.size();
  size_t least = most;
  std::string names;
  for (const OperandInfo &parameter : function.parameters) {
    names += (names.empty() ? "" : ", ") + parameter.name;
    if (!parameter.defaultArgument)
      continue;
    names += "=" + parameter.defaultArgument->text;
    --least;
  }
  std::string wanted = counted(most, "argument");
  if (least < most)
    wanted =
        std::to_string(least) + (least + 1 == most ? " or " : " to ") + wanted;
  return Error(ErrorCode::argument_count,
               {function.name, wanted, names,
                std::to_string(given) + (given == 1 ? " was" : " were")});
}

Status kern::runtime::checkResultCount(const std::string &function,
                                       size_t results, size_t given) {
  if (given == results)
    return {};
  return Error(ErrorCode::result_count,
               {function, counted(results, "result"),
                std::to_string(given) + (given == 1 ? " was" : " were")});
}

Status kern::runtime::checkCounts(const FunctionInfo &function,
                                  const void *inputs, size_t inputCount,
                                  size_t outputCount) {
  if (Status counts =
          checkResultCount(function.name, function.results.size(), outputCount);
      !counts)
    return counts;
  if (inputCount && !inputs)
    return Error(ErrorCode::null_pointers, {"the arguments"}).in(function.name);
  return {};
}

/// Reads a value that is passed as a range.
static Status readRange(const kern_range *numbers, Argument &argument) {
  if (!numbers)
    return Error(ErrorCode::range_missing, {describe(argument)});
  if (numbers->step == 0)
    return Error(ErrorCode::range_step, {describe(argument)});
  const std::optional<int64_t> length =
      rangeLength(numbers->start, numbers->stop, numbers->step);
  if (!length)
    return Error(ErrorCode::range_too_long, {describe(argument)});
  argument.range = {numbers->start, numbers->step};
  argument.type = ArgType::typed(DType::I64);
  argument.view.dtype = DType::I64;
  argument.view.shape = {*length};
  argument.view.strides = {1};
  return {};
}

/// Reads a value that is passed as a number.
static Status readNumber(const kern_value &value, Argument &argument) {
  switch (rawValue(value.kind)) {
  case KERN_VALUE_SCALAR:
    if (rawValue(value.dtype) >= dtypeCount)
      return Error(ErrorCode::argument_dtype,
                   {describe(argument), rawValue(value.dtype)});
    argument.type = ArgType::typed(DType(value.dtype));
    std::memcpy(argument.value.data(), value.as.bits,
                itemSize(argument.type.dtype));
    break;
  case KERN_VALUE_WEAK_INT:
    argument.type = ArgType::weak(Weakness::Int);
    std::memcpy(argument.value.data(), &value.as.integer, 8);
    break;
  case KERN_VALUE_WEAK_FLOAT:
    argument.type = ArgType::weak(Weakness::Float);
    std::memcpy(argument.value.data(), &value.as.real, 8);
    break;
  case KERN_VALUE_WEAK_COMPLEX:
    argument.type = ArgType::weak(Weakness::Complex);
    std::memcpy(argument.value.data(), value.as.complex_parts, 16);
    break;
  default:
    return Error(ErrorCode::argument_kind,
                 {describe(argument), rawValue(value.kind)});
  }
  argument.isScalar = true;
  return {};
}

static Status readArgument(const kern_value &value, Argument &argument) {
  if (rawValue(value.kind) == KERN_VALUE_RANGE)
    return readRange(value.as.range, argument);
  if (rawValue(value.kind) != KERN_VALUE_ARRAY)
    return readNumber(value, argument);
  Expected<StridedView> view = viewOf(value.as.array, describe(argument));
  if (!view)
    return view.error();
  argument.isArray = true;
  argument.view = std::move(*view);
  argument.type = ArgType::typed(argument.view.dtype);
  const OperandInfo &parameter = *argument.parameter;
  if (isHost(argument.view.device) && argument.view.count() == 1 &&
      parameter.core.empty() && !parameter.isInout) {
    argument.isScalar = true;
    std::memcpy(argument.value.data(), argument.view.data,
                itemSize(argument.type.dtype));
  }
  return {};
}

static Expected<int64_t> readDim(const Argument &argument) {
  if (!argument.isScalar || !argument.view.shape.empty())
    return Error(ErrorCode::dim_is_array, {describe(argument)});
  DType type = argument.type.carrier();
  if (!isInteger(type))
    return Error(ErrorCode::dim_type,
                 {describe(argument), name(argument.type)});
  int64_t value = 0;
  Value wide = convertValue(argument.value, type, DType::I64);
  std::memcpy(&value, wide.data(), sizeof value);
  if (value < 0)
    return Error(ErrorCode::dim_range, {describe(argument)});
  return value;
}

Expected<Arguments>
kern::runtime::gatherArguments(const FunctionInfo &function,
                               std::span<const kern_value> values) {
  if (values.size() != function.parameters.size())
    return wrongArgumentCount(function, values.size());
  Arguments out;
  for (size_t i = 0; i < values.size(); ++i) {
    Argument argument;
    argument.parameter = &function.parameters[i];
    argument.position = i + 1;
    if (Status status = readArgument(values[i], argument); !status)
      return status.error();
    if (argument.parameter->isDim) {
      Expected<int64_t> dim = readDim(argument);
      if (!dim)
        return dim.error();
      out.dims.push_back(*dim);
      continue;
    }
    if (argument.parameter->isInout && !argument.isArray)
      return Error(ErrorCode::number_is_written, {describe(argument)});
    out.operands.push_back(std::move(argument));
  }
  return out;
}

Expected<Buffer> kern::runtime::toArray(Argument &argument) {
  StridedView &view = argument.view;
  const int64_t length = view.shape[0], size = sizeof(int64_t);
  int64_t bytes = 0;
  if (__builtin_mul_overflow(length, size, &bytes))
    return Error(ErrorCode::operand_too_large,
                 {describe(argument), text(view.shape)});
  Expected<Buffer> memory = host::allocate(size_t(bytes));
  if (!memory)
    return memory.error();
  writeRange(*argument.range, length, DType::I64, memory->data());
  argument.range = std::nullopt;
  argument.isArray = true;
  view.strides = {size};
  view.device = {kDLCPU, 0};
  view.data = memory->data();
  return memory;
}

/// Every float and complex type holds it, if only as an infinity.
static bool holdsInteger(DType type, int64_t value) {
  if (!isInteger(type))
    return type != DType::Bool;
  if (value < 0 && isUnsigned(type))
    return false;
  unsigned bits = unsigned(itemSize(type)) * 8 - isSigned(type);
  return (value < 0 ? ~value : value) >> std::min(bits, 63u) == 0;
}

/// The narrowest integer type that holds the value; unsigned if `like` is.
static DType typeFor(int64_t value, DType like) {
  constexpr std::array integers = {DType::I8,  DType::U8,  DType::I16,
                                   DType::U16, DType::I32, DType::U32,
                                   DType::I64, DType::U64};
  const bool wantsUnsigned = isUnsigned(like) && value >= 0;
  return *std::ranges::find_if(integers, [&](DType type) {
    return isUnsigned(type) == wantsUnsigned && holdsInteger(type, value);
  });
}

Expected<Value> kern::runtime::valueAs(const Argument &argument, ArgType to) {
  DType target = to.carrier();
  if (argument.type.weakness == Weakness::Int && !to.isWeak()) {
    int64_t integer = 0;
    std::memcpy(&integer, argument.value.data(), sizeof integer);
    if (!holdsInteger(target, integer))
      return Error(ErrorCode::integer_does_not_fit,
                   {describe(argument), integer, name(target),
                    name(typeFor(integer, target))});
  }
  return convertValue(argument.value, argument.type.carrier(), target);
}
