//===- CheckRecord.h - what a launch's checks found -------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/artefact/Manifest.h"
#include "runtime/error/Expected.h"

#include <array>

namespace kern::runtime {

/// What the kernels of a launch write when a check fails
/// (docs/explanation/kernel-abi.md). Zeroed before the launch.
struct CheckRecord {
  int64_t number = 0; ///< of the first check that failed plus one, or 0
  std::array<int64_t, maxRecordWords - 1> values = {};
};

/// KERN_ERROR_CHECK if a check of `kernel` failed: "`f` at F.kern:3:14: index 7
/// is out of range: `v` has 5 elements".
Status checkFailure(const CheckRecord &record, const FunctionInfo &function,
                    const KernelInfo &kernel);

} // namespace kern::runtime
