//===- Call.h - the whole of a call -----------------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/array/Array.h"
#include "runtime/launch/Function.h"

namespace kern {

/// kern_call() with its arguments as spans. `outputs` is empty or has one
/// entry (possibly NULL) for each result.
Expected<std::vector<ManagedArray>>
call(kern_function &function, std::span<const kern_value> inputs,
     std::span<const DLTensor *const> outputs, const kern_call_options *options,
     kern_call_report &report);

} // namespace kern
