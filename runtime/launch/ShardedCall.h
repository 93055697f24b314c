//===- ShardedCall.h - calls over parts -------------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "kern/options.h"
#include "kern/sharded.h"
#include "runtime/launch/Sharded.h"

namespace kern::runtime {

/// An argument of a call over parts: an array that is dealt or replicated, or
/// else what any call takes.
struct ShardedArgument {
  const Sharded *sharded = nullptr;
  kern_value value = {};
};

/// kern_sharded_call(). `outputs` is empty or has one entry, possibly NULL, for
/// each result; there is a new array for each result without one, and else
/// NULL. `mask` is the options' `sharded_where`, which is not read. `report`
/// may be NULL.
Expected<std::vector<std::unique_ptr<Sharded>>>
callSharded(kern_function &function, std::span<const ShardedArgument> inputs,
            std::span<Sharded *const> outputs, const Sharded *mask,
            const kern_call_request *options, kern_call_report *report);

} // namespace kern::runtime
