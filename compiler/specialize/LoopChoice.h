//===- LoopChoice.h - which loop a call in a body takes ------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As at a call from outside (runtime/plan/Resolve.h), but arguments are values
// of a body: a weak number may be computed, and there are index values.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Kern/TypeSet.h"

#include "llvm/ADT/SmallVector.h"

namespace kern {

struct CallArgument {
  ValueType type;
  /// The value of a weak integer that is a constant.
  std::optional<__int128> value;
  /// An array that is written: its type must be the parameter's.
  bool isInout = false;
};

/// The type of each parameter in one loop; nothing for a generic one, which
/// takes any argument.
using ParameterTypes = llvm::SmallVector<std::optional<DType>, 4>;

/// Whether the argument may be passed to a parameter of this type.
bool accepts(std::optional<DType> parameter, const CallArgument &argument);

/// The first loop that the typed arguments match exactly and to which the weak
/// ones cast, else the first to which all cast safely. If all arguments are
/// weak they count as i64, f64 and c128.
std::optional<size_t> chooseLoop(llvm::ArrayRef<ParameterTypes> loops,
                                 llvm::ArrayRef<CallArgument> arguments);

/// For the message when there is none: the index of the first argument in the
/// way of the loop that comes nearest.
size_t argumentInTheWay(llvm::ArrayRef<ParameterTypes> loops,
                        llvm::ArrayRef<CallArgument> arguments);

} // namespace kern
