//===- LoopChoice.h - which loop a call in a body takes ------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As at a call from outside (runtime/plan/Resolve.h), but there are index
// values and generic parameters.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Kern/TypeSet.h"

#include "llvm/ADT/SmallVector.h"

namespace kern {

struct CallArgument {
  ValueType type;
  /// An array that is written: its type must be the parameter's.
  bool isInout = false;
};

/// The type of each parameter in one loop; nothing for a generic one, which
/// takes any argument.
using ParameterTypes = llvm::SmallVector<std::optional<DType>, 4>;

/// The first loop that the typed arguments match exactly and whose other
/// inputs, to which weak ones give way, have types of typed arguments or one
/// type in all loops, else the first to which all may be passed. Weak arguments
/// of a kind above all typed ones count as i64, f64 and c128 (givesWay).
std::optional<size_t> chooseLoop(llvm::ArrayRef<ParameterTypes> loops,
                                 llvm::ArrayRef<CallArgument> arguments);

/// For the message when there is none: the index of the first argument in the
/// way of the loop that comes nearest.
size_t argumentInTheWay(llvm::ArrayRef<ParameterTypes> loops,
                        llvm::ArrayRef<CallArgument> arguments);

} // namespace kern
