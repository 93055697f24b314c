//===- ShardedReduction.h - reductions of arrays on GPUs --------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "kern/options.h"
#include "runtime/launch/Sharded.h"

namespace kern::runtime {

/// kern_sharded_reduce() with its options read. `report` may be NULL.
///
/// Each GPU reduces its part. If axis 0, along which the array is dealt, is
/// among the axes, the first GPU then combines what came of the parts, in their
/// order, and each GPU gets a copy of the result.
Expected<std::unique_ptr<Sharded>>
reduceSharded(kern_function &function, const Sharded &array,
              const kern_call_request &options, kern_call_report *report);

} // namespace kern::runtime
