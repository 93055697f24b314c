//===- LoopChoice.cpp - which loop a call in a body takes -----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/specialize/LoopChoice.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

namespace kern {

using Arguments = llvm::SmallVector<CallArgument, 4>;

static bool holds(DType to, __int128 value) {
  if (to == DType::F16)
    return value >= -65504 && value <= 65504;
  if (!isInteger(to))
    return to != DType::Bool;
  unsigned bits = unsigned(itemSize(to)) * 8 - isSigned(to);
  __int128 limit = __int128(1) << bits;
  return value < limit && value >= (isSigned(to) ? -limit : 0);
}

bool accepts(std::optional<DType> parameter, const CallArgument &argument) {
  if (!parameter)
    return true;
  switch (argument.type.form) {
  case ValueType::Typed:
    return argument.isInout ? argument.type.dtype == *parameter
                            : canCastSafely(argument.type.dtype, *parameter);
  case ValueType::WeakInt:
    return argument.value ? holds(*parameter, *argument.value)
                          : *parameter != DType::Bool;
  case ValueType::Index:
    return *parameter == DType::I64 || isFloat(*parameter) ||
           isComplex(*parameter);
  case ValueType::WeakFloat:
    return isFloat(*parameter) || isComplex(*parameter);
  case ValueType::WeakComplex:
    return isComplex(*parameter);
  }
  llvm_unreachable("all forms are handled");
}

static bool matches(std::optional<DType> parameter,
                    const CallArgument &argument) {
  if (!parameter || argument.type.isWeak())
    return accepts(parameter, argument);
  return argument.type.dtype == *parameter;
}

/// If all arguments are weak they count as i64, f64 and c128.
static Arguments counted(llvm::ArrayRef<CallArgument> arguments) {
  Arguments list(arguments);
  if (llvm::all_of(list, [](const auto &a) { return a.type.isWeak(); }))
    for (CallArgument &argument : list)
      argument.type = {ValueType::Typed, argument.type.carrier()};
  return list;
}

std::optional<size_t> chooseLoop(llvm::ArrayRef<ParameterTypes> loops,
                                 llvm::ArrayRef<CallArgument> arguments) {
  Arguments list = counted(arguments);
  for (auto *takes : {matches, accepts})
    for (auto [index, loop] : llvm::enumerate(loops))
      if (llvm::all_of(llvm::zip(loop, list), [&](const auto &pair) {
            return takes(std::get<0>(pair), std::get<1>(pair));
          }))
        return index;
  return std::nullopt;
}

size_t argumentInTheWay(llvm::ArrayRef<ParameterTypes> loops,
                        llvm::ArrayRef<CallArgument> arguments) {
  Arguments list = counted(arguments);
  size_t fewest = list.size() + 1, first = 0;
  for (const ParameterTypes &loop : loops) {
    size_t count = 0, earliest = 0;
    for (size_t i = list.size(); i-- > 0;)
      if (!accepts(loop[i], list[i])) {
        ++count;
        earliest = i;
      }
    if (count < fewest) {
      fewest = count;
      first = earliest;
    }
  }
  return first;
}

} // namespace kern
