//===- NamedArguments.h - arguments by name, and defaults -------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "kern/kern.h"
#include "runtime/artefact/Manifest.h"

#include <span>
#include <string_view>
#include <vector>

namespace kern::runtime {

/// The number as an argument.
kern_value valueOf(const DefaultArgument &number);

/// Whether calls have an option of this name, so that a parameter of the same
/// name is given by position.
bool isCallOption(std::string_view name);

struct NamedArgument {
  std::string_view name;
  kern_value value;
};

/// Fills `all`, which has an entry for each parameter: kern_bind_arguments().
Status bindArguments(const FunctionInfo &function,
                     std::span<const kern_value> positional,
                     std::span<const NamedArgument> named,
                     std::span<kern_value> all);

/// The arguments of a call, of which the last may be missing: those given if
/// they are complete, else with the defaults of the others.
class CompleteArguments {
public:
  /// `given` must outlive this.
  CompleteArguments(const FunctionInfo &function,
                    std::span<const kern_value> given);
  /// As many as were given if some parameter without a default has none.
  std::span<const kern_value> get() const { return values; }

private:
  std::vector<kern_value> memory;
  std::span<const kern_value> values;
};

} // namespace kern::runtime
