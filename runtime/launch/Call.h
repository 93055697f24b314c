//===- Call.h - the whole of a call -----------------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/launch/CallPlan.h"

namespace kern::runtime {

/// kern_call() with its arguments as spans. `outputs` is empty or has one entry
/// (possibly NULL) for each result. `results` has an entry, NULL, for each
/// result without an output. `report` may be NULL.
///
/// A call like an earlier one (CallKey.h) finds its plan without a lock and
/// takes one launch.
Status call(kern_function &function, std::span<const kern_value> inputs,
            std::span<const DLTensor *const> outputs, DLManagedTensor **results,
            const kern_call_request *options, kern_call_report *report);

/// kern_resolve(): the loop of a call and the shapes of its results as the
/// caller sees them. Does not read the arrays' data.
struct Resolution {
  std::shared_ptr<Loop> loop;
  std::vector<Extents> results;
};
Expected<Resolution> resolveCall(kern_function &function,
                                 std::span<const kern_value> inputs,
                                 std::span<const DLTensor *const> outputs,
                                 const kern_call_request *options);

/// The plan of a call, without making the call.
Expected<CallPlan::Attempt>
prepareCall(kern_function &function, std::span<const kern_value> inputs,
            std::span<const DLTensor *const> outputs,
            const kern_call_request *options);

} // namespace kern::runtime
