//===- LoopChoice.h - which loop a call in a body takes ------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Like the choice at a call from outside (runtime/plan/Resolve.h), with index
// values and generic parameters in addition.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Kern/TypeSet.h"

#include "llvm/ADT/SmallVector.h"

namespace kern::compiler {

struct CallArgument {
  ir::ValueType type;
  /// A written array: its type must be the parameter's.
  bool isInout = false;
};

/// The type of each parameter in one loop; nothing for a generic parameter,
/// which takes any argument.
using ParameterTypes = llvm::SmallVector<std::optional<runtime::DType>, 4>;

/// The first loop whose types the typed arguments match exactly. Weak arguments
/// must give way there to the type of a typed argument, or to a type that is
/// the same in all loops. If there is no such loop, the first loop to which all
/// arguments may be passed. Weak arguments of a higher kind than all typed ones
/// count as i64, f64 and c128 (givesWay).
std::optional<size_t> chooseLoop(llvm::ArrayRef<ParameterTypes> loops,
                                 llvm::ArrayRef<CallArgument> arguments);

/// For the error message if no loop matches: the index of the first argument
/// that the nearest loop rejects.
size_t argumentInTheWay(llvm::ArrayRef<ParameterTypes> loops,
                        llvm::ArrayRef<CallArgument> arguments);

} // namespace kern::compiler
