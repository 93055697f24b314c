//===- Checks.h - what kernels check ----------------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Loop/Loop.h"

#include <string>
#include <vector>

namespace kern::loop {

/// What one number of `loop.check` stands for.
struct CheckSite {
  /// "index" and "bound" (of a slice), with the values index and extent, and
  /// "index from end" and "bound from end" of what was written negative;
  /// "assert"; "unwritten", with the indices of the first element. "read",
  /// "write" and "add" are accesses of an iteration to what another touched:
  /// with the number of that access, the array's rank, the indices of the other
  /// iteration, those of this one, and the element's.
  std::string kind;
  std::string place; ///< `file:line:column`
  std::string text;  ///< the array's name; of an assertion the message
  unsigned axis = 0; ///< of an index or a bound, from 0; of an access how many
                     ///< indices the prange has
};

/// Appends a site to those of a kernel and returns its number.
int64_t addCheck(KernelOp kernel, const CheckSite &site);
/// The sites of an attribute that addCheck has made.
std::vector<CheckSite> checkSites(std::optional<mlir::ArrayAttr> checks);
mlir::ArrayAttr checksAttribute(mlir::MLIRContext *context,
                                llvm::ArrayRef<CheckSite> sites);

} // namespace kern::loop
