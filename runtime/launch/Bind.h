//===- Bind.h - all of a call before its execution --------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/launch/Execute.h"
#include "runtime/launch/Place.h"

namespace kern {

/// A call with everything checked and decided that comes before its execution.
struct Bound {
  Arguments arguments;
  std::vector<std::optional<StridedView>> outputs;
  Place place;
  BoundCall call; ///< refers to the arguments and outputs
  /// Memory of copies that stand for arguments.
  std::vector<std::shared_ptr<void>> owners;
};

/// Gathers the arguments, decides where the call runs, resolves its loop and
/// binds its shapes. `tensors` is empty or has an entry (possibly NULL) for
/// each result. Every failure of kern_call() that does not come from running.
Expected<Bound> bindCall(kern_function &function,
                         std::span<const kern_value> inputs,
                         std::span<const DLTensor *const> tensors,
                         const kern_call_request *options);

} // namespace kern
