//===- LoopChoice.cpp - which loop a call in a body takes -----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/specialize/LoopChoice.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/ErrorHandling.h"

namespace kern::compiler {

using ir::ValueType;
using runtime::ArgType;
using runtime::DType;
using runtime::DTypeSet;
using runtime::Weakness;

using Arguments = llvm::SmallVector<CallArgument, 4>;

static ArgType argumentType(ValueType type) {
  switch (type.form) {
  case ValueType::Typed:
    return ArgType::typed(type.dtype);
  case ValueType::WeakInt:
  case ValueType::Index:
    return ArgType::weak(Weakness::Int);
  case ValueType::WeakFloat:
    return ArgType::weak(Weakness::Float);
  case ValueType::WeakComplex:
    return ArgType::weak(Weakness::Complex);
  }
  llvm_unreachable("all forms are handled");
}

/// Whether the argument may be passed to a parameter of this type.
static bool accepts(std::optional<DType> parameter,
                    const CallArgument &argument) {
  if (!parameter)
    return true;
  if (argument.isInout)
    return argument.type == ValueType{ValueType::Typed, *parameter};
  // Narrower integers cannot hold every index.
  if (argument.type.form == ValueType::Index && isInteger(*parameter))
    return *parameter == DType::I64;
  return canPass(argumentType(argument.type), *parameter);
}

/// `typed`: the types of all typed arguments. A weak argument gives way to one
/// of these, or to its parameter's type if that is the same in every loop
/// (`isFixed`), but not to any other type.
static bool matches(std::optional<DType> parameter,
                    const CallArgument &argument, DTypeSet typed,
                    bool isFixed) {
  if (!parameter || argument.type.form == ValueType::Index)
    return accepts(parameter, argument);
  if (argument.type.isWeak())
    return (isFixed || typed.contains(*parameter)) &&
           accepts(parameter, argument);
  return argument.type.dtype == *parameter;
}

static Arguments counted(llvm::ArrayRef<CallArgument> arguments) {
  llvm::SmallVector<ValueType, 4> types;
  for (const CallArgument &argument : arguments)
    types.push_back(argument.type);
  Arguments list(arguments);
  for (auto [argument, type] : llvm::zip(list, countedTypes(types)))
    argument.type = type;
  return list;
}

std::optional<size_t> chooseLoop(llvm::ArrayRef<ParameterTypes> loops,
                                 llvm::ArrayRef<CallArgument> arguments) {
  Arguments list = counted(arguments);
  DTypeSet typed;
  for (const CallArgument &argument : list)
    if (!argument.type.isWeak())
      typed = typed | DTypeSet::of(argument.type.dtype);
  const auto isFixed = [&](size_t at) {
    return llvm::all_of(
        loops, [&](const auto &loop) { return loop[at] == loops[0][at]; });
  };
  for (auto [index, loop] : llvm::enumerate(loops))
    if (llvm::all_of(llvm::seq(list.size()), [&](size_t at) {
          return matches(loop[at], list[at], typed, isFixed(at));
        }))
      return index;
  for (auto [index, loop] : llvm::enumerate(loops))
    if (llvm::all_of(llvm::zip(loop, list), [](const auto &pair) {
          return accepts(std::get<0>(pair), std::get<1>(pair));
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

} // namespace kern::compiler
