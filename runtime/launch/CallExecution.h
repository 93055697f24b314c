//===- CallExecution.h - runs a call step by step ---------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/launch/Bind.h"
#include "runtime/space/Space.h"
#include "runtime/transfer/Array.h"

namespace kern::runtime {

/// Makes temporaries for operands that need another type, device or memory,
/// runs the loop, and returns a new array for each result without an `out`
/// array (NULL for the others). Results are as if all inputs were read before
/// any output is written. KERN_ERROR_OVERLAP if outputs overlap each other or
/// themselves, or if a written input overlaps another operand. Fills
/// `explanation`, unless NULL, with a line for each operand: how it was
/// reached.
Expected<std::vector<ManagedArray>> execute(const BoundCall &call, Space &space,
                                            kern_call_report &report,
                                            std::string *explanation = nullptr);

} // namespace kern::runtime
